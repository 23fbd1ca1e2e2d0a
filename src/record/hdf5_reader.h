// HDF5 of the Pedestrian Dynamics Data Archive, ours among them.
#pragma once

#include <memory>
#include <string>

#include "record/row.h"

namespace throng::record {

/// Throws FileError, or InputError when it is not a recording.
std::unique_ptr<RowSource> readHdf5(const std::string& path);

}  // namespace throng::record

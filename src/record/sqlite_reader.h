// SQLite in JuPedSim's schema, versions 1 to 3, ours among them.
#pragma once

#include <memory>
#include <string>

#include "record/row.h"

namespace throng::record {

/// Throws FileError, or InputError when it is not a recording.
std::unique_ptr<RowSource> readSqlite(const std::string& path);

}  // namespace throng::record

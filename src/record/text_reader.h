// PeTrack text and CSV, from a file or from memory.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "record/row.h"

namespace throng::record {

/// `name` is the file's, for messages. Throw InputError for a header that cannot be read, and so does next() for lines.
std::unique_ptr<RowSource> readTextFile(const std::string& path, bool csv);
/// `text` must outlive the source.
std::unique_ptr<RowSource> readTextFrom(std::string_view text, bool csv, const std::string& name);

}  // namespace throng::record

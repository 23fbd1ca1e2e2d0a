#include "record/writer.h"

namespace throng::record {

std::unique_ptr<Writer> makeWriter(const std::string& path, RecordingFormat format, const Facts& facts) {
  switch (format) {
    case RecordingFormat::kSqlite:
      return makeSqliteWriter(path, facts);
    case RecordingFormat::kText:
      return makeTextWriter(path, facts);
    case RecordingFormat::kHdf5:
      return makeHdf5Writer(path, facts);
    case RecordingFormat::kCsv:
      return makeCsvWriter(path, facts);
  }
  throw InputError("a recording format that does not exist");
}

}  // namespace throng::record

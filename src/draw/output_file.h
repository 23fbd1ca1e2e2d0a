// A file that is there whole or not at all.
#pragma once

#include <string>
#include <vector>

namespace throng::draw {

/// In lower case, with the dot; throws InputError that names the allowed ones when it is none of them.
std::string checkedExtension(const std::string& path, const std::vector<std::string>& allowed);

/// Written under another name in the same folder first, and renamed by keep(). Without that nothing is left behind.
class OutputFile {
 public:
  /// Throws FileError when the file exists and may not be replaced, or its folder does not exist.
  OutputFile(const std::string& path, bool overwrite);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Where to write meanwhile.
  const std::string& partial() const { return partial_; }
  /// Throws FileError when it cannot be written.
  void write(const std::string& bytes);
  void keep();

 private:
  void refuseExisting() const;

  std::string path_, partial_;
  bool overwrite_;
};

}  // namespace throng::draw

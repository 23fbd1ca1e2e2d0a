#include "record/text_reader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <vector>

#include "record/change_text.h"
#include "record/text_format.h"

namespace throng::record {
namespace {

/// Longest line that is read; geometry stands in one line.
constexpr std::size_t kLongestLine = 256u << 20;

/// Lines of a file or of memory, without their ends.
class Lines {
 public:
  explicit Lines(std::string_view text) : memory_(text), size_(text.size()) {}
  explicit Lines(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_) throw FileError(fmt::format("{}: {}", path, std::strerror(errno)));
    std::fseek(file_.get(), 0, SEEK_END);
    size_ = static_cast<std::size_t>(std::max(0L, std::ftell(file_.get())));
    rewind();
  }

  void rewind() {
    number_ = 0;
    begin_ = 0;
    buffer_.clear();
    used_ = 0;
    if (file_) std::fseek(file_.get(), 0, SEEK_SET);
  }
  bool next(std::string_view& line) {
    std::string_view rest = window();
    std::size_t end = rest.find('\n');
    for (bool more = true; more && end == std::string_view::npos;) {
      const std::size_t searched = rest.size();
      more = refill();
      rest = window();  // refilling moves the buffer, at the end too
      end = rest.find('\n', searched);
    }
    if (rest.empty()) return false;
    line = rest.substr(0, end);
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    crosses_page_ = (begin_ + blanks) / kTextPage != (begin_ + line.size()) / kTextPage;
    const std::size_t taken = end == std::string_view::npos ? rest.size() : end + 1;
    begin_ += taken;
    if (file_) used_ += taken;
    ++number_;
    if (number_ == 1 && line.substr(0, 3) == "\xef\xbb\xbf") line.remove_prefix(3);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return true;
  }
  std::uint64_t number() const { return number_; }
  /// The line, without blanks before it, stands in two pages.
  bool crossesPage() const { return crosses_page_; }
  std::size_t size() const { return size_; }

 private:
  std::string_view window() const { return file_ ? std::string_view(buffer_).substr(used_) : memory_.substr(begin_); }
  bool refill() {
    if (!file_) return false;
    buffer_.erase(0, used_);
    used_ = 0;
    const std::size_t old = buffer_.size();
    if (old > kLongestLine) badInput(path_, "a line is longer than 256 MiB", number_ + 1);
    buffer_.resize(old + std::max<std::size_t>(old, 1u << 16));
    const std::size_t got = std::fread(buffer_.data() + old, 1, buffer_.size() - old, file_.get());
    buffer_.resize(old + got);
    if (got == 0 && std::ferror(file_.get())) throw FileError(fmt::format("{}: {}", path_, std::strerror(errno)));
    return got > 0;
  }

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string_view memory_;
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string buffer_;
  std::size_t used_ = 0;   ///< of the buffer
  std::size_t begin_ = 0;  ///< of the next line, in the file
  std::size_t size_ = 0;
  bool crosses_page_ = false;
  std::uint64_t number_ = 0;
};

constexpr std::string_view kBlanks = " \t\v\f\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

/// The next field of a line: up to a comma, or between blanks.
std::string_view takeField(std::string_view& rest, bool csv) {
  if (!csv) rest = trimmed(rest);
  const std::size_t end = csv ? rest.find(',') : rest.find_first_of(kBlanks);
  const std::string_view field = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  return csv ? trimmed(field) : field;
}

/// Whole field, finite.
bool parse(std::string_view field, double& value) {
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  return error == std::errc{} && end == field.data() + field.size() && std::isfinite(value);
}

/// To the nearest 32-bit float at once; by way of a double it could be rounded twice.
bool parseFloat(std::string_view field, double& value) {
  float nearest = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), nearest);
  if (error == std::errc::result_out_of_range) return parse(field, value);
  value = nearest;
  return error == std::errc{} && end == field.data() + field.size() && std::isfinite(nearest);
}

bool parse(std::string_view field, std::int64_t& value) {
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error == std::errc{} && end == field.data() + field.size()) return true;
  double real = 0;  // tables out of spreadsheets and data frames may say 12.0
  if (!parse(field, real) || real != std::floor(real) || std::abs(real) > 9e15) return false;
  value = static_cast<std::int64_t>(real);
  return true;
}

enum Column { kFrame, kId, kX, kY, kZ, kHeading, kPopulation, kTime, kColumns };
constexpr std::array<std::string_view, kColumns> kColumnNames = {"frame", "id",      "x",          "y",
                                                                 "z",     "heading", "population", "time"};

class TextRows : public RowSource {
 public:
  TextRows(Lines lines, bool csv, std::string name) : lines_(std::move(lines)), csv_(csv), name_(std::move(name)) {
    if (csv_) {
      readCsvHeader();
    } else {
      readTextHeader();
    }
    if (lines_.size() > 0 && lines_.size() % kTextPage == 0) findCut();
    rewind();
  }

  const Facts& facts() const override { return facts_; }
  const char* placeName() const override { return "line"; }
  void rewind() override {
    lines_.rewind();
    past_header_ = !csv_;
    if (facts_.changes && !all_changes_) facts_.changes->clear();
  }
  bool next(Row& row) override {
    for (std::string_view line; lines_.next(line);) {
      line = trimmed(line);
      if (!line.empty() && line.front() == '#') readChange(line);
      if (line.empty() || line.front() == '#') continue;
      if (!past_header_) {
        past_header_ = true;
        continue;
      }
      row = {};
      row.place = lines_.number();
      csv_ ? readCsv(line, row) : readText(line, row);
      if (row.frame >= cut_) break;
      return true;
    }
    all_changes_ = true;
    return false;
  }

 private:
  void readTextHeader() {
    bool rate = false;
    for (std::string_view line; lines_.next(line);) {
      line = trimmed(line);
      if (line.empty()) continue;
      if (line.front() != '#') break;
      if (line.substr(0, kSceneMark.size()) == kSceneMark) {
        facts_.scene_json = line.substr(kSceneMark.size());
        facts_.changes.emplace();  // such files list them too
        continue;
      }
      const std::string text = lower(line);
      if (text.find("framerate") != std::string::npos && !rate) rate = readRate(text);
      // The same words as PedPy, in the same order, so that both read a file alike.
      if (text.find("x/cm") != std::string::npos || text.find("in cm") != std::string::npos) scale_ = 0.01;
      if (text.find("x/m") != std::string::npos || text.find("in m") != std::string::npos) scale_ = 1;
      if (line.substr(0, kTextMark.size()) == kTextMark) ours_ = true;
      readGeometry(line);
    }
    if (!rate) {
      badInput(name_, "there is no line such as '# framerate: 10' before the first row, so it is not a recording");
    }
  }

  bool readRate(std::string_view text) {
    while (!trimmed(text).empty()) {
      if (parse(takeField(text, false), facts_.frames_per_second)) return true;
    }
    return false;
  }

  /// Throng writes the geometry itself; elsewhere the line names a file, which is not read.
  void readGeometry(std::string_view line) {
    const std::size_t colon = line.find("geometry:");
    if (colon == std::string_view::npos) return;
    const std::string_view value = trimmed(line.substr(colon + 9));
    for (const std::string_view kind : {"POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION"}) {
      if (value.substr(0, kind.size()) == kind) facts_.geometry_wkt = value;
    }
  }

  /// To everybody else a comment; so it is when it is not what we write.
  void readChange(std::string_view line) {
    if (!facts_.changes || all_changes_ || line.substr(0, kChangeMark.size()) != kChangeMark) return;
    if (auto change = changeOfText(line.substr(kChangeMark.size()))) facts_.changes->push_back(std::move(*change));
  }

  void readText(std::string_view rest, Row& row) {
    const std::string_view id = takeField(rest, false), frame = takeField(rest, false);
    const std::string_view x = takeField(rest, false), y = takeField(rest, false), z = takeField(rest, false);
    const auto place = [this](std::string_view field, double& value) {
      if (scale_ == 1) return parseFloat(field, value);
      const bool read = parse(field, value);
      value *= scale_;
      return read;
    };
    if (!parse(id, row.id)) badField("id", id);
    if (!parse(frame, row.frame)) badField("frame", frame);
    if (!place(x, row.x)) badField("x", x);
    if (!place(y, row.y)) badField("y", y);
    if (!z.empty() && !place(z, row.z)) badField("z", z);
  }

  void readCsvHeader() {
    std::string_view line;
    bool found = false;
    while (!found && lines_.next(line)) {
      line = trimmed(line);
      found = !line.empty() && line.front() != '#';
    }
    ours_ = found && line == kCsvHeader;
    for (int i = 0; found && !line.empty(); ++i) {
      ++named_;
      const std::string field = lower(takeField(line, true));
      for (int c = 0; c < kColumns; ++c) {
        if (field == kColumnNames[c] && columns_[c] < 0) columns_[c] = i;
      }
    }
    for (const Column c : {kFrame, kId, kX, kY}) {
      if (columns_[c] < 0) {
        badInput(name_,
                 fmt::format("the first line names no column '{}'; it must be a header such as '{}'", kColumnNames[c],
                             kCsvHeader),
                 found ? lines_.number() : 1);
      }
    }
    facts_.headings = columns_[kHeading] >= 0;
  }

  void readCsv(std::string_view rest, Row& row) {
    std::array<std::string_view, kColumns> fields;
    for (int i = 0; !rest.empty(); ++i) {
      if (i == named_) tooManyFields(rest);
      const std::string_view field = takeField(rest, true);
      for (int c = 0; c < kColumns; ++c) {
        if (columns_[c] == i) fields[c] = field;
      }
    }
    if (!parse(fields[kFrame], row.frame)) badField("frame", fields[kFrame]);
    if (!parse(fields[kId], row.id)) badField("id", fields[kId]);
    if (!parseFloat(fields[kX], row.x)) badField("x", fields[kX]);
    if (!parseFloat(fields[kY], row.y)) badField("y", fields[kY]);
    if (columns_[kZ] >= 0 && !parseFloat(fields[kZ], row.z)) badField("z", fields[kZ]);
    if (columns_[kHeading] >= 0) {
      double heading = 0;
      if (!parse(fields[kHeading], heading)) badField("heading", fields[kHeading]);
      row.heading_x = static_cast<float>(std::cos(heading));
      row.heading_y = static_cast<float>(std::sin(heading));
    }
    if (columns_[kPopulation] >= 0) {
      std::int64_t population = 0;
      if (!parse(fields[kPopulation], population) || population < 0 || population > 65535) {
        badField("population", fields[kPopulation]);
      }
      row.population = static_cast<std::uint16_t>(population);
    }
    if (columns_[kTime] >= 0) readTime(fields[kTime], row);
  }

  /// The frame rate follows from the number and the time of the latest frame.
  void readTime(std::string_view field, const Row& row) {
    double time = 0;
    if (!parse(field, time)) badField("time", field);
    if (time <= latest_ || row.frame <= 0) return;
    latest_ = time;
    const double rate = static_cast<double>(row.frame) / time;
    const double plain = std::round(rate * 1e6) / 1e6;
    facts_.frames_per_second = std::abs(plain - rate) < 1e-9 * rate ? plain : rate;
  }

  /// Whether a killed run left this file; its last frame is dropped then (see kTextPage).
  void findCut() {
    if (!ours_) return;
    rewind();
    std::int64_t last = 0;
    bool rows = false;
    for (Row row; next(row);) {
      if (lines_.crossesPage()) return;  // saved by another program
      rows = true;
      last = std::max(last, row.frame);
    }
    if (rows) cut_ = last;
  }

  [[noreturn]] void badField(std::string_view column, std::string_view field) const {
    badInput(name_,
             field.empty()
                 ? fmt::format("the column {} is missing", column)
                 : fmt::format("'{}' in column {} is not a {}", field.substr(0, 40), column,
                               column == "id" || column == "frame" || column == "population" ? "whole number in range"
                                                                                             : "finite number"),
             lines_.number());
  }

  /// A decimal comma, say, or a comma too many: nothing says which column is which then.
  [[noreturn]] void tooManyFields(std::string_view rest) const {
    badInput(name_,
             fmt::format("'{}' follows the {} columns that the first line names; every line must have as many fields",
                         rest.substr(0, 40), named_),
             lines_.number());
  }

  Lines lines_;
  bool csv_;
  std::string name_;
  Facts facts_;
  double scale_ = 1;  ///< m per unit of the file
  bool ours_ = false, past_header_ = false;
  int named_ = 0;             ///< columns in the first line of a CSV file
  bool all_changes_ = false;  ///< one pass over the lines has found them
  std::array<int, kColumns> columns_{-1, -1, -1, -1, -1, -1, -1, -1};
  double latest_ = 0;  ///< s
  std::int64_t cut_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace

std::unique_ptr<RowSource> readTextFile(const std::string& path, bool csv) {
  return std::make_unique<TextRows>(Lines(path), csv, path);
}

std::unique_ptr<RowSource> readTextFrom(std::string_view text, bool csv, const std::string& name) {
  return std::make_unique<TextRows>(Lines(text), csv, name);
}

}  // namespace throng::record

#include <cmath>
#include <fmt/compile.h>
#include <fmt/format.h>

#include "record/change_text.h"
#include "record/output_file.h"
#include "record/text_format.h"
#include "record/writer.h"

namespace throng::record {
namespace {

/// Bytes kept until the next commit; beyond them, lines are written ahead of it.
constexpr std::size_t kBufferBytes = 1u << 20;

/// Lines of text, whole at any moment (see kTextPage).
class PagedText {
 public:
  explicit PagedText(const std::string& path) : file_(path) {}
  ~PagedText() {
    if (!finished_) file_.truncate(committed_);
  }

  /// `text` ends in '\n'. Only the header may have lines longer than a page.
  void line(std::string_view text) {
    const std::size_t left = kTextPage - (written_ + buffer_.size()) % kTextPage;
    if (text.size() > left && text.size() <= kTextPage) buffer_.append(left, ' ');
    buffer_ += text;
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void commit() {
    if ((written_ + buffer_.size()) % kTextPage == 0) buffer_ += '\n';
    flush();
    committed_ = written_;
  }
  void finish() {
    commit();
    file_.close();
    finished_ = true;
  }

 private:
  void flush() {
    for (std::string_view rest = buffer_; !rest.empty();) {
      const auto piece = rest.substr(0, kTextPage - written_ % kTextPage);
      file_.append(piece);
      written_ += piece.size();
      rest.remove_prefix(piece.size());
    }
    buffer_.clear();
  }

  OutputFile file_;
  std::string buffer_;
  std::size_t written_ = 0, committed_ = 0;
  bool finished_ = false;
};

/// JSON without line ends; in JSON they only stand between things.
std::string inOneLine(const std::string& json) {
  std::string line;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '\n') {
      line += json[i];
    } else {
      while (i + 1 < json.size() && json[i + 1] == ' ') ++i;
    }
  }
  return line;
}

class TextWriter : public Writer {
 public:
  TextWriter(const std::string& path, const Facts& facts) : text_(path) {
    // PedPy takes the first frame rate and the last unit it finds among these lines.
    text_.line(fmt::format("# framerate: {}\n", facts.frames_per_second));
    text_.line(fmt::format("{}\n", kTextMark));
    if (!facts.geometry_wkt.empty()) text_.line(fmt::format("# geometry: {}\n", facts.geometry_wkt));
    if (!facts.scene_json.empty()) text_.line(fmt::format("{}{}\n", kSceneMark, inOneLine(facts.scene_json)));
    text_.line("# id\tframe\tx/m\ty/m\tz/m\n");
    text_.commit();
  }
  void write(std::int64_t number, const FrameCopy& frame, std::span<const Arrival>) override {
    for (std::size_t i = 0; i < frame.person.size(); ++i) {
      line_.clear();
      fmt::format_to(std::back_inserter(line_), FMT_COMPILE("{}\t{}\t{}\t{}\t{}\n"), frame.person[i], number,
                     frame.x[i], frame.y[i], frame.z[i]);
      text_.line({line_.data(), line_.size()});
    }
  }
  void writeChange(const Change& change) override {
    text_.line(fmt::format("{}{}\n", kChangeMark, changeText(change)));
  }
  void commit() override { text_.commit(); }
  void finish() override { text_.finish(); }

 private:
  PagedText text_;
  fmt::memory_buffer line_;
};

class CsvWriter : public Writer {
 public:
  CsvWriter(const std::string& path, const Facts& facts) : text_(path), rate_(facts.frames_per_second) {
    text_.line(fmt::format("{}\n", kCsvHeader));
    text_.commit();
  }
  void write(std::int64_t number, const FrameCopy& frame, std::span<const Arrival>) override {
    const double time = static_cast<double>(number) / rate_;
    for (std::size_t i = 0; i < frame.person.size(); ++i) {
      line_.clear();
      fmt::format_to(std::back_inserter(line_), FMT_COMPILE("{},{},{},{},{},{},{},{}\n"), number, frame.person[i],
                     frame.x[i], frame.y[i], frame.z[i], std::atan2(frame.heading_y[i], frame.heading_x[i]),
                     frame.population[i], time);
      text_.line({line_.data(), line_.size()});
    }
  }
  void commit() override { text_.commit(); }
  void finish() override { text_.finish(); }

 private:
  PagedText text_;
  double rate_;
  fmt::memory_buffer line_;
};

}  // namespace

std::unique_ptr<Writer> makeTextWriter(const std::string& path, const Facts& facts) {
  return std::make_unique<TextWriter>(path, facts);
}

std::unique_ptr<Writer> makeCsvWriter(const std::string& path, const Facts& facts) {
  return std::make_unique<CsvWriter>(path, facts);
}

}  // namespace throng::record

#include "scene/json_text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <tuple>

#include "scene/findings.h"

namespace throng::scene {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kMostKeys = 4096;  // objects keep the order of the file, so their keys are searched one by one

/// Walks over the text and keeps count, so that a handler can ask how far the parser has read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

/// Line and column by offset. Columns count bytes, as most editors' "go to" does.
class Lines {
 public:
  explicit Lines(const std::string& text) : size_(text.size()) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  std::pair<int, int> at(std::size_t offset) const {
    offset = std::min(offset, size_);
    const auto line = std::upper_bound(starts_.begin(), starts_.end(), offset) - 1;
    return {static_cast<int>(line - starts_.begin()) + 1, static_cast<int>(offset - *line) + 1};
  }

 private:
  std::size_t size_;
  std::vector<std::size_t> starts_ = {0};
};

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

/// Builds the value event by event.
class Builder : public nlohmann::json_sax<json> {
 public:
  Builder(const std::string& text, const std::size_t& read) : text_(text), read_(read) {}

  bool null() override { return add(nullptr) != nullptr; }
  bool boolean(bool value) override { return add(value) != nullptr; }
  bool number_integer(json::number_integer_t value) override { return add(value) != nullptr; }
  bool number_unsigned(json::number_unsigned_t value) override { return add(value) != nullptr; }
  bool number_float(json::number_float_t value, const std::string&) override { return add(value) != nullptr; }
  bool string(std::string& value) override { return add(std::move(value)) != nullptr; }
  bool binary(json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& key) override {
    if (open_.back()->size() == kMostKeys) {
      return fail(read_, fmt::format("too many keys in one object; at most {} are allowed", kMostKeys));
    }
    if (open_.back()->contains(key)) {
      return fail(read_, fmt::format("the key {} stands twice in the same object; every key may stand there once",
                                     inQuotes(key)));
    }
    key_ = std::move(key);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& problem) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: what": the last part is what we want.
    std::string what = problem.what();
    const auto column = what.find("column ");
    const auto start = column == std::string::npos ? what.find("] ") : what.find(": ", column);
    if (start != std::string::npos) what.erase(0, start + 2);
    for (char& c : what) {
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
    }
    // The likeliest mistake in a list is a missing comma, which the parser does not mention.
    for (const char end : {'}', ']'}) {
      const std::string expected = fmt::format("expected '{}'", end);
      if (what.ends_with(expected)) what.replace(what.size() - expected.size(), 9, "expected ',' or ");
    }
    // Where the token begins: for words and strings it is told to us, with brackets and commas more than that.
    std::size_t offset = position > 0 ? position - 1 : 0;
    const bool word = !token.empty() && std::string("{}[],:").find(token.back()) == std::string::npos;
    if (word && token.size() <= position && position <= text_.size() &&
        text_.compare(position - token.size(), token.size(), token) == 0) {
      offset = position - token.size();
    }
    return fail(offset, "not JSON: " + what);
  }

  json& root() { return root_; }
  const JsonProblem& problem() const { return problem_; }

 private:
  bool fail(std::size_t offset, std::string message) {
    const auto [line, column] = Lines(text_).at(offset);
    problem_ = {line, column, std::move(message)};
    return false;
  }

  json* add(json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    json& owner = *open_.back();
    if (owner.is_array()) {
      owner.push_back(std::move(value));
      return &owner.back();
    }
    return &(owner[key_] = std::move(value));
  }

  bool open(json value) {
    if (open_.size() == kDeepest) {
      return fail(read_, fmt::format("nested too deeply; at most {} levels are allowed", kDeepest));
    }
    open_.push_back(add(std::move(value)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  const std::string& text_;
  const std::size_t& read_;
  json root_;
  std::vector<json*> open_;  // an open container grows only at its end, so those around it stay where they are
  std::string key_;
  JsonProblem problem_;
};

/// Notes where the values stand that somebody asks for.
class Locator : public nlohmann::json_sax<json> {
 public:
  Locator(const std::string& text, const std::size_t& read, std::map<std::string, std::size_t>& wanted)
      : text_(text), read_(read), wanted_(wanted) {}

  bool null() override { return begin(wordStart()); }
  bool boolean(bool) override { return begin(wordStart()); }
  bool number_integer(json::number_integer_t) override { return begin(wordStart()); }
  bool number_unsigned(json::number_unsigned_t) override { return begin(wordStart()); }
  bool number_float(json::number_float_t, const std::string&) override { return begin(wordStart()); }
  bool string(std::string&) override { return begin(stringStart()); }
  bool binary(json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

  bool key(std::string& key) override {
    pointer_.resize(levels_.back().length);
    pointer_ += "/" + pointerPart(key);
    note(stringStart());
    return true;
  }

 private:
  struct Level {
    bool array;
    std::size_t length;  ///< of the pointer to the container
    std::size_t next = 0;
  };

  /// The opening quotation mark of the string that was just read.
  std::size_t stringStart() const {
    std::size_t at = read_ >= 2 ? read_ - 2 : 0;
    while (at > 0 && (text_[at] != '"' || escaped(at))) --at;
    return at;
  }

  bool escaped(std::size_t at) const {
    std::size_t slashes = 0;
    while (slashes < at && text_[at - 1 - slashes] == '\\') ++slashes;
    return slashes % 2 == 1;
  }

  /// The first character of the number or literal that was just read; the parser may have looked at one more character.
  std::size_t wordStart() const {
    const auto part = [this](std::size_t at) {
      const char c = text_[at];
      return std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.';
    };
    std::size_t at = std::min(read_, text_.size());
    while (at > 0 && !part(at - 1)) --at;
    while (at > 0 && part(at - 1)) --at;
    return at;
  }

  void note(std::size_t offset) {
    const auto found = wanted_.find(pointer_);
    if (found != wanted_.end() && found->second == kNowhere) found->second = offset;
  }

  /// A value begins: in an array it gets the next index; in an object its key has been noted.
  bool begin(std::size_t offset) {
    if (levels_.empty()) note(offset);
    if (levels_.empty() || !levels_.back().array) return true;
    pointer_.resize(levels_.back().length);
    pointer_ += "/" + std::to_string(levels_.back().next++);
    note(offset);
    return true;
  }

  bool open(bool array) {
    begin(read_ > 0 ? read_ - 1 : 0);
    levels_.push_back({array, pointer_.size()});
    return true;
  }

  bool close() {
    pointer_.resize(levels_.back().length);
    levels_.pop_back();
    return true;
  }

  const std::string& text_;
  const std::size_t& read_;
  std::map<std::string, std::size_t>& wanted_;
  std::string pointer_;
  std::vector<Level> levels_;
};

template <class Handler>
bool parseWith(const std::string& text, std::size_t& read, Handler& handler) {
  const char* begin = text.data();
  return json::sax_parse(CountingIterator(begin, &read), CountingIterator(begin + text.size(), &read), &handler);
}

}  // namespace

std::optional<json> parseJson(const std::string& text, JsonProblem& problem) {
  std::size_t read = 0;
  Builder builder(text, read);
  if (parseWith(text, read, builder)) return std::move(builder.root());
  problem = builder.problem();
  return std::nullopt;
}

void locate(const std::string& text, std::vector<Diagnostic>& findings) {
  std::map<std::string, std::size_t> wanted;
  for (const auto& finding : findings) {
    if (finding.line == 0) wanted.emplace(finding.pointer, kNowhere);
  }
  if (wanted.empty()) return;
  std::size_t read = 0;
  Locator locator(text, read, wanted);
  parseWith(text, read, locator);
  const Lines lines(text);
  for (auto& finding : findings) {
    const auto place = wanted.find(finding.pointer);
    if (finding.line != 0 || place == wanted.end() || place->second == kNowhere) continue;
    std::tie(finding.line, finding.column) = lines.at(place->second);
  }
}

}  // namespace throng::scene

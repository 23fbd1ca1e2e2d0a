// COLLADA: XML whose parts may name one another.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <utility>
#include <vector>

#include "import/model_check.h"

namespace throng::import {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

/// A tag and what is written in it.
struct Tag {
  std::string_view name, attributes;
  bool opens = true, closes = false;
};

/// The value of an attribute; empty when there is none.
std::string_view attribute(const Tag& tag, std::string_view name) {
  std::string_view rest = tag.attributes;
  while (true) {
    const std::size_t equals = rest.find('=');
    const std::size_t quote = rest.find_first_of("\"'", equals);
    if (quote == std::string_view::npos) return {};
    const std::size_t end = rest.find(rest[quote], quote + 1);
    if (end == std::string_view::npos) return {};
    std::string_view key = rest.substr(0, equals);
    key.remove_prefix(std::min(key.find_first_not_of(kSpace), key.size()));
    key = key.substr(0, key.find_first_of(kSpace));
    if (key == name) return rest.substr(quote + 1, end - quote - 1);
    rest.remove_prefix(end + 1);
  }
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class ColladaCheck {
 public:
  explicit ColladaCheck(const Model& model) : model_(model), tree_(model.name) {}

  void run() {
    std::string_view text = model_.bytes;
    if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos || text[first] != '<') fail("no .dae mesh: it is no XML in UTF-8");
    while (step(text)) continue;
    link();
    tree_.check();
  }

 private:
  struct Open {
    std::string_view name;
    std::size_t part;  ///< the part that it is, or stands in
  };
  struct Reference {
    std::size_t part;
    std::string_view to;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  [[noreturn]] void fail(const std::string& message) const {
    const auto line =
        1 + std::count(model_.bytes.begin(), model_.bytes.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw InputError(
        {Diagnostic{.file = model_.name, .message = message, .line = static_cast<int>(line), .column = 1}});
  }

  /// Takes one piece of the text: what stands before the next tag, and the tag.
  bool step(std::string_view& text) {
    const std::size_t tag = text.find('<');
    content(text.substr(0, tag));
    if (tag == std::string_view::npos) return false;
    text.remove_prefix(tag);
    at_ = static_cast<std::size_t>(text.data() - model_.bytes.data());
    const auto skipTo = [&](std::string_view end) {
      const std::size_t found = text.find(end);
      text.remove_prefix(found == std::string_view::npos ? text.size() : found + end.size());
      return true;
    };
    if (text.substr(0, 4) == "<!--") return skipTo("-->");
    if (text.substr(0, 9) == "<![CDATA[") return skipTo("]]>");
    if (text.substr(0, 2) == "<?") return skipTo("?>");
    if (text.substr(0, 2) == "<!") {
      // No program writes them, and texts that are made of one another grow without end.
      if (text.find("<!ENTITY") != std::string_view::npos) fail("it defines entities; allowed: those of XML only");
      return skipTo(">");
    }
    std::size_t end = 1;
    for (char quote = 0; end < text.size() && (quote != 0 || text[end] != '>'); ++end) {
      if (quote == 0 && (text[end] == '"' || text[end] == '\'')) {
        quote = text[end];
      } else if (text[end] == quote) {
        quote = 0;
      }
    }
    Tag found;
    std::string_view inside = text.substr(1, end - 1);
    if (!inside.empty() && inside[0] == '/') found.opens = false, found.closes = true, inside.remove_prefix(1);
    if (!inside.empty() && inside.back() == '/') found.closes = true, inside.remove_suffix(1);
    found.name = inside.substr(0, inside.find_first_of(kSpace));
    found.attributes = inside.substr(found.name.size());
    text.remove_prefix(std::min(end + 1, text.size()));
    if (found.opens) open(found);
    if (found.closes && !stack_.empty()) stack_.pop_back();
    return true;
  }

  void open(const Tag& tag) {
    std::size_t part = stack_.empty() ? kNone : stack_.back().part;
    if (isOneOf(tag.name, {"node", "visual_scene", "geometry", "controller"})) {
      const std::string_view id = attribute(tag, "id"), name = attribute(tag, "name");
      const std::size_t inner = tree_.add(fmt::format("{} {}", tag.name, id.empty() ? name : id), 0);
      if (part != kNone && (tag.name == "node")) tree_.contains(part, inner);
      if (!id.empty()) ids_.try_emplace(id, inner);
      if (!name.empty()) names_.try_emplace(name, inner);
      part = inner;
    } else if (isOneOf(tag.name, {"instance_node", "instance_geometry", "instance_controller"})) {
      refer(part, attribute(tag, "url"));
    } else if (isOneOf(tag.name, {"skin", "morph"})) {
      refer(part, attribute(tag, "source"));
    }
    for (const char* key : {"count", "stride", "offset"}) checkNumber(tag, key);
    stack_.push_back({tag.name, part});
    if (stack_.size() > kDeepestXml)
      fail(fmt::format("elements are nested more than {} deep; that is the most that is allowed", kDeepestXml));
  }

  void refer(std::size_t part, std::string_view to) {
    if (part != kNone && to.size() > 1 && to[0] == '#') references_.push_back({part, to.substr(1)});
  }

  /// Room is made for what is announced; there cannot be more of anything than there are bytes.
  void checkNumber(const Tag& tag, const char* key) const {
    const std::string_view text = attribute(tag, key);
    if (text.empty()) return;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value > model_.bytes.size())
      fail(fmt::format("<{} {}=\"{}\"> in a file of {} bytes; allowed: a whole number of what is there", tag.name, key,
                       text.substr(0, 30), model_.bytes.size()));
  }

  /// The numbers in <p> are corners; those in <vcount> say how many of them each polygon has.
  void content(std::string_view text) {
    if (stack_.empty()) return;
    const bool corners = stack_.back().name == "p", sizes = stack_.back().name == "vcount";
    if (!corners && !sizes) return;
    std::uint64_t numbers = 0, sum = 0;
    for (std::size_t at = 0; (at = text.find_first_not_of(kSpace, at)) != std::string_view::npos; ++numbers) {
      const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
      // assimp stands still for ever before what is no number.
      const bool negative = corners && text[at] == '-';
      std::uint64_t value = 0;
      const auto parsed = std::from_chars(text.data() + at + (negative ? 1 : 0), text.data() + end, value);
      if (parsed.ec != std::errc() || parsed.ptr != text.data() + end || (sizes && value > model_.bytes.size()))
        fail(fmt::format("\"{}\" in <{}>; allowed: whole numbers of what is there",
                         text.substr(at, std::min<std::size_t>(end - at, 30)), stack_.back().name));
      sum += value;
      if (sizes && sum > model_.bytes.size()) fail("<vcount> announces more corners than there are bytes");
      at = end;
    }
    if (corners && stack_.back().part != kNone) tree_.addCorners(stack_.back().part, numbers);
  }

  void link() {
    for (const Reference& reference : references_) {
      const auto id = ids_.find(reference.to);
      const auto name = names_.find(reference.to);
      if (id != ids_.end()) {
        tree_.contains(reference.part, id->second);
      } else if (name != names_.end()) {
        tree_.contains(reference.part, name->second);
      }
    }
  }

  const Model& model_;
  PartTree tree_;
  std::vector<Open> stack_;
  std::vector<Reference> references_;
  std::map<std::string_view, std::size_t> ids_, names_;
  std::size_t at_ = 0;  ///< where in the file
};

}  // namespace

void checkCollada(const Model& model) { ColladaCheck(model).run(); }

}  // namespace throng::import

// glTF 1 and 2, and their binary form: what is checked is what assimp reads without asking.
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "import/model_check.h"

namespace throng::import {
namespace {

using GltfJson = nlohmann::json;

[[noreturn]] void failAt(const Model& model, const std::string& pointer, const std::string& message) {
  throw InputError({Diagnostic{.file = model.name, .pointer = pointer, .message = message}});
}

std::uint32_t word(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// The JSON of a file and how many bytes of data follow it.
struct Parts {
  std::string_view json;
  std::optional<std::uint64_t> data;
};

/// The binary form: a header and pieces (chunks), each with its length.
Parts takeApart(const Model& model) {
  constexpr std::uint32_t kMagic = 0x46546C67, kJsonPiece = 0x4E4F534A;
  const std::string_view bytes = model.bytes;
  const auto fail = [&](const std::string& message) { failAt(model, "", "no .glb mesh: " + message); };
  if (bytes.size() < 20 || word(bytes, 0) != kMagic) fail("it does not begin with the header of one");
  const std::uint32_t version = word(bytes, 4), length = word(bytes, 8), json = word(bytes, 12);
  if (version != 1 && version != 2) fail(fmt::format("its version is {}; allowed: 1 and 2", version));
  if (length > bytes.size())
    fail(fmt::format("it says that it is {} bytes long, and there are {}", length, bytes.size()));
  if (json > bytes.size() - 20)
    fail(fmt::format("its JSON is said to be {} bytes long, in a file of {}", json, bytes.size()));
  Parts parts{bytes.substr(20, json), std::nullopt};
  const std::size_t next = 20 + (std::size_t{json} + 3) / 4 * 4;
  if (version == 1) {
    if (length > next) parts.data = length - next;
    return parts;
  }
  if (word(bytes, 16) != kJsonPiece) fail("its first piece is no JSON");
  if (next >= bytes.size()) return parts;
  if (bytes.size() - next < 8) fail("it ends in the header of its second piece");
  parts.data = word(bytes, next);
  if (*parts.data > bytes.size() - next - 8)
    fail(fmt::format("its data is said to be {} bytes long, and there are {}", *parts.data, bytes.size() - next - 8));
  return parts;
}

/// Parsing comes back from any depth, but what assimp uses does not.
void checkNesting(const Model& model, std::string_view json) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepestJson)
        failAt(model, "",
               fmt::format("lists and objects are nested more than {} deep; that is the most that is allowed",
                           kDeepestJson));
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
}

/// Looks for an object with two values of one name: assimp takes the first one, and the parser here the last.
struct NamesTwice : nlohmann::json_sax<GltfJson> {
  std::vector<std::set<std::string>> names;
  std::optional<std::string> found;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool start_object(std::size_t) override {
    names.emplace_back();
    return true;
  }
  bool end_object() override {
    names.pop_back();
    return true;
  }
  bool key(string_t& name) override {
    if (names.back().insert(name).second) return true;
    found = name;
    return false;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
};

GltfJson parse(const Model& model, std::string_view json) {
  checkNesting(model, json);
  // assimp ends at a zero byte, and takes names in any encoding; nothing here depends on them.
  std::string text(json.substr(0, json.find('\0')));
  for (char& c : text)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  NamesTwice twice;
  GltfJson::sax_parse(text, &twice);  // what is wrong with the text is said below
  if (twice.found) failAt(model, "", fmt::format("an object has two values \"{}\"", *twice.found));
  try {
    GltfJson root = GltfJson::parse(text);
    if (!root.is_object()) failAt(model, "", fmt::format("no {} mesh: it is not an object", model.ending));
    return root;
  } catch (const GltfJson::exception& error) {
    failAt(model, "", fmt::format("no {} mesh: {}", model.ending, error.what()));
  }
}

class GltfCheck {
 public:
  GltfCheck(const Model& model, const GltfJson& root, std::optional<std::uint64_t> data, const SizeOfFile& size_of)
      : model_(model), root_(root), data_(data), size_of_(size_of) {}

  void run() {
    each("buffers", [&](const Item& item) { buffer(item); });
    each("bufferViews", [&](const Item& item) { view(item); });
    each("accessors", [&](const Item& item) { accessor(item); });
    each("meshes", [&](const Item& item) { mesh(item); });
    nodes();
  }

 private:
  struct Item {
    std::string where;  ///< pointer
    std::string key;    ///< its name (glTF 1) or number
    const GltfJson& json;
  };
  using Sizes = std::map<std::string, std::uint64_t>;

  [[noreturn]] void fail(const std::string& where, const std::string& message) const { failAt(model_, where, message); }

  /// glTF 2 has lists, glTF 1 objects with names.
  template <class Action>
  void each(const char* list, const Action& action) const {
    const auto found = root_.find(list);
    if (found == root_.end()) return;
    if (!found->is_array() && !found->is_object()) fail(fmt::format("/{}", list), "allowed: a list of objects");
    std::size_t number = 0;
    for (auto it = found->begin(); it != found->end(); ++it, ++number) {
      const std::string key = found->is_object() ? it.key() : std::to_string(number);
      const Item item{fmt::format("/{}/{}", list, key), key, *it};
      if (!it->is_object()) fail(item.where, "allowed: an object");
      action(item);
    }
  }

  /// A whole number that is not negative; `otherwise` when there is none.
  std::uint64_t number(const Item& item, const char* key, std::uint64_t otherwise = 0) const {
    const auto found = item.json.find(key);
    if (found == item.json.end()) return otherwise;
    const double value = found->is_number() ? found->get<double>() : -1;
    if (!(value >= 0) || !(value <= 9e15) || value != std::floor(value))
      fail(fmt::format("{}/{}", item.where, key),
           fmt::format("found {}; allowed: a whole number from 0", shown(*found)));
    return static_cast<std::uint64_t>(value);
  }

  static std::string shown(const GltfJson& value) {
    std::string text = value.dump(-1, ' ', true, GltfJson::error_handler_t::replace);
    return text.size() > 60 ? text.substr(0, 57) + "..." : text;
  }

  /// The size of what a reference names; `sizes` has an entry for all there are.
  std::uint64_t sizeOf(const std::string& where, const GltfJson& reference, const char* list,
                       const Sizes& sizes) const {
    std::string key;
    if (reference.is_string()) key = reference.get<std::string>();
    if (reference.is_number_unsigned()) key = std::to_string(reference.get<std::uint64_t>());
    const auto found = sizes.find(key);
    if (found == sizes.end())
      fail(where, fmt::format("found {}; allowed: one of the {} {}", shown(reference), sizes.size(), list));
    return found->second;
  }

  void buffer(const Item& item) {
    const std::uint64_t length = number(item, "byteLength");
    const auto uri = item.json.find("uri");
    const bool inside = item.key == "0" || item.key == "binary_glTF" || item.key == "KHR_binary_glTF";
    std::optional<std::uint64_t> there;
    if (uri == item.json.end() || !uri->is_string()) {
      there = inside && data_ ? *data_ : 0;
    } else {
      const std::string& text = uri->get_ref<const std::string&>();
      const std::size_t comma = text.find(',');
      if (text.rfind("data:", 0) != 0) {
        if (inside && data_ && item.key != "0") there = data_;
        if (!there) there = size_of_(text);
      } else if (comma == std::string::npos) {
        there = 0;
      } else {
        const bool base64 = text.substr(0, comma).find(";base64") != std::string::npos;
        const std::uint64_t letters = text.size() - comma - 1;
        there = base64 ? (letters * 3 + 3) / 4 : letters;
      }
    }
    if (there && length > *there)
      fail(item.where + "/byteLength", fmt::format("found {}, and there are {} bytes", length, *there));
    buffers_[item.key] = length;
  }

  void view(const Item& item) {
    const auto of = item.json.find("buffer");
    if (of == item.json.end()) fail(item.where, "it has no \"buffer\"");
    const std::uint64_t size = sizeOf(item.where + "/buffer", *of, "buffers", buffers_);
    const std::uint64_t offset = number(item, "byteOffset");
    const std::uint64_t length = number(item, "byteLength", offset < size ? size - offset : 0);
    if (offset > size || length > size - offset)
      fail(item.where, fmt::format("bytes {} to {} of a buffer of {}", offset, offset + length, size));
    if (number(item, "byteStride") > 0xffff) fail(item.where + "/byteStride", "allowed: up to 65535");
    views_[item.key] = length;
    strides_[item.key] = number(item, "byteStride");
  }

  /// Bytes of one element.
  std::uint64_t elementSize(const Item& item) const {
    static const std::map<std::string, std::uint64_t> kNumbers{{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                                                               {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    static const std::map<std::uint64_t, std::uint64_t> kBytes{{5120, 1}, {5121, 1}, {5122, 2},
                                                               {5123, 2}, {5125, 4}, {5126, 4}};
    const auto type = item.json.find("type");
    const auto numbers = kNumbers.find(type != item.json.end() && type->is_string() ? type->get<std::string>() : "");
    if (numbers == kNumbers.end()) fail(item.where + "/type", "allowed: SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3, MAT4");
    const auto bytes = kBytes.find(number(item, "componentType"));
    if (bytes == kBytes.end()) fail(item.where + "/componentType", "allowed: 5120, 5121, 5122, 5123, 5125, 5126");
    return numbers->second * bytes->second;
  }

  /// Whether so many elements fit into a view.
  void checkFits(const std::string& where, const GltfJson& reference, std::uint64_t offset, std::uint64_t stride,
                 std::uint64_t element, std::uint64_t count) const {
    const std::uint64_t size = sizeOf(where + "/bufferView", reference, "bufferViews", views_);
    if (stride == 0) stride = strides_.at(reference.is_string() ? reference.get<std::string>() : reference.dump());
    if (stride == 0) stride = element;
    if (count == 0) return;
    if (offset > size || element > size - offset || (count - 1) > (size - offset - element) / stride)
      fail(where, fmt::format("{} elements of {} bytes, {} apart, from byte {} of a bufferView of {}", count, element,
                              stride, offset, size));
  }

  void accessor(const Item& item) {
    const std::uint64_t count = number(item, "count"), element = elementSize(item);
    const std::uint64_t stride = number(item, "byteStride");  // glTF 1 has it here
    if (stride > 0xffff) fail(item.where + "/byteStride", "allowed: up to 65535");
    const auto view = item.json.find("bufferView");
    if (view != item.json.end()) {
      checkFits(item.where, *view, number(item, "byteOffset"), stride, element, count);
    } else if (count > kMostEmptyElements) {
      fail(item.where + "/count",
           fmt::format("found {} elements without data; allowed: up to {}", count, kMostEmptyElements));
    }
    const auto sparse = item.json.find("sparse");
    if (sparse != item.json.end()) checkSparse(Item{item.where + "/sparse", "", *sparse}, count, element);
    accessors_[item.key] = count;
  }

  void checkSparse(const Item& item, std::uint64_t most, std::uint64_t element) const {
    if (!item.json.is_object()) fail(item.where, "allowed: an object");
    const std::uint64_t count = number(item, "count");
    if (count > most) fail(item.where + "/count", fmt::format("found {}; allowed: up to {}", count, most));
    for (const char* key : {"indices", "values"}) {
      const auto found = item.json.find(key);
      if (found == item.json.end() || !found->is_object() || found->find("bufferView") == found->end())
        fail(item.where, fmt::format("it has no \"{}\" with a \"bufferView\"", key));
      const Item part{fmt::format("{}/{}", item.where, key), "", *found};
      const bool indices = key[0] == 'i';
      const std::uint64_t type = number(part, "componentType");
      if (indices && type != 5121 && type != 5123 && type != 5125)
        fail(part.where + "/componentType", "allowed: 5121, 5123, 5125");
      const std::uint64_t size = !indices ? element : type == 5121 ? 1 : type == 5123 ? 2 : 4;
      checkFits(part.where, found->at("bufferView"), number(part, "byteOffset"), 0, size, count);
    }
  }

  void mesh(const Item& item) {
    std::uint64_t corners = 0;
    const auto primitives = item.json.find("primitives");
    const std::string where = item.where + "/primitives";
    if (primitives != item.json.end() && !primitives->is_array()) fail(where, "allowed: a list of objects");
    if (primitives != item.json.end())
      for (std::size_t p = 0; p < primitives->size(); ++p)
        corners += primitive(Item{fmt::format("{}/{}", where, p), "", (*primitives)[p]});
    all_elements_ += corners;
    if (all_elements_ > kMostCorners)
      fail(item.where,
           fmt::format("the meshes have more than {} corners; that is the most that is allowed", kMostCorners));
    meshes_[item.key] = corners;
  }

  /// What it takes to read one: the elements of all of its lists.
  std::uint64_t primitive(const Item& item) const {
    if (!item.json.is_object()) fail(item.where, "allowed: an object");
    std::uint64_t elements = 0;
    const auto lists = [&](const GltfJson& attributes, const std::string& where) {
      if (!attributes.is_object()) fail(where, "allowed: an object");
      for (const auto& [name, reference] : attributes.items())
        elements += sizeOf(fmt::format("{}/{}", where, name), reference, "accessors", accessors_);
    };
    const auto attributes = item.json.find("attributes");
    if (attributes != item.json.end()) lists(*attributes, item.where + "/attributes");
    const auto indices = item.json.find("indices");
    if (indices != item.json.end()) elements += sizeOf(item.where + "/indices", *indices, "accessors", accessors_);
    const auto targets = item.json.find("targets");
    if (targets != item.json.end() && targets->is_array())
      for (const GltfJson& target : *targets) lists(target, item.where + "/targets");
    return elements;
  }

  void nodes() const {
    PartTree tree(model_.name);
    Sizes numbers;
    each("nodes", [&](const Item& item) {
      std::uint64_t corners = 0;
      const auto one = item.json.find("mesh");
      if (one != item.json.end()) corners += sizeOf(item.where + "/mesh", *one, "meshes", meshes_);
      const auto several = item.json.find("meshes");  // glTF 1
      if (several != item.json.end())
        for (const GltfJson& mesh : *several) corners += sizeOf(item.where + "/meshes", mesh, "meshes", meshes_);
      numbers[item.key] = tree.add(item.where, corners);
    });
    each("nodes", [&](const Item& item) {
      const auto children = item.json.find("children");
      if (children == item.json.end()) return;
      for (const GltfJson& child : *children)
        tree.contains(numbers.at(item.key), sizeOf(item.where + "/children", child, "nodes", numbers));
    });
    // A scene is a part like any other, of those that it names.
    each("scenes", [&](const Item& item) {
      const std::size_t scene = tree.add(item.where, 0);
      const auto roots = item.json.find("nodes");
      if (roots == item.json.end()) return;
      for (const GltfJson& root : *roots) tree.contains(scene, sizeOf(item.where + "/nodes", root, "nodes", numbers));
    });
    tree.check();
  }

  const Model& model_;
  const GltfJson& root_;
  std::optional<std::uint64_t> data_;
  const SizeOfFile& size_of_;
  Sizes buffers_, views_, strides_, accessors_, meshes_;
  std::uint64_t all_elements_ = 0;
};

}  // namespace

void checkGltf(const Model& model, const SizeOfFile& size_of) {
  const Parts parts = model.ending == ".glb" ? takeApart(model) : Parts{model.bytes, std::nullopt};
  const GltfJson root = parse(model, parts.json);
  GltfCheck(model, root, parts.data, size_of).run();
}

}  // namespace throng::import

#include "serve/protocol.h"

#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>

namespace throng::serve {
namespace {

using nlohmann::json;

/// What is wrong with a message, as a sentence for its sender.
struct Wrong {
  std::string what;
};

/// An object's entries, each asked for by name; what nobody asked for is wrong.
class Fields {
 public:
  explicit Fields(const json& object) : object_(object) {}

  const json& at(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end()) throw Wrong{fmt::format("\"{}\" is missing", name)};
    ++read_;
    return *found;
  }
  /// Counts as read when it is.
  bool isNull(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end() || !found->is_null()) return false;
    ++read_;
    return true;
  }
  bool flag(const char* name) {
    const json& value = at(name);
    if (!value.is_boolean()) throw Wrong{fmt::format("\"{}\" is true or false", name)};
    return value.get<bool>();
  }
  std::string text(const char* name, std::size_t longest) {
    const json& value = at(name);
    if (!value.is_string() || value.get_ref<const std::string&>().size() > longest)
      throw Wrong{fmt::format("\"{}\" is a text of at most {} bytes", name, longest)};
    return value.get<std::string>();
  }
  double number(const char* name, double least, double most) {
    const json& value = at(name);
    const double found = value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!(found >= least && found <= most))
      throw Wrong{fmt::format("\"{}\" is a number from {} to {}", name, least, most)};
    return found;
  }
  std::uint32_t whole(const char* name, double least, double most) {
    const double found = number(name, least, most);
    if (found != std::floor(found)) throw Wrong{fmt::format("\"{}\" is a whole number", name)};
    return static_cast<std::uint32_t>(found);
  }
  /// [[x, y], …]
  std::vector<Point> points(const char* name, std::size_t most) {
    const json& list = at(name);
    if (!list.is_array() || list.size() > most)
      throw Wrong{fmt::format("\"{}\" is a list of at most {} places", name, most)};
    std::vector<Point> places;
    for (const json& place : list) {
      if (!place.is_array() || place.size() != 2 || !place[0].is_number() || !place[1].is_number())
        throw Wrong{fmt::format("a place in \"{}\" is [x, y]", name)};
      const Point p{place[0].get<double>(), place[1].get<double>()};
      if (!(std::abs(p.x) <= 1e7 && std::abs(p.y) <= 1e7))
        throw Wrong{fmt::format("a place in \"{}\" is too far", name)};
      places.push_back(p);
    }
    return places;
  }
  void done() const {
    if (object_.size() != read_) throw Wrong{"it has an entry that is not known"};
  }

 private:
  const json& object_;
  std::size_t read_ = 0;
};

constexpr double kMostNumber = std::numeric_limits<std::uint32_t>::max();
constexpr double kLongestRun = 1e9;  // s

FilmRequest filmOf(Fields& fields) {
  FilmRequest film;
  film.from = fields.number("from", 0, kLongestRun);
  film.to = fields.number("to", 0, kLongestRun);
  if (film.to < film.from) throw Wrong{"\"to\" comes before \"from\""};
  film.width = fields.whole("width", 320, 3840);
  film.speed = fields.number("speed", kSlowest, kFastest);
  return film;
}

/// About what is watched, and which.
std::optional<Request> watchingRequestOf(const std::string& type, Fields& fields) {
  if (type == "seek") return SeekRequest{fields.number("time", 0, kLongestRun)};
  if (type == "people") return PeopleRequest{fields.points("area", 16)};
  if (type == "library") return LibraryRequest{};
  if (type == "open") {
    OpenRequest open{fields.whole("entry", 1, kMostNumber), {}};
    if (!fields.isNull("beside")) open.beside = fields.whole("beside", 1, kMostNumber);
    return open;
  }
  if (type == "leave") return LeaveRequest{};
  if (type == "record") return RecordRequest{fields.flag("on")};
  if (type == "film") return filmOf(fields);
  if (type == "report") return ReportRequest{};
  if (type == "copy") return CopyRequest{};
  if (type == "cancel") return CancelRequest{};
  return {};
}

Request requestOf(const std::string& type, Fields& fields) {
  if (type == "hello") {
    const auto version = static_cast<std::int64_t>(fields.number("protocol", 0, 1e6));
    return Hello{version, fields.text("token", 128)};
  }
  if (type == "view") return ViewRequest{fields.points("area", 16)};
  if (type == "ack") return Acknowledge{fields.whole("frame", 0, kMostNumber)};
  if (type == "play") return PlayRequest{fields.flag("playing")};
  if (type == "step") return StepRequest{fields.whole("count", 1, 1000)};
  if (type == "speed") return SpeedRequest{fields.number("factor", kSlowest, kFastest)};
  if (type == "restart") return RestartRequest{};
  if (type == "overlay") return OverlayRequest{fields.text("name", kLongestOverlayName)};
  if (type == "follow") {
    if (fields.isNull("person")) return FollowRequest{};
    return FollowRequest{fields.whole("person", 1, kMostNumber)};
  }
  if (type == "see") {
    if (fields.isNull("person")) return SeeRequest{};
    return SeeRequest{fields.whole("person", 1, kMostNumber)};
  }
  if (auto request = watchingRequestOf(type, fields)) return *request;
  throw Wrong{"its type is not known"};
}

std::variant<Request, std::string> designRequestOf(std::string_view text) {
  auto design = parseDesignMessage(std::string(text));
  if (auto* what = std::get_if<std::string>(&design)) return std::move(*what);
  return Request(std::get<DesignMessage>(std::move(design)));
}

}  // namespace

std::variant<Request, std::string> parseRequest(std::string_view text) {
  if (text.size() > kLongestMessage) {
    if (text.size() > kLongestEdit || !text.starts_with(kEditOpening))
      return fmt::format("a message has at most {} bytes", kLongestMessage);
    return designRequestOf(text);
  }
  const json message = json::parse(text, nullptr, false);
  if (message.is_discarded()) return std::string("the message is not JSON");
  if (!message.is_object()) return std::string("the message is not an object");
  std::string type;
  try {
    Fields fields(message);
    type = fields.text("type", 32);
    if (isDesignMessage(type)) return designRequestOf(text);
    Request request = requestOf(type, fields);
    fields.done();
    return request;
  } catch (const Wrong& wrong) {
    // Only letters: what a stranger wrote is not sent on.
    const bool plain = !type.empty() && type.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos;
    return plain ? fmt::format("{}: {}", type, wrong.what) : wrong.what;
  }
}

std::string noticeMessage(std::string_view severity, std::string_view text) {
  return json{{"type", "notice"}, {"severity", severity}, {"text", text}}.dump(-1, ' ', false,
                                                                               json::error_handler_t::replace);
}

}  // namespace throng::serve

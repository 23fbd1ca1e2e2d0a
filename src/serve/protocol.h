// What browsers may say (docs/studio-protocol.md). The reader is a pure function of the text: a request in full, or a
// sentence that says what is wrong with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "throng/base.h"

#include "serve/edit_message.h"

namespace throng::serve {

inline constexpr int kProtocolVersion = 1;
/// Bytes; a longer message closes its connection.
inline constexpr std::size_t kLongestMessage = 64 * 1024;
/// Of an edit, which may hold a shape of many corners. A long one says what it is before anything else.
inline constexpr std::size_t kLongestEdit = 1024 * 1024;
inline constexpr std::string_view kEditOpening = R"({"type":"edit",)";
inline constexpr std::size_t kLongestOverlayName = 4096;  ///< bytes
inline constexpr double kSlowest = 0.1, kFastest = 100;

/// The first message of a connection.
struct Hello {
  std::int64_t protocol = 0;
  std::string token;
};
/// What the camera sees of the ground: a convex polygon. No corners: everything.
struct ViewRequest {
  std::vector<Point> area;
};
/// The frame has been drawn: there may be another.
struct Acknowledge {
  std::uint32_t frame = 0;
};
struct PlayRequest {
  bool playing = true;
};
/// So many steps, paused before and after.
struct StepRequest {
  std::uint32_t count = 1;
};
struct SpeedRequest {
  double factor = 1;  ///< kSlowest to kFastest: simulated seconds per second
};
/// From the beginning.
struct RestartRequest {};
/// News of one person with every status, or of nobody.
struct FollowRequest {
  std::optional<std::uint32_t> person;
};
/// What one person sees, with every status; nobody: no more of it.
struct SeeRequest {
  std::optional<std::uint32_t> person;
};
/// Shapes to lay over the scene.
struct OverlayRequest {
  std::string name;
};
/// To another moment of a recording.
struct SeekRequest {
  double time = 0;  ///< s
};
/// Who is in an area: a convex polygon.
struct PeopleRequest {
  std::vector<Point> area;
};
/// What can be opened.
struct LibraryRequest {};
/// Shows an entry of the library to everybody, and a second recording beside it.
struct OpenRequest {
  std::uint32_t entry = 0;
  std::optional<std::uint32_t> beside;
};
/// Back to the start page.
struct LeaveRequest {};
/// Begins to record what runs, or ends that.
struct RecordRequest {
  bool on = true;
};
/// A film of what was recorded, from one moment to another (s).
struct FilmRequest {
  double from = 0, to = 0;
  std::uint32_t width = 1280;  ///< pixels
  double speed = 1;            ///< simulated seconds per second of film
};
/// A report of what was recorded.
struct ReportRequest {};
/// The recording itself, as a file.
struct CopyRequest {};
/// Gives up the films and reports that this viewer has asked for.
struct CancelRequest {};
using Request =
    std::variant<Hello, ViewRequest, Acknowledge, PlayRequest, StepRequest, SpeedRequest, RestartRequest, FollowRequest,
                 OverlayRequest, SeekRequest, PeopleRequest, LibraryRequest, OpenRequest, LeaveRequest, RecordRequest,
                 FilmRequest, ReportRequest, CopyRequest, CancelRequest, SeeRequest, DesignMessage>;

/// A request, or what is wrong: never throws for what the text says.
std::variant<Request, std::string> parseRequest(std::string_view text);

/// `{"type":"notice","severity":…,"text":…}`, for a person to read.
std::string noticeMessage(std::string_view severity, std::string_view text);

}  // namespace throng::serve

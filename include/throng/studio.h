// The studio: a running scene that browsers look into (docs/studio.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/frame.h"
#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// A file of the page that the browser shows.
struct StudioFile {
  std::string path;        ///< as the browser asks for it: "/studio.js"; "/" is the page itself
  std::string type;        ///< "text/javascript"
  std::string_view bytes;  ///< that live as long as the studio
};

/// How a studio is reached, what it shows and how it begins.
struct StudioSettings {
  std::string listen = "127.0.0.1";  ///< address; anything but loopback lets other machines in
  std::uint16_t port = 0;            ///< 0: any that is free
  std::vector<std::string> hosts;    ///< names by which browsers may call it, besides loopback's
  std::string file;                  ///< the scene's, to be shown
  std::vector<StudioFile> files;     ///< of the page
  int threads = 0;                   ///< of the simulation; 0: all cores
  bool playing = true;               ///< from the start
  std::vector<std::string> folders;  ///< in which the start page looks for scenes and recordings
  std::string cache;                 ///< folder for what is kept from one start to the next; empty: nothing is
  /// The port (where none is given) and the token of the time before, so that pages that are open find this studio.
  bool keep_address = false;
};

/// Simulates a scene, or plays recordings, and shows that to any number of browsers. The simulation never waits for one
/// of them.
class Studio {
 public:
  /// Takes the port, and answers from then on, with a page on which scenes and recordings can be opened. Throws
  /// InputError when that is not possible.
  explicit Studio(const StudioSettings& settings);
  /// With a scene, which comes from StudioSettings::file.
  Studio(const Scene& scene, const StudioSettings& settings);
  /// With a recording, or two beside one another. Throws InputError and FileError when they cannot be read.
  Studio(const std::vector<std::string>& recordings, const StudioSettings& settings);
  ~Studio();
  Studio(Studio&&) noexcept;
  Studio& operator=(Studio&&) noexcept;

  /// "http://127.0.0.1:8123/#token": whoever knows it may look in.
  std::string address() const;
  /// Goes on until `stop` says so; it is asked at least twenty times a second. Throws InputError when the scene
  /// cannot be simulated.
  void run(const std::function<bool()>& stop);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Frames as the studio sends them to one browser (docs/studio-protocol.md), for programs that send them another way.
class FrameStream {
 public:
  FrameStream();
  ~FrameStream();
  FrameStream(FrameStream&&) noexcept;
  FrameStream& operator=(FrameStream&&) noexcept;

  /// What the camera sees of the ground, a convex polygon of 3 to 16 corners (m); none: everything. Throws InputError
  /// for another one.
  void setView(std::span<const Point> corners);
  /// The bytes of a frame: everybody in view at first, then what has changed since the frame before. `levels` of
  /// simulation by row, as World::levels() has them; empty: all 0.
  std::string next(const Frame& frame, std::span<const std::uint8_t> levels = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
#pragma GCC visibility pop

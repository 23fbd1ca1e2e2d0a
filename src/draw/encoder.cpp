#include "draw/encoder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "throng/base.h"

extern char** environ;

namespace throng::draw {
namespace {

/// File descriptors and signals of the child, freed whatever happens.
struct SpawnPlan {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  SpawnPlan(int input, int words) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, words, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    // In a process group of its own, so that Ctrl-C reaches this program alone, which then stops ffmpeg and cleans up.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
};

std::vector<std::string> arguments(const std::string& path, int width, int height, double rate) {
  return {"ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error", "-y",
          // What comes in: cairo's pixels (native-endian words, blue lowest).
          "-f", "rawvideo", "-pixel_format", "bgr0", "-video_size", fmt::format("{}x{}", width, height), "-framerate",
          fmt::format("{}", rate), "-i", "pipe:0",
          // What goes out. The colour matrix is named on both sides, or players guess another one.
          "-an", "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709",
          "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv", "-c:v", "libx264", "-preset",
          "medium", "-crf", "18", "-movflags", "+faststart", "-f", "mp4", "file:" + path};
}

constexpr const char* kMissing = "films need ffmpeg, which was not found; install it (apt-get install ffmpeg)";

}  // namespace

void requireEncoder() {
  const char* path = std::getenv("PATH");
  if (!path) return;  // the system has one of its own: see when it is started
  std::string_view rest(path);
  for (;;) {
    const std::size_t end = rest.find(':');
    const std::string folder(rest.substr(0, end));
    if (access(((folder.empty() ? "." : folder) + "/ffmpeg").c_str(), X_OK) == 0) return;
    if (end == std::string_view::npos) throw FileError(kMissing);
    rest.remove_prefix(end + 1);
  }
}

Encoder::Encoder(const std::string& path, int width, int height, double rate) : words_(std::tmpfile()) {
  int ends[2];
  if (!words_ || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw FileError(fmt::format("a film cannot be made: {}", std::strerror(errno)));
  input_ = ends[0];
  std::vector<std::string> words = arguments(path, width, height, rate);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const SpawnPlan plan(ends[1], fileno(words_.get()));
  const int error = posix_spawnp(&child_, "ffmpeg", &plan.actions, &plan.attributes, argv.data(), environ);
  close(ends[1]);
  if (error == 0) return;
  child_ = -1;
  closeInput();
  if (error == ENOENT) throw FileError(kMissing);
  throw FileError(fmt::format("ffmpeg cannot be started: {}", std::strerror(error)));
}

Encoder::~Encoder() {
  closeInput();
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  wait();
}

void Encoder::closeInput() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

int Encoder::wait() {
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return status;
}

void Encoder::fail() {
  closeInput();
  if (child_ >= 0) wait();
  std::string said(2000, '\0');
  std::rewind(words_.get());
  said.resize(std::fread(said.data(), 1, said.size(), words_.get()));
  while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
  throw FileError(said.empty() ? std::string("ffmpeg failed") : "ffmpeg failed: " + said);
}

void Encoder::write(const unsigned char* pixels, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t n = send(input_, pixels, bytes, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail();
    pixels += n;
    bytes -= static_cast<std::size_t>(n);
  }
}

void Encoder::finish() {
  closeInput();
  const int status = wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail();
}

}  // namespace throng::draw

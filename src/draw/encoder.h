// Films by ffmpeg: a child process that reads raw pictures.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <sys/types.h>

namespace throng::draw {

/// Throws FileError when there is no ffmpeg: before anything that takes long is begun.
void requireEncoder();

/// H.264 in MP4, 4:2:0, ready to be played while it loads. Unless finish() was called, destruction ends ffmpeg at once.
class Encoder {
 public:
  /// Width and height even. Throws FileError when there is no ffmpeg.
  Encoder(const std::string& path, int width, int height, double rate);
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  /// One picture, as ImageCanvas::pixels gives it. Throws FileError with ffmpeg's words when it has ended.
  void write(const unsigned char* pixels, std::size_t bytes);
  /// Waits until the film is complete. Throws FileError.
  void finish();

 private:
  struct CloseFile {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  void closeInput();
  int wait();
  [[noreturn]] void fail();

  pid_t child_ = -1;
  int input_ = -1;                               ///< a socket, to be told of a broken pipe without a signal
  std::unique_ptr<std::FILE, CloseFile> words_;  ///< what ffmpeg has to say
};

}  // namespace throng::draw

#include "draw/film.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>

#include "draw/encoder.h"
#include "synthetic.h"

namespace throng::draw {
namespace {

using ::testing::HasSubstr;

class Films : public Folder {
 protected:
  static bool has(const std::string& program) {
    return std::system((program + " -version > /dev/null 2>&1").c_str()) == 0;
  }
  static std::string output(const std::string& command) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::array<char, 256> buffer{};
    std::string text;
    while (std::fgets(buffer.data(), buffer.size(), pipe.get())) text += buffer.data();
    return text;
  }
};

#define SKIP_WITHOUT(program) \
  if (!has(program)) GTEST_SKIP() << program << " is not installed"

TEST_F(Films, AFilmHasThePicturesItShould) {
  SKIP_WITHOUT("ffmpeg");
  SKIP_WITHOUT("ffprobe");
  MemoryFrames source = oneWalker(2);
  double last = 0;
  drawFilmOf(roomScene(), source, path("a.mp4"), {.width = 321, .film_rate = 20, .film_speed = 2}, [&](double share) {
    EXPECT_GT(share, last);
    last = share;
    return true;
  });
  EXPECT_DOUBLE_EQ(last, 1);
  EXPECT_EQ(fileCount(), 1u);
  const std::string found = output(
      "ffprobe -v error -select_streams v -show_entries stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_frames "
      "-of default=nw=1 " +
      path("a.mp4"));
  std::printf("%s", found.c_str());
  EXPECT_THAT(found, HasSubstr("codec_name=h264"));
  EXPECT_THAT(found, HasSubstr("pix_fmt=yuv420p"));
  EXPECT_THAT(found, HasSubstr("width=322"));
  EXPECT_THAT(found, HasSubstr("r_frame_rate=20/1"));
  EXPECT_THAT(found, HasSubstr("nb_frames=21"));  // 0 to 2 s in steps of 0.1 s
}

TEST_F(Films, AStoppedFilmLeavesNothing) {
  SKIP_WITHOUT("ffmpeg");
  MemoryFrames source = oneWalker(2);
  int pictures = 0;
  drawFilmOf(roomScene(), source, path("a.mp4"), {.width = 320}, [&](double) { return ++pictures < 3; });
  EXPECT_EQ(pictures, 3);
  EXPECT_EQ(fileCount(), 0u);
}

TEST_F(Films, WithoutFfmpegItSaysWhatToInstall) {
  const std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
  setenv("PATH", folder_.c_str(), 1);
  MemoryFrames source = oneWalker(1);
  const std::string words =
      thrown<FileError>([&] { drawFilmOf(roomScene(), source, path("a.mp4"), {.width = 320}, {}); });
  setenv("PATH", before.c_str(), 1);
  EXPECT_THAT(words, HasSubstr("apt-get install ffmpeg"));
  EXPECT_EQ(fileCount(), 0u);
}

TEST_F(Films, AnEncoderThatFailsIsAnErrorNotASignal) {
  SKIP_WITHOUT("ffmpeg");
  // No such folder: ffmpeg ends before it has read everything.
  const std::vector<unsigned char> pixels(4 * 640 * 480);
  const std::string words = thrown<FileError>([&] {
    Encoder encoder(path("no/such/folder/a.mp4"), 640, 480, 25);
    for (int i = 0; i < 200; ++i) encoder.write(pixels.data(), pixels.size());
    encoder.finish();
  });
  EXPECT_THAT(words, HasSubstr("No such file"));
}

TEST_F(Films, NamesAndColoursAreChecked) {
  MemoryFrames source = oneWalker(1);
  const auto draw = [&](const char* name, const DrawSettings& settings) {
    drawFilmOf(roomScene(), source, path(name), settings, {});
  };
  EXPECT_THAT(thrown<InputError>([&] { draw("a.avi", {}); }), HasSubstr(".mp4"));
  EXPECT_THAT(thrown<InputError>([&] { draw("a.mp4", {.colour_by = ColourBy::kTime}); }), HasSubstr("population"));
  EXPECT_THAT(thrown<InputError>([&] { draw("a.mp4", {.film_rate = 0}); }), HasSubstr("240"));
  EXPECT_THAT(thrown<InputError>([&] { draw("a.mp4", {.from = 5}); }), HasSubstr("from 0 s to 1 s"));
  std::ofstream(path("b.mp4")) << "mine";
  EXPECT_THAT(thrown<FileError>([&] { draw("b.mp4", {}); }), HasSubstr("exists already"));
  EXPECT_EQ(bytes(path("b.mp4")), "mine");
}

}  // namespace
}  // namespace throng::draw

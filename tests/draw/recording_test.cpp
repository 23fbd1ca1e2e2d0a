// From a file on disk to a picture, through the public functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "throng/draw.h"

#include "synthetic.h"

namespace throng::draw {
namespace {

using ::testing::HasSubstr;

/// Complete, as a scene must be to come back from a file.
Scene wholeScene() {
  Scene scene = roomScene();
  scene.profiles.emplace_back();
  scene.populations[0].count = 1;
  scene.populations[0].start.shape = StartPoints{{{1, 2}}};
  scene.populations[0].goals = {{GoalPoint{{9, 2}}}};
  scene.run.duration = 3;
  return scene;
}

class DrawnRecordings : public Folder {
 protected:
  void record(const std::string& name) {
    Recorder recorder(path(name), wholeScene());
    MemoryFrames source = oneWalker(3);
    for (const FrameCopy& frame : source.frames()) recorder.record(frame.view());
    recorder.close();
  }
};

TEST_F(DrawnRecordings, EveryKindOfPicture) {
  record("run.sqlite");
  Recording recording(path("run.sqlite"));
  for (const PictureKind kind :
       {PictureKind::kMoment, PictureKind::kTrajectories, PictureKind::kDensity, PictureKind::kSpeed}) {
    drawRecording(recording, path("a.svg"), {.kind = kind, .overwrite = true});
    const std::string svg = bytes(path("a.svg"));
    EXPECT_NE(svg.find("1 person"), std::string::npos);
    EXPECT_NE(svg.find(">room</text>"), std::string::npos);
  }
  EXPECT_THAT(
      thrown<InputError>([&] { drawRecording(recording, path("b.svg"), {.kind = PictureKind::kMoment, .time = 60}); }),
      HasSubstr("to 3 s"));
}

TEST_F(DrawnRecordings, AFileOfTrajectoriesAlone) {
  record("run.txt");
  Recording recording(path("run.txt"));
  drawRecording(recording, path("a.svg"));
  EXPECT_NE(bytes(path("a.svg")).find("1 person"), std::string::npos);
}

}  // namespace
}  // namespace throng::draw

#include "throng/files.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "throng/base.h"

#include "base/output_target.h"

namespace throng {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  Files() {
    std::string name = testing::TempDir() + "/throng-files-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~Files() override { fs::remove_all(folder_); }

  std::string operator/(const std::string& name) const { return (folder_ / name).string(); }
  static std::string bytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}));
  }

  fs::path folder_;
};

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

/// No file may grow beyond a few bytes: as a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit little{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &little);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

TEST_F(Files, WhatLeadsOutOfAFolderIsNotInIt) {
  const fs::path here = folder_ / "here";
  fs::create_directories(here / "below");
  fs::create_directory(folder_ / "here too");  // whose name begins as that of the folder
  for (const char* file : {"here/a", "here/below/b", "here too/c", "d"}) std::ofstream(folder_ / file) << "x";
  fs::create_symlink("below/b", here / "within");
  fs::create_symlink(folder_ / "d", here / "out");
  fs::create_symlink("out", here / "out of out");
  fs::create_symlink(folder_ / "here too", here / "way");
  fs::create_symlink(folder_ / "nothing", here / "dangling");
  fs::create_symlink("loop", here / "loop");
  fs::create_symlink(here, folder_ / "door");
  for (const fs::path& root : {here, folder_ / "door", fs::relative(here)}) {
    for (const auto& [name, where] : std::map<std::string, std::string>{
             {"a", "a"}, {"below/b", "below/b"}, {"below/../a", "a"}, {"within", "below/b"}, {"not/yet", "not/yet"}})
      EXPECT_EQ(base::inFolder(root.string(), (root / name).string()), (fs::canonical(here) / where).string())
          << root << name;
    for (const char* name : {"../d", "../here too/c", "out", "out of out", "way/c", "way/not yet", "dangling", "loop"})
      EXPECT_EQ(base::inFolder(root.string(), (root / name).string()), std::nullopt) << root << name;
  }
}

TEST_F(Files, AreWholeOrAsTheyWere) {
  const std::string path = *this / "file.bin";
  const std::string large(100'000, 'x');
  writeFile(path, large, false);
  EXPECT_EQ(readFile(path), large);
  EXPECT_THAT(refusal([&] { writeFile(path, "other", false); }), HasSubstr("file.bin exists already"));
  EXPECT_THROW(writeFile(path, "other", false), FileExistsError);
  EXPECT_EQ(bytesOf(path), large);
  writeFile(path, "other", true);
  EXPECT_EQ(bytesOf(path), "other");
  for (const bool there : {true, false}) {
    const std::string name = there ? path : *this / "new.bin";
    const FullDisk full(1000);
    EXPECT_THAT(refusal([&] { writeFile(name, large, true); }), HasSubstr("cannot be written: File too large"));
    EXPECT_EQ(fs::exists(name), there);
    EXPECT_EQ(entries(), 1u);
  }
  EXPECT_EQ(bytesOf(path), "other");
  {
    WholeFile left(path, true);
    left.write("never kept");
    EXPECT_EQ(entries(), 2u);
  }
  EXPECT_EQ(bytesOf(path), "other");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, DoNotReplaceWhatHasComeMeanwhile) {
  const std::string path = *this / "file";
  WholeFile file(path, false);
  file.write("ours");
  std::ofstream(path) << "theirs";
  EXPECT_THAT(refusal([&] { file.keep(); }), HasSubstr("exists already"));
  EXPECT_EQ(bytesOf(path), "theirs");
}

TEST_F(Files, KeepTheLinkAndTheRightsOfWhatTheyReplace) {
  const std::string path = *this / "file", link = *this / "link";
  writeFile(path, "old", false);
  ::chmod(path.c_str(), 0640);
  fs::create_symlink("file", link);
  writeFile(link, "new", true);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(bytesOf(path), "new");
  struct stat status;
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0640u);
}

TEST_F(Files, SayInPlainWordsWhyTheyCannotBeWritten) {
  std::ofstream(*this / "plain") << "x";
  fs::create_directory(*this / "folder");
  fs::create_symlink("nothing", *this / "dangling");
  const std::vector<std::pair<std::string, std::string>> cases{
      {*this / "folder", "it is a folder"},
      {*this / "folder/", "it is a folder"},
      {*this / "missing/", "there is no folder"},
      {*this / "missing/file", "there is no folder"},
      {*this / "plain/file", "plain is a file, not a folder"},
      {*this / "dangling", "a link to something that is not there"},
      {*this / "dangling/file", "a link to something that is not there"},
      {*this / std::string(300, 'n'), "File name too long"},
      {"", "without a name"},
      {"/proc/nobody", "cannot be written"},
      {std::string("zero\0byte", 9), "zero byte"}};
  const std::size_t before = entries();
  for (const auto& each : cases) {
    const std::string &path = each.first, &reason = each.second;
    EXPECT_THAT(refusal([&] { checkOutput(path, false); }), HasSubstr(reason)) << path;
    EXPECT_THAT(refusal([&] { checkOutput(path, true); }), HasSubstr(reason)) << path;
    EXPECT_THAT(refusal([&] { writeFile(path, "x", true); }), HasSubstr(reason)) << path;
  }
  EXPECT_THAT(refusal([&] { checkOutput(*this / "plain", false); }), HasSubstr("exists already"));
  EXPECT_EQ(refusal([&] { checkOutput(*this / "plain", true); }), "");
  EXPECT_EQ(refusal([&] { checkOutput(*this / std::string(240, 'n'), false); }), "");
  EXPECT_EQ(entries(), before) << "checking leaves nothing";
  EXPECT_EQ(bytesOf(*this / "plain"), "x");
}

TEST_F(Files, SayInPlainWordsWhyTheyCannotBeRead) {
  EXPECT_THAT(refusal([&] { readFile(*this / "none"); }), HasSubstr("there is no such file"));
  EXPECT_THAT(refusal([&] { readFile(folder_.string()); }), HasSubstr("it is a folder"));
  EXPECT_THAT(refusal([&] { readFile("/dev/zero"); }), HasSubstr("it is a device"));
  writeFile(*this / "empty", "", false);
  EXPECT_EQ(readFile(*this / "empty"), "");
}

TEST_F(Files, FoldersAreMadeOrTheReasonIsGiven) {
  makeFolder(*this / "a/b/c");
  makeFolder(*this / "a/b/c");
  EXPECT_TRUE(fs::is_directory(*this / "a/b/c"));
  std::ofstream(*this / "plain") << "x";
  fs::create_symlink("nothing", *this / "dangling");
  EXPECT_THAT(refusal([&] { makeFolder(*this / "plain"); }), HasSubstr("is a file, not a folder"));
  EXPECT_THAT(refusal([&] { makeFolder(*this / "plain/below"); }), HasSubstr("is a file, not a folder"));
  EXPECT_THAT(refusal([&] { makeFolder(*this / "dangling"); }), HasSubstr("a link to something that is not there"));
  EXPECT_THAT(refusal([&] { makeFolder("/proc/nothing"); }), HasSubstr("cannot be made"));
}

TEST_F(Files, AreTheSameByWhateverNames) {
  writeFile(*this / "file", "x", false);
  fs::create_symlink("file", *this / "link");
  fs::create_directory(*this / "sub");
  EXPECT_TRUE(sameFile(*this / "file", *this / "link"));
  EXPECT_TRUE(sameFile(*this / "file", *this / "sub/../file"));
  EXPECT_TRUE(sameFile(*this / "not-yet", *this / "sub/.././not-yet"));
  EXPECT_FALSE(sameFile(*this / "not-yet", *this / "sub/not-yet"));
  EXPECT_FALSE(sameFile(*this / "file", *this / "not-yet"));
}

TEST_F(Files, DevicesAreWrittenToAsTheyAre) {
  writeFile("/dev/null", "x", true);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  if (!fs::exists("/dev/full")) return;
  EXPECT_THAT(refusal([] { writeFile("/dev/full", "x", true); }), HasSubstr("No space left on device"));
}

}  // namespace
}  // namespace throng

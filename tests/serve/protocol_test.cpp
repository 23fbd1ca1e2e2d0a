// The reader of what browsers say: a request in full, or a sentence.
#include "serve/protocol.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <string>
#include <variant>

namespace throng::serve {
namespace {

template <class T>
T read(const std::string& text) {
  const auto parsed = parseRequest(text);
  const auto* request = std::get_if<Request>(&parsed);
  if (request == nullptr || !std::holds_alternative<T>(*request)) {
    ADD_FAILURE() << text;
    return {};
  }
  return std::get<T>(*request);
}

std::string wrong(const std::string& text) {
  const auto parsed = parseRequest(text);
  const auto* what = std::get_if<std::string>(&parsed);
  return what != nullptr ? *what : "";
}

TEST(Protocol, ReadsEveryRequest) {
  EXPECT_EQ(read<Hello>(R"({"type":"hello","protocol":1,"token":"ab"})").token, "ab");
  EXPECT_EQ(read<ViewRequest>(R"({"type":"view","area":[[0,1],[2.5,3],[4,-5]]})").area[1].x, 2.5);
  EXPECT_TRUE(read<ViewRequest>(R"({"type":"view","area":[]})").area.empty());
  EXPECT_EQ(read<Acknowledge>(R"({"frame":7,"type":"ack"})").frame, 7U);
  EXPECT_FALSE(read<PlayRequest>(R"({"type":"play","playing":false})").playing);
  EXPECT_EQ(read<StepRequest>(R"({"type":"step","count":10})").count, 10U);
  EXPECT_EQ(read<SpeedRequest>(R"({"type":"speed","factor":0.1})").factor, 0.1);
  read<RestartRequest>(R"({"type":"restart"})");
  EXPECT_EQ(read<FollowRequest>(R"({"type":"follow","person":12})").person, 12U);
  EXPECT_FALSE(read<FollowRequest>(R"({"type":"follow","person":null})").person);
  EXPECT_EQ(read<SeeRequest>(R"({"type":"see","person":7})").person, 7U);
  EXPECT_FALSE(read<SeeRequest>(R"({"type":"see","person":null})").person);
  EXPECT_EQ(read<OverlayRequest>(R"({"type":"overlay","name":"flows"})").name, "flows");
  EXPECT_EQ(read<SeekRequest>(R"({"type":"seek","time":12.5})").time, 12.5);
  EXPECT_EQ(read<PeopleRequest>(R"({"type":"people","area":[[0,0],[4,0],[4,4]]})").area.size(), 3U);
  read<LibraryRequest>(R"({"type":"library"})");
  EXPECT_EQ(read<OpenRequest>(R"({"type":"open","entry":2,"beside":null})").entry, 2U);
  EXPECT_EQ(read<OpenRequest>(R"({"type":"open","entry":2,"beside":3})").beside, 3U);
  read<LeaveRequest>(R"({"type":"leave"})");
  EXPECT_FALSE(read<RecordRequest>(R"({"type":"record","on":false})").on);
  EXPECT_EQ(read<FilmRequest>(R"({"type":"film","from":1,"to":4,"width":640,"speed":2})").width, 640U);
  read<ReportRequest>(R"({"type":"report"})");
  read<CopyRequest>(R"({"type":"copy"})");
  read<CancelRequest>(R"({"type":"cancel"})");
}

TEST(Protocol, SaysWhatIsWrong) {
  EXPECT_EQ(wrong("nonsense"), "the message is not JSON");
  EXPECT_EQ(wrong("[1]"), "the message is not an object");
  EXPECT_EQ(wrong("{}"), "\"type\" is missing");
  EXPECT_EQ(wrong(R"({"type":"fly"})"), "fly: its type is not known");
  EXPECT_EQ(wrong(R"({"type":"<b>"})"), "its type is not known");  // what a stranger wrote is not repeated
  EXPECT_EQ(wrong(R"({"type":"play"})"), "play: \"playing\" is missing");
  EXPECT_EQ(wrong(R"({"type":"restart","now":1})"), "restart: it has an entry that is not known");
  EXPECT_EQ(wrong(R"({"type":"speed","factor":101})"), "speed: \"factor\" is a number from 0.1 to 100");
  EXPECT_EQ(wrong(R"({"type":"step","count":1.5})"), "step: \"count\" is a whole number");
  EXPECT_NE(wrong(R"({"type":"step","count":-1})"), "");
  EXPECT_NE(wrong(R"({"type":"follow","person":0})"), "");
  EXPECT_NE(wrong(R"({"type":"follow","person":1e300})"), "");
  EXPECT_NE(wrong(R"({"type":"see","person":-1})"), "");
  EXPECT_EQ(wrong(R"({"type":"see"})"), "see: \"person\" is missing");
  EXPECT_NE(wrong(R"({"type":"view","area":[[1e300,0],[1,1],[0,1]]})"), "");
  EXPECT_NE(wrong(R"({"type":"view","area":[[1],[1,1],[0,1]]})"), "");
  EXPECT_NE(wrong(R"({"type":"seek","time":-1})"), "");
  EXPECT_NE(wrong(R"({"type":"open","entry":0,"beside":null})"), "");
  EXPECT_NE(wrong(R"({"type":"open","entry":1})"), "");
  EXPECT_NE(wrong(R"({"type":"open","entry":"/etc/passwd","beside":null})"), "");
  EXPECT_EQ(wrong(R"({"type":"film","from":4,"to":1,"width":640,"speed":2})"), "film: \"to\" comes before \"from\"");
  EXPECT_NE(wrong(R"({"type":"film","from":0,"to":1,"width":100000,"speed":2})"), "");
  EXPECT_NE(wrong(std::string(kLongestMessage + 1, ' ')), "");
  EXPECT_NE(wrong(std::string(kLongestMessage, '[')), "");
}

TEST(Protocol, OnlyEditsAreLong) {
  const auto edit = [](std::size_t size) {
    std::string text = R"({"type":"edit","label":"move","steps":[{"op":"set","at":"/name","value":")";
    const std::string end = R"("}]})";
    return text + std::string(size - text.size() - end.size(), 'x') + end;
  };
  for (const std::size_t size : {kLongestMessage, kLongestMessage + 1, kLongestEdit}) {
    const auto parsed = parseRequest(edit(size));
    const auto* request = std::get_if<Request>(&parsed);
    ASSERT_NE(request, nullptr) << size << ": " << std::get<std::string>(parsed);
    EXPECT_TRUE(std::holds_alternative<DesignMessage>(*request));
  }
  EXPECT_NE(wrong(edit(kLongestEdit + 1)), "");
  EXPECT_NE(wrong(" " + edit(kLongestMessage)), "");
  EXPECT_NE(wrong(R"({"type":"edit",)" + std::string(kLongestEdit - 20, '[')), "");
  EXPECT_NE(wrong(R"({"type":"play","playing":true)" + std::string(kLongestMessage, ' ') + "}"), "");
}

TEST(Protocol, NamesOfDoorsAndOverlaysAreAsLongAsPeopleMakeThem) {
  std::string name;
  while (name.size() < 1000) name += "\u3042\u0434\u05d0\U0001f6aa";
  for (const std::string& text : {R"({"type":"door","open":true,"name":")" + name + "\"}",
                                  R"({"type":"overlay","name":"potential: )" + name + "\"}"})
    EXPECT_TRUE(std::holds_alternative<Request>(parseRequest(text))) << text;
}

TEST(Protocol, NothingThatAnybodyWritesDoesHarm) {
  std::mt19937 random(4);
  const std::string good = R"({"type":"view","area":[[0,1],[2.5,3],[4,-5]],"frame":7,"playing":true,"token":"a"})";
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good.substr(0, random() % good.size());
    for (unsigned k = 0; k < random() % 5 && !text.empty(); ++k)
      text[random() % text.size()] = static_cast<char>(random());
    parseRequest(text);
  }
}

/// What the fuzzer starts from and has found.
TEST(Protocol, ReadsTheFuzzersCorpus) {
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(THRONG_SOURCE_DIR "/fuzz/corpus/studio")) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    parseRequest(text.str());
    ++read;
  }
  EXPECT_GT(read, 5);
}

}  // namespace
}  // namespace throng::serve

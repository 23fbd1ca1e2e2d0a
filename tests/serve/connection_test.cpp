// One browser without its socket: who is let in, what a slow one gets, and when it is shown the door.
#include "serve/connection.h"

#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace throng::serve {
namespace {

const std::string kToken = "0123456789abcdef0123456789abcdef";
const std::string kHello = R"({"type":"hello","protocol":1,"token":")" + kToken + "\"}";

std::shared_ptr<const PublishedFrame> frameAt(double time, std::uint32_t people = 3) {
  auto frame = std::make_shared<PublishedFrame>();
  frame->time = time;
  for (std::uint32_t i = 1; i <= people; ++i) {
    Walker w;
    w.id = i;
    w.x = i * 50'000;
    frame->walkers.push_back(w);
  }
  return frame;
}

/// A connection and the time on its wall.
struct Wired {
  Connection connection{kToken};
  Clock::time_point now{std::chrono::hours(1)};
  std::optional<Request> request;

  std::optional<Closing> say(const std::string& text) {
    now += std::chrono::milliseconds(50);
    return connection.received(text, true, now, request);
  }
};

TEST(Connection, LetsInWhoKnowsTheToken) {
  for (const std::string& wrong : {std::string(R"({"type":"play","playing":true})"), std::string("{}"),
                                   std::string("rubbish"), std::string(R"({"type":"hello","protocol":1,"token":""})"),
                                   R"({"type":"hello","protocol":1,"token":")" + kToken + "0\"}",
                                   R"({"type":"hello","protocol":1,"token":")" + kToken.substr(1) + "\"}"}) {
    Wired wired;
    const auto closing = wired.say(wrong);
    ASSERT_TRUE(closing) << wrong;
    EXPECT_EQ(closing->code, Closing::kNotAllowed);
    EXPECT_EQ(closing->reason, "the token is not that of this studio");  // and nothing about what is wrong
    EXPECT_FALSE(wired.connection.welcome());
    wired.connection.offer(frameAt(1));
    EXPECT_FALSE(wired.connection.next());
  }
  Wired wired;
  EXPECT_FALSE(wired.say(kHello));
  EXPECT_TRUE(wired.connection.welcome());
  EXPECT_TRUE(wired.say(kHello));  // once
}

TEST(Connection, AnotherVersionIsToldSo) {
  Wired wired;
  const auto closing = wired.say(R"({"type":"hello","protocol":2,"token":")" + kToken + "\"}");
  ASSERT_TRUE(closing);
  EXPECT_EQ(closing->reason, "another version of the protocol");
}

TEST(Connection, WhoDoesNotAcknowledgeGetsTheLatestFrameLater) {
  Wired wired;
  wired.say(kHello);
  DecodedFrame seen;
  int sent = 0;
  for (int i = 1; i <= 10; ++i) {
    wired.connection.offer(frameAt(i));
    while (const auto message = wired.connection.next()) {
      const auto frame = decodeFrame(*message->bytes, seen);
      ASSERT_TRUE(frame);
      seen = *frame;
      ++sent;
    }
  }
  EXPECT_EQ(sent, int(Connection::kUnacknowledged));
  EXPECT_EQ(seen.head.time, 2);
  EXPECT_FALSE(wired.say(R"({"type":"ack","frame":2})"));
  const auto message = wired.connection.next();
  ASSERT_TRUE(message);
  const auto frame = decodeFrame(*message->bytes, seen);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->head.time, 10);  // those between were overwritten
  EXPECT_FALSE(wired.connection.next());
  EXPECT_TRUE(wired.say(R"({"type":"ack","frame":99})"));  // never sent
}

TEST(Connection, AnotherViewOfTheSameMomentIsSentAgain) {
  Wired wired;
  wired.say(kHello);
  wired.connection.offer(frameAt(1));
  const auto all = decodeFrame(*wired.connection.next()->bytes, {});
  EXPECT_EQ(all->walkers.size(), 3U);
  EXPECT_FALSE(wired.say(R"({"type":"view","area":[[180,-10],[220,-10],[220,10],[180,10]]})"));
  const auto message = wired.connection.next();
  ASSERT_TRUE(message);
  const auto some = decodeFrame(*message->bytes, *all);
  ASSERT_TRUE(some);
  ASSERT_EQ(some->walkers.size(), 1U);
  EXPECT_EQ(some->walkers[0].id, 2U);
  EXPECT_EQ(some->head.people, 3U);
}

TEST(Connection, ClosesOnWhatItDoesNotUnderstand) {
  for (const char* wrong :
       {"[]", "{", R"({"type":"jump"})", R"({"type":"play"})", R"({"type":"play","playing":1})",
        R"({"type":"speed","factor":1000})", R"({"type":"view","area":[[0,0],[4,0],[1,1],[0,4]]})"}) {
    Wired wired;
    wired.say(kHello);
    const auto closing = wired.say(wrong);
    ASSERT_TRUE(closing) << wrong;
    EXPECT_EQ(closing->code, Closing::kNotUnderstood);
    EXPECT_FALSE(closing->reason.empty());
  }
  Wired wired;
  wired.say(kHello);
  EXPECT_TRUE(wired.connection.received("x", false, wired.now, wired.request));  // bytes
}

TEST(Connection, ClosesOnAFloodAndOnWhoDoesNotRead) {
  Wired wired;
  wired.say(kHello);
  int taken = 0;
  while (taken < 10'000 && !wired.connection.received(R"({"type":"restart"})", true, wired.now, wired.request)) ++taken;
  EXPECT_GT(taken, 100);
  EXPECT_LT(taken, 1000);
  Wired slow;
  slow.say(kHello);
  const Message message{std::make_shared<const std::string>(1000, 'x'), true};
  std::size_t queued = 0;
  while (queued < 100'000 && slow.connection.queue(message)) ++queued;
  EXPECT_EQ(queued, Connection::kMostWaiting);
}

TEST(Connection, BytesAreCountedLikeMessages) {
  Wired wired;
  wired.say(kHello);
  std::string edit = R"({"type":"edit","label":"x","steps":[{"op":"set","at":"/name","value":")";
  edit += std::string(kLongestEdit - 100, 'x') + R"("}]})";
  std::optional<Closing> closing;
  int taken = 0;
  while (!closing && taken < 100) closing = wired.say(edit), ++taken;
  ASSERT_TRUE(closing);
  EXPECT_EQ(closing->reason, "too many messages");
  EXPECT_GT(taken, 6);   // some at once
  EXPECT_LT(taken, 20);  // 4 MiB a second, 20 of them in one
}

TEST(Guard, HostsAndOriginsAreExact) {
  const AllowedHosts allowed(8123, {"192.168.1.7", "my-desk", "::5"});
  for (const char* good :
       {"127.0.0.1:8123", "localhost:8123", "[::1]:8123", "192.168.1.7:8123", "my-desk:8123", "[::5]:8123"}) {
    EXPECT_TRUE(allowed.host(good)) << good;
    EXPECT_TRUE(allowed.origin(std::string("http://") + good)) << good;
  }
  for (const char* bad : {"", "127.0.0.1", "127.0.0.1:8124", "evil.example:8123", "127.0.0.1:8123.evil.example",
                          "localhost:81230", "LOCALHOST:8123", "x127.0.0.1:8123", "127.0.0.1:8123 "}) {
    EXPECT_FALSE(allowed.host(bad)) << bad;
    EXPECT_FALSE(allowed.origin(std::string("http://") + bad)) << bad;
  }
  for (const char* bad : {"null", "https://127.0.0.1:8123", "127.0.0.1:8123", "http://127.0.0.1:8123/"})
    EXPECT_FALSE(allowed.origin(bad)) << bad;
}

TEST(Guard, TokensDiffer) {
  const std::string a = makeToken(), b = makeToken();
  EXPECT_EQ(a.size(), 32U);
  EXPECT_NE(a, b);
  EXPECT_TRUE(sameToken(a, a));
  EXPECT_FALSE(sameToken(b, a));
  EXPECT_FALSE(sameToken("", a));
  EXPECT_FALSE(sameToken(a + a, a));
  EXPECT_FALSE(sameToken("", ""));
}

}  // namespace
}  // namespace throng::serve

#include <gtest/gtest.h>

#include "throng/base.h"

namespace throng {
namespace {

TEST(Diagnostic, SaysWhereWhatAndHowBad) {
  Diagnostic d{.message = "found -1; allowed is 0 or more"};
  EXPECT_EQ(d.text(), "error: found -1; allowed is 0 or more");
  d.severity = Diagnostic::Severity::kWarning;
  EXPECT_EQ(d.text(), "warning: found -1; allowed is 0 or more");
  d.pointer = "/populations/0/rate";
  EXPECT_EQ(d.text(), "/populations/0/rate: warning: found -1; allowed is 0 or more");
  d.file = "scene.json";
  EXPECT_EQ(d.text(), "scene.json:/populations/0/rate: warning: found -1; allowed is 0 or more");
  d.at = Point{3, 4.25};
  EXPECT_EQ(d.text(), "scene.json:/populations/0/rate at (3, 4.25): warning: found -1; allowed is 0 or more");
}

TEST(Diagnostic, ShowsTheCoordinateAloneAndTheLine) {
  Diagnostic d{.message = "m"};
  d.at = Point{-0.5, 1e6};
  EXPECT_EQ(d.text(), "at (-0.5, 1e+06): error: m");
  d.at.reset();
  d.file = "a.json";
  d.line = 7;
  d.column = 3;
  EXPECT_EQ(d.text(), "a.json:7:3: error: m");
}

TEST(InputError, CarriesEveryFindingAndReadsAsAllOfThem) {
  const InputError error({Diagnostic{.file = "a", .message = "one"},
                          Diagnostic{.severity = Diagnostic::Severity::kWarning, .file = "b", .message = "two"}});
  EXPECT_STREQ(error.what(), "a: error: one\nb: warning: two");
  ASSERT_EQ(error.diagnostics().size(), 2u);
  EXPECT_EQ(error.diagnostics()[1].message, "two");
}

TEST(InputError, IsMadeFromOneSentenceToo) {
  const InputError error("nobody is there");
  EXPECT_STREQ(error.what(), "error: nobody is there");
  ASSERT_EQ(error.diagnostics().size(), 1u);
  EXPECT_EQ(error.diagnostics()[0].severity, Diagnostic::Severity::kError);
}

TEST(Errors, AreAllCaughtAsError) {
  EXPECT_THROW(throw InputError("x"), Error);
  EXPECT_THROW(throw FileError("x"), Error);
  EXPECT_THROW(throw FileError("x"), std::runtime_error);
}

}  // namespace
}  // namespace throng

// The part of a step in which nobody hurries to a queue.
#pragma once

#include "planning/congestion.h"
#include "planning/metering.h"
#include "step/system.h"

namespace throng::planning {

/// By how much slower than they could somebody walks so as not to come too early, as a share of their speed; where
/// anybody does.
inline constexpr std::string_view kSlack = "pace.slack";

/// Whoever would come to a narrow place before it has let through those who are nearer walks there more slowly, but no
/// slower than one strolls, instead of waiting before it: speed harmonisation, as on motorways before a bottleneck.
/// Close to it they queue as ever. Whom to wait for is known from the ways that people have chosen (Congestion).
class Pace final : public step::System {
 public:
  Pace(const Scene& scene, const Congestion& congestion);
  std::string_view name() const override { return "pace"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;
  std::size_t memory() const override;

 private:
  struct Saved {
    std::vector<float> shares;
    double next_count = 0;

    template <class Archive>
    void fields(Archive& f) {
      f.list(shares, base::kFields);
      f(next_count);
    }
  };
  void count(step::StepContext& context);
  float slackOf(const step::StepContext& context, std::uint32_t row) const;

  const Congestion& congestion_;
  std::vector<std::uint8_t> minds_;  ///< by profile
  bool active_ = false;
  Metering metering_;
  std::uint64_t stamp_ = 0;  ///< of the map that the metering knows
  double next_count_ = 0;    ///< s
  base::Column<float>*slack_ = nullptr, *aim_ = nullptr;
  std::vector<std::uint32_t> standing_;  ///< scratch, by row: on which stretch somebody stands
  Saved loaded_;
};

}  // namespace throng::planning

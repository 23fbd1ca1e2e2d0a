// The part of a step in which people of flows that spread set out when it is their turn.
#pragma once

#include <vector>

#include "goals/goals.h"
#include "planning/congestion.h"
#include "step/system.h"

namespace throng::flows {

/// Once a second it is asked for both ends of every flow how many people per second the way that is the quickest now
/// can carry besides those who are on it. So many may set out; the others wait (goals::Turns).
class SetOutByTurns final : public step::System {
 public:
  SetOutByTurns(goals::Goals& goals, const planning::Congestion& congestion) : goals_(goals), congestion_(congestion) {}
  std::string_view name() const override { return "turns"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  void setsOut(step::StepContext&, std::uint32_t row) override { goals_.turns().forget(row); }
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;

 private:
  struct End {
    Point at;
    std::uint16_t layer = 0, population = 0;
    double radius = 0;  ///< m, of the widest body
  };
  struct Saved {
    std::uint32_t last_ticket = 0;
    double next_look = 0;
    std::vector<double> may_go;

    template <class Archive>
    void fields(Archive& f) {
      f(last_ticket), f(next_look);
      f.list(may_go, base::kFields);
    }
  };
  bool hasTurns(const step::StepContext& context, std::size_t population) const;
  void findGates(step::StepContext& context);
  void look(step::StepContext& context);

  goals::Goals& goals_;
  const planning::Congestion& congestion_;
  std::vector<End> ends_;            ///< of the gates: two of every flow, one after the other
  std::size_t found_ = 0;            ///< populations that were looked at
  double next_look_ = 0;             ///< s
  std::vector<std::uint32_t> rows_;  ///< scratch
  Saved loaded_;
};

}  // namespace throng::flows

// Who sees whom across a connection between two layers, such as the end of a stair: the same segment in plan lies on
// the border of both layers, one layer on its left and the other on its right.
//
// Somebody is "at" a link who is on its layer, on its side of the line and within the range of its segment. Two people
// of different layers see one another when some connection has one of them at one of its links and the other at the
// other; so never through a ceiling, where layers merely overlap in plan, and never across more than one connection.
//
// People at exactly the same links see by the same rule, so they share a zone: a list of everybody whom they may see.
// Whoever is at no link has the layer itself as zone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "throng/shapes.h"

#include "agents/crowd.h"
#include "base/column.h"
#include "base/parallel.h"
#include "geometry/uniform_grid.h"

namespace throng::agents {

/// One direction of a connection.
struct Link {
  std::uint16_t layer = 0, other = 0;
  Segment line;
  bool left = true;  ///< `layer` is on the left of a→b (else on the right), `other` on the opposite side
};

/// Which of many boxes, each for the people of one layer, may hold a place: a coarse grid per layer, with the lists of
/// all layers in one piece of memory, since it is made anew at every step.
class BoxLookup {
 public:
  struct Item {
    std::uint16_t layer;
    Rectangle box;
    std::uint32_t id;
  };
  void clear() { items_.clear(); }
  void add(const Item& item) { items_.push_back(item); }
  /// Cells are no smaller than `cell`.
  void build(std::size_t layers, double cell);
  /// Ids of the boxes near a place, in the order in which they were added.
  std::span<const std::uint32_t> near(std::uint16_t layer, Point place) const;
  std::size_t memory() const;

 private:
  struct Grid {
    Rectangle bounds = geometry::kEmptyBox;
    geometry::CellLayout<double> layout;
    std::size_t items = 0, first_cell = 0;
  };

  std::vector<Item> items_;
  std::vector<Grid> grids_;
  geometry::CellLists lists_;  ///< ids, by cell of all layers
};

class LinkZones {
 public:
  /// Links 2k and 2k + 1 are the two directions of one connection. Those of wrapped layers, from a layer to itself or
  /// without length are left out, and all where the range is 0. Returns whether any is left; if not, everybody's zone
  /// is their layer.
  bool build(const Crowd& crowd, std::size_t rows, float range, std::size_t layers,
             std::span<const std::optional<Rectangle>> wrap, std::span<const Link> links, const base::Threads& threads);

  /// No link is left.
  bool empty() const { return usable_ == 0; }
  /// Zones 0 … layers - 1 are layers; so many follow, in the order in which rows need them.
  std::size_t zones() const { return zones_.size(); }
  /// Per row.
  std::span<const std::uint16_t> home() const { return home_; }
  /// A person who must be found in a zone other than their own. By row, then by zone; each zone at most once.
  struct Image {
    std::uint32_t row;
    std::uint16_t zone;
  };
  std::span<const Image> images() const { return images_; }

  std::size_t memory() const;

 private:
  struct Zone {
    std::uint16_t layer;
    std::uint32_t first_link, end_link;  ///< in zone_links_, ascending
    std::uint32_t next;                  ///< another zone with the same lowest link
    Rectangle box;                       ///< of the people whose home it is
  };

  void choose(std::span<const Link> links, float range, std::size_t layers,
              std::span<const std::optional<Rectangle>> wrap);
  void findPeopleNear(const Crowd& crowd, std::size_t rows, const base::Threads& threads);
  void findHomes(const Crowd& crowd, std::span<const Link> links, float range, std::size_t layers);
  std::uint16_t zoneOf(std::uint16_t layer, std::span<const std::uint32_t> at, std::size_t layers);
  void findImages(const Crowd& crowd, std::span<const Link> links, float range, std::size_t layers);
  /// Whether people at home in a zone see those at home in another, of another layer.
  bool sees(const Zone& zone, const Zone& other) const;
  std::span<const std::uint32_t> linksOf(const Zone& zone) const {
    return {zone_links_.data() + zone.first_link, zone_links_.data() + zone.end_link};
  }

  std::size_t usable_ = 0;  ///< how many links are not left out
  base::Column<std::uint16_t> home_;
  std::vector<Image> images_;
  std::vector<Zone> zones_;
  std::vector<std::uint32_t> zone_links_;
  std::vector<std::uint32_t> first_zone_;  ///< per link: the first zone whose lowest link it is
  std::vector<std::uint32_t> near_;        ///< rows of people near enough to a link to matter
  std::vector<std::uint32_t> at_;
  BoxLookup link_lookup_, zone_lookup_;
};

}  // namespace throng::agents

// The scenes of the papers that need more than a box, each with as many grains as one likes. Where
// a paper gives no size, what is matched is said at the function. Radii follow from the number of
// grains, as the papers' do.
#pragma once

#include "Scene/Scene.h"

#include <cstdint>
#include <string>

namespace bench
{

/// Pacevic and Kaceniauskas 2022, section 4: grains packed cubically in the cubic part (1 m) of a
/// hopper above a pyramid 0.4 m high with an orifice of 0.5 m. `discharge`: the gate is open, below
/// lies a box of 8 x 8 x 0.5 m, and a grain at rest in each of its corners makes a dense grid cover
/// all of it, as the paper's does. Radius 0.01 m at 117,649. `data` is the folder Data.
dem::Scene hopperScene(std::int64_t n, bool discharge, const std::string& data);

/// The same paper: a cuboid of grains falls into a channel of 12 x 4 m inclined by 10 degrees with
/// walls of 5.5 m, whose ends are 6 and 4 m above the floor of a box of 32 x 20 x 9.5 m. Radius
/// 0.037 m at 108,640. Where the channel stands in the box, and the cuboid's sides (7.2 x 2.6 m and
/// as high as it takes), are our choice; four grains lie in the corners of the box as above.
dem::Scene avalancheScene(std::int64_t n);

/// Kureck 2016, test cases 3, 4 and 6: a drum coater at 8 turns a minute about y. The thesis gives
/// N and the grid, 410 x 655 x 410 cells at 10 M spheres, nothing of the coater's shape: so the
/// drum is 410 (N / 10 M)^(1/3) grain diameters wide and 655/410 times as long, filled with N
/// grains, with six baffles of 6 % of its diameter; its shell and baffles are about 70,000
/// triangles. Ends are planes at rest. Tablets (there 348 x 556 x 348 cells, by their larger
/// bounding spheres) are put into the same drum.
class Drum
{
public:
  /// Grains other than spheres are scene.shapes[1], with bounding spheres `reach` times as large;
  /// they start turned at random.
  Drum(std::int64_t n, std::int64_t base, double grain_radius, std::vector<dem::Shape> shapes,
    double reach);

  std::int64_t slices() const { return slices_; }
  double sliceLength() const { return length_ / static_cast<double>(slices_); }
  double rate() const { return 8 * 2 * 3.14159265358979 / 60; } ///< rad/s
  /// One slice with smooth ends, its grains a lattice at the bottom; it turns from `start` on.
  dem::Scene slice(double start) const;
  /// All of it, from a slice's grains and their mirror images, the shell turned by `angle` already.
  dem::Scene whole(const dem::ParticleInput& slice, double angle) const;

private:
  dem::Scene scene(double length, double angle) const;

  std::int64_t n_, slices_;
  double grain_, reach_, radius_, length_; // m; reach_: 1 of spheres
  std::vector<dem::Shape> shapes_;
};

} // namespace bench

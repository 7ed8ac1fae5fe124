// Rays of nozzles through grains and walls on one device: the first surface that each ray meets
// (Kureck 2016, sections 1.1 and 7.1). Used by Measure/RunSpray.h, the filter DEM Spray Coating,
// tests and benchmarks.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Shapes/Shape.h"
#include "Spray/Nozzle.h"
#include "Walls/WallMesh.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace dem
{

/// Grains of any shape, as arrays of `size` entries.
struct RayGrains
{
  std::size_t size = 0;
  MemoryPlace memory = kHostMemory;    ///< of all arrays
  const double* position = nullptr;    ///< 3, m: centre of mass
  const double* radius = nullptr;      ///< m, > 0: of the sphere of equal volume
  const std::int64_t* id = nullptr;    ///< unique; null: the index
  const double* orientation = nullptr; ///< 4, quaternion w x y z; null: none is turned
  const std::int32_t* shape = nullptr; ///< index into the shapes; null: all are spheres
};

/// What a ray meets first.
struct RayHit
{
  static constexpr std::uint32_t kNothing = 0xffffffffu;

  double distance;       ///< m from the nozzle; 1e300 if it meets nothing
  std::uint32_t surface; ///< grain i: i; wall element e: number of grains + e; or kNothing
  std::uint32_t patch;   ///< of the grain; 0 if there are no patches
};

/// Box of periodic borders, m; the period is 0 on axes that are not periodic.
struct RayBox
{
  Vec3d lower{}, period{};
};

class RayCasterEngine;

/// Grains and walls are set, then any number of rays is cast. Ties go to the lower Id, to grains
/// before walls, and to the lower wall element. Results are the same bits for all searches, devices
/// and numbers of threads.
class RayCaster
{
public:
  explicit RayCaster(const Device& device);
  ~RayCaster();
  RayCaster(RayCaster&&) noexcept;
  RayCaster& operator=(RayCaster&&) noexcept;

  /// Periodic borders that a ray crosses at most; it then counts as missed.
  static constexpr int kMostCrossings = 64;

  /// Shapes that RayGrains::shape refers to. `patches`: SprayOptions::patches.
  void setShapes(const std::vector<Shape>& shapes, int patches);
  /// Wall elements in space.
  void setWalls(const std::vector<WallElement>& elements);
  /// Takes over the grains and builds their search. The arrays may change afterwards. Throws
  /// dem::Error for values that are not finite or radii that are not positive.
  void setGrains(const RayGrains& grains, const RayBox& box, RaySearch search);
  /// The search of the present grains; the choice of Automatic.
  RaySearch searchInUse() const;

  /// Casts the rays of sample `sample` of a valid nozzle, which is where it is at that time.
  /// `number`: index of the nozzle.
  void cast(
    const Nozzle& nozzle, std::uint32_t number, std::uint32_t sample, std::vector<RayHit>& hits);
  /// For benchmarks: the same without copying the results to the host, and the search built again
  /// for the grains of setGrains(). Both wait for the device.
  void castOnly(const Nozzle& nozzle, std::uint32_t number, std::uint32_t sample);
  void rebuild();

private:
  std::unique_ptr<RayCasterEngine> engine_;
};

/// Direction of ray `ray`, a unit vector.
Vec3d rayDirection(
  const Nozzle& nozzle, std::uint32_t number, std::uint32_t sample, std::uint32_t ray);

/// Elements of the walls of `set` in space at time t (s), with the present motions of the set.
std::vector<WallElement> wallsInSpace(const WallSet& set, double t);

/// A nozzle that the motion carries, at time t (s).
Nozzle carriedNozzle(const Nozzle& nozzle, const WallMotion& motion, double t);

/// Patch of a direction in the body's frame, of 6 n^2.
std::uint32_t coatingPatch(int n, const Vec3d& direction);

} // namespace dem

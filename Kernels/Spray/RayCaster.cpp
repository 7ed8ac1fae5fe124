#include "Spray/RayCaster.h"

#include "Spray/RayGrain.cuh"
#include "Spray/detail/RayCasterEngine.h"

#include <algorithm>
#include <cmath>

namespace dem
{
namespace
{

RayCone coneOf(const Nozzle& nozzle, std::uint32_t number, std::uint32_t sample)
{
  RayCone cone{};
  cone.origin = nozzle.position;
  const NozzleFrame frame = nozzleFrame(nozzle);
  cone.axis = frame.axis;
  cone.first = frame.first;
  cone.across = frame.across;
  const bool flat = nozzle.across_angle > 0;
  cone.kind = nozzle.profile == SprayProfile::Gaussian
    ? RayCone::Gaussian
    : (flat ? RayCone::FlatUniform : RayCone::RoundUniform);
  cone.tan_first = std::tan(0.5 * nozzle.full_angle);
  cone.tan_across = flat ? std::tan(0.5 * nozzle.across_angle) : cone.tan_first;
  const double sine = std::sin(0.25 * nozzle.full_angle);
  cone.sagitta = 2 * sine * sine;
  cone.seed = static_cast<std::uint32_t>(nozzle.seed);
  cone.nozzle = number;
  cone.sample = sample;
  return cone;
}

} // namespace

RayCaster::RayCaster(const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
  {
    engine_ = makeCudaRayCaster(device);
    return;
  }
#endif
  engine_ = makeCpuRayCaster(device);
}

RayCaster::~RayCaster() = default;
RayCaster::RayCaster(RayCaster&&) noexcept = default;
RayCaster& RayCaster::operator=(RayCaster&&) noexcept = default;

void RayCaster::setShapes(const std::vector<Shape>& shapes, int patches)
{
  engine_->setShapes(shapes, patches);
}
void RayCaster::setWalls(const std::vector<WallElement>& elements) { engine_->setWalls(elements); }
void RayCaster::setGrains(const RayGrains& grains, const RayBox& box, RaySearch search)
{
  engine_->setGrains(grains, box, search);
}

void RayCaster::cast(
  const Nozzle& nozzle, std::uint32_t number, std::uint32_t sample, std::vector<RayHit>& hits)
{
  hits.resize(nozzle.rays);
  engine_->cast(coneOf(nozzle, number, sample), hits.size(), &hits);
}
void RayCaster::castOnly(const Nozzle& nozzle, std::uint32_t number, std::uint32_t sample)
{
  engine_->cast(coneOf(nozzle, number, sample), nozzle.rays, nullptr);
}

RaySearch RayCaster::searchInUse() const { return engine_->searchInUse(); }
void RayCaster::rebuild() { engine_->rebuild(); }

Vec3d rayDirection(
  const Nozzle& nozzle, std::uint32_t number, std::uint32_t sample, std::uint32_t ray)
{
  return RayDirection{ coneOf(nozzle, number, sample) }(ray);
}

std::vector<WallElement> wallsInSpace(const WallSet& set, double t)
{
  std::vector<WallElement> out = set.elements;
  std::vector<WallBody> bodies;
  for (std::size_t w = 0; w < set.walls(); ++w)
    bodies.push_back(wallBody(set.motions[w], set.materials[w], t));
  for (WallElement& e : out)
  {
    const WallBody& body = bodies[e.wall];
    e.a = body.toWorld(e.a);
    e.b = e.kind == ElementKind::Plane ? body.directionToWorld(e.b) : body.toWorld(e.b);
    e.c = body.toWorld(e.c);
  }
  return out;
}

Nozzle carriedNozzle(const Nozzle& nozzle, const WallMotion& motion, double t)
{
  const WallBody body = wallBody(motion, 0, t);
  Nozzle out = nozzle;
  out.position = body.toWorld(nozzle.position);
  out.axis = body.directionToWorld(nozzle.axis);
  out.up = body.directionToWorld(nozzle.up);
  return out;
}

std::vector<double> patchEdges(int n)
{
  // The solid angle of a face up to the azimuth a is proportional to asin(sin a / sqrt 2).
  std::vector<double> edges;
  for (int k = 1; k < n; ++k)
    edges.push_back(std::sqrt(2.) * std::sin(3.14159265358979323846 / 6 * (2. * k / n - 1)));
  return edges;
}

std::uint32_t coatingPatch(int n, const Vec3d& direction)
{
  const std::vector<double> edges = patchEdges(n);
  return CoatingPatch{ n, edges.data() }(direction);
}

} // namespace dem

// Polyhedra of few faces as a warp evaluates them, against one pair after another (polyhedronPair):
// random, touching, parallel, aligned, contained and coincident poses. Here the warp runs on the
// host; NarrowPhase runs it where there is a device.
#include "Threads.h"

#include "Shapes/Shape.h"
#include "Shapes/ShapeContact.cuh"
#include "Shapes/PolyhedraBlock.cuh"
#include "ShapeReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

using dem::Vec3;
using dem::Vec3d;

namespace
{

enum Solids
{
  kCube,
  kBrick,
  kTetrahedron,
  kOctahedron,
  kWedge,
  kSolids
};

const std::vector<dem::Shape>& solids()
{
  static const std::vector<dem::Shape> all{ dem::makeNamedPolyhedron("Cube", "Cube"),
    dem::makeNamedPolyhedron("Brick", "Brick", { 3, 2, 1 }),
    dem::makeNamedPolyhedron("Tetrahedron", "Tetrahedron"),
    dem::makeNamedPolyhedron("Octahedron", "Octahedron"),
    dem::makePolyhedron("Wedge",
      { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1.5 }, { 2, 0, 1.5 }, { 0, 1, 1.5 } },
      std::vector<std::vector<std::int32_t>>{
        { 0, 2, 1 }, { 3, 4, 5 }, { 0, 1, 4, 3 }, { 1, 2, 5, 4 }, { 2, 0, 3, 5 } }) };
  return all;
}

struct Pose
{
  int shape[2];
  dem::Quaternion<double> turned[2];
  Vec3d apart;
  double scale[2];
};

dem::Quaternion<double> quarterTurns(std::mt19937& random)
{
  dem::Quaternion<double> q;
  for (int axis = 0; axis < 3; ++axis)
  {
    const Vec3d angle{ axis == 0 ? M_PI_2 : 0, axis == 1 ? M_PI_2 : 0, axis == 2 ? M_PI_2 : 0 };
    q = normalized(dem::rotationVectorToQuaternion(double(random() % 4) * angle) * q);
  }
  return q;
}

/// Poses of each kind, most of them with an overlap.
Pose poseOf(std::mt19937& random, int a, int b, int kind)
{
  const auto number = [&](
                        double low, double high) { return reference::uniform(random, low, high); };
  Pose p{ { a, b }, { reference::orientation(random), reference::orientation(random) }, {},
    { 1, number(0.6, 1.5) } };
  switch (kind)
  {
    case 0: // any
      p.apart = number(0.5, 1) * (1 + p.scale[1]) * reference::direction(random);
      break;
    case 1: // turned alike or by quarters: faces and edges parallel, sides in one plane
      p.scale[1] = random() % 2 ? 1 : 0.5;
      p.turned[1] = p.turned[0] * quarterTurns(random);
      p.apart = rotate(p.turned[0],
        { 0.25 * (int(random() % 9) - 4), 0.25 * (int(random() % 9) - 4), number(-2, 2) });
      break;
    case 2: // the same, leaning by next to nothing
      p.turned[1] = normalized(dem::rotationVectorToQuaternion(
                                 std::pow(10, number(-9, -2)) * reference::direction(random)) *
        p.turned[0] * quarterTurns(random));
      p.apart = rotate(p.turned[0], { number(-1, 1), number(-1, 1), number(-2, 2) });
      break;
    case 3: // a small one within, or nearly
      p.scale[1] = number(0.05, 0.3);
      p.apart = number(0, 0.8) * reference::direction(random);
      break;
    case 4: // deep
      p.apart = number(0, 0.3) * reference::direction(random);
      break;
    default: // centres in one place
      if (random() % 2)
        p.turned[1] = p.turned[0];
  }
  return p;
}

/// Pairs that the block may read, and what it says of them.
template <class Real>
struct Bench
{
  using Number = Real;

  dem::ShapeView<Real> view;
  const std::vector<Pose>* poses;
  std::vector<dem::ContactGeometry<Real>>* found;
  std::vector<int>* answers; // to each

  dem::ShapePose<Real> pose(const Pose& p, int side, bool relative) const
  {
    const Vec3d centre = relative ? p.apart : Vec3d{};
    return dem::shapePose(centre.as<Real>(), p.turned[side], static_cast<Real>(p.scale[side]));
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(poses->size()); }
  bool has(std::uint32_t k) const { return k < size(); }
  const dem::ShapeView<Real>& shapes() const { return view; }
  std::uint32_t read(std::uint32_t k, dem::detail::PolyhedraToCut<Real>& pair) const
  {
    const Pose& p = (*poses)[k];
    const auto front = dem::detail::SolidPair<Real>(
      view, p.shape[0], pose(p, 0, false), p.shape[1], pose(p, 1, true))
                         .leastEntered();
    pair.swapped = front.of_b;
    pair.front = front.face;
    const int first = front.of_b ? 1 : 0, second = 1 - first;
    pair.shape_a = p.shape[first];
    pair.shape_b = p.shape[second];
    pair.apart = (front.of_b ? -p.apart : p.apart).template as<Real>();
    pair.a = pose(p, first, false);
    pair.b = pose(p, second, false);
    pair.b.center = pair.apart;
    return k;
  }
  void conclude(std::uint32_t k, const dem::ContactGeometry<Real>& g, const Vec3<Real>& apart) const
  {
    (*found)[k] = g;
    ++(*answers)[k];
    EXPECT_LT(length(apart.template as<double>() - (*poses)[k].apart), 1e-6);
  }
  void forget(std::uint32_t k) const { ++(*answers)[k]; }
};

template <class Real>
std::vector<dem::ContactGeometry<Real>> byBlocks(
  const dem::ShapeTable<Real>& table, const std::vector<Pose>& poses)
{
  std::vector<dem::ContactGeometry<Real>> found(poses.size());
  std::vector<int> answers(poses.size(), 0);
  using Block = dem::detail::PolyhedraBlock<Bench<Real>>;
  const Block block{ { table.view(), &poses, &found, &answers } };
  auto shared = std::make_unique<typename Block::Shared>();
  emulated::run(static_cast<unsigned>((poses.size() + Block::kThreads - 1) / Block::kThreads),
    Block::kThreads, [&] {
      emulated::undefined(*shared);
      block(blockIdx.x, *shared);
    });
  EXPECT_EQ(*std::min_element(answers.begin(), answers.end()), 1);
  EXPECT_EQ(*std::max_element(answers.begin(), answers.end()), 1);
  return found;
}

/// Poses of two shapes that overlap, or do not by their corners and edges alone.
template <class Real>
std::vector<Pose> entered(const dem::ShapeTable<Real>& table, int a, int b, int count)
{
  std::mt19937 random(static_cast<unsigned>(10 * a + b));
  std::vector<Pose> out;
  for (int i = 0; static_cast<int>(out.size()) < count; ++i)
  {
    const Pose p = poseOf(random, a, b, i % 6);
    const Bench<Real> bench{ table.view(), nullptr, nullptr, nullptr };
    if (dem::detail::SolidPair<Real>(
          table.view(), a, bench.pose(p, 0, false), b, bench.pose(p, 1, true))
          .leastEntered()
          .entered)
      out.push_back(p);
  }
  return out;
}

template <class Real>
void compare(double rounding, int count)
{
  const dem::ShapeTable<Real> table(solids());
  for (int a = 0; a < kSolids; ++a)
    for (int b = 0; b < kSolids; ++b)
    {
      const std::vector<Pose> poses = entered(table, a, b, count);
      const auto found = byBlocks(table, poses);
      int touching = 0;
      for (std::size_t i = 0; i < poses.size() && !testing::Test::HasFailure(); ++i)
      {
        const Bench<Real> bench{ table.view(), nullptr, nullptr, nullptr };
        const auto alone = dem::grainContact(
          table.view(), a, bench.pose(poses[i], 0, false), b, bench.pose(poses[i], 1, true));
        const double size = std::max(1., poses[i].scale[1]), overlap = alone.overlap,
                     area = 2 * M_PI * alone.radius * overlap;
        SCOPED_TRACE(
          std::to_string(a) + " with " + std::to_string(b) + ", pose " + std::to_string(i));
        if (!(overlap > 20 * rounding * size) || !(area > 400 * rounding * rounding * size * size))
        {
          EXPECT_LT(found[i].overlap, 1e3 * rounding * size);
          continue;
        }
        ++touching;
        const double fine = rounding * size * (1 / overlap + 1 / std::sqrt(area));
        EXPECT_NEAR(found[i].overlap, overlap, overlap * fine * 30);
        EXPECT_NEAR(found[i].radius, alone.radius, alone.radius * fine * 100);
        EXPECT_EQ(found[i].rolling_radius, alone.rolling_radius);
        // edges as long as the bodies may be off by the rounding; where one body nearly holds the
        // other the sides cancel
        const double edge = std::cbrt(0.5 * overlap * area);
        if (area > 1.5 * edge * edge)
        {
          EXPECT_LT(length(found[i].normal - alone.normal), 30 * rounding * size * size / area);
        }
        EXPECT_LT(length(found[i].point - alone.point),
          300 * rounding * size + std::sqrt(area) * fine * 30);
      }
      ASSERT_GT(touching, count / 2) << a << " with " << b;
    }
}

} // namespace

TEST(PolyhedraBlock, FindsWhatOnePairAfterAnotherDoes) { compare<double>(1e-13, 400); }

TEST(PolyhedraBlock, FindsItInSinglePrecision) { compare<float>(4e-7, 400); }

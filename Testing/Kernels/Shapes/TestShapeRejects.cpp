// What the narrow phase of shapes leaves out: pairs that something parts already, planes that cut
// nothing of a face. Against searches over all vertices and faces, and against cuts by all planes.
#include "ShapeReference.h"
#include "Bodies/DriftBodies.cuh"

#include "Shapes/ShapeContact.cuh"
#include "Forces/ShapeForces.cuh"

#include <gtest/gtest.h>

#include <random>

namespace
{

using dem::Shape;
using dem::Vec3;
using dem::Vec3d;

const std::vector<Shape>& solids()
{
  static const std::vector<Shape> all{ dem::makeNamedPolyhedron("Cube", "Cube"),
    dem::makeNamedPolyhedron("Tetrahedron", "Tetrahedron"),
    dem::makeNamedPolyhedron("Octahedron", "Octahedron"),
    dem::makeNamedPolyhedron("Brick", "Brick", { 1, 1.6, 2.7 }) };
  return all;
}

// A polygon that is cut.
struct Ring
{
  std::vector<Vec3d> corner;
  int size = 0;

  Vec3d operator[](int k) const { return corner[k]; }
  void clear() { keep(0, 0); }
  void add(const Vec3d& p)
  {
    corner.push_back(p);
    size = static_cast<int>(corner.size());
  }
  void keep(int first, int count)
  {
    std::vector<Vec3d> kept;
    for (int k = 0; k < count; ++k)
      kept.push_back(corner[(first + k) % size]);
    corner = kept;
    size = count;
  }
};

dem::ShapePose<double> poseAt(std::mt19937& random, const Vec3d& center, double scale)
{
  return dem::shapePose(center, reference::orientation(random), scale);
}

} // namespace

TEST(ShapeRejects, FacesOfVerticesAndEdges)
{
  const dem::ShapeTable<double> table(solids());
  for (std::size_t s = 0; s < solids().size(); ++s)
  {
    const dem::ShapeNumbers<double>& n = table.shapes[s];
    const auto lies = [&](int v, int f) {
      const dem::Vec4<double> plane = table.planes[n.faces_begin + f];
      return std::fabs(dot(plane.xyz(), table.vertices[n.vertices_begin + v]) - plane.w) < 1e-9;
    };
    const int faces = n.faces_end - n.faces_begin;
    ASSERT_LE(faces, dem::kByteFaces);
    for (int v = 0; v < n.vertices_end - n.vertices_begin; ++v)
      for (int f = 0; f < 8; ++f)
        EXPECT_EQ(table.vertex_faces[n.vertices_begin + v] >> 8 * f & 0xff,
          f < faces && lies(v, f) ? 1u : 0u)
          << s << " " << v << " " << f;
    for (int e = n.edges_begin; e < n.edges_end; ++e)
    {
      const dem::ShapeEdge edge = table.edges[e];
      EXPECT_NE(edge.left, edge.right);
      for (int f = 0; f < faces; ++f)
        EXPECT_EQ(f == edge.left || f == edge.right, lies(edge.a, f) && lies(edge.b, f))
          << s << " " << e << " " << f;
    }
  }
}

TEST(ShapeRejects, TheFaceThatIsEnteredLeast)
{
  const dem::ShapeTable<double> table(solids());
  std::mt19937 random(5);
  int apart = 0, entered = 0, parted = 0, again = 0;
  for (int round = 0; round < 20000; ++round)
  {
    const int a = random() % solids().size(), b = random() % solids().size();
    std::uniform_real_distribution<double> distance(0.8, 2), size(0.5, 1.5);
    const dem::ShapePose<double> pa = poseAt(random, {}, size(random));
    const dem::ShapePose<double> pb =
      poseAt(random, distance(random) * reference::direction(random), size(random));
    const auto front = dem::detail::SolidPair<double>(table.view(), a, pa, b, pb).leastEntered();
    // by all vertices, over all faces; in units of a's size
    const auto lowest = [&](int s, const dem::ShapePose<double>& pose, int f, int other,
                          const dem::ShapePose<double>& other_pose) {
      const dem::Vec4<double> plane = table.planes[table.shapes[s].faces_begin + f];
      double low = 1e30;
      for (int v = table.shapes[other].vertices_begin; v < table.shapes[other].vertices_end; ++v)
        low = std::min(low,
          dot(pose.toSpace(plane.xyz()),
            other_pose.center + other_pose.scale * other_pose.toSpace(table.vertices[v]) -
              pose.center) -
            pose.scale * plane.w);
      return low / pa.scale;
    };
    double best = -1e30;
    for (int f = 0; f < table.shapes[a].faces_end - table.shapes[a].faces_begin; ++f)
      best = std::max(best, lowest(a, pa, f, b, pb));
    for (int f = 0; f < table.shapes[b].faces_end - table.shapes[b].faces_begin; ++f)
      best = std::max(best, lowest(b, pb, f, a, pa));
    const double found =
      front.of_b ? lowest(b, pb, front.face, a, pa) : lowest(a, pa, front.face, b, pb);
    if (front.entered)
    {
      EXPECT_LT(best, 1e-9) << round;
      EXPECT_NEAR(found, best, 1e-9) << round;
      ++entered;
    }
    else
    {
      EXPECT_GT(found, -1e-9) << round;
      ++apart;
    }
    // a face that parts them is proof enough
    const auto parts = [&](int f, bool of_b) {
      return (of_b ? dem::detail::partedBy(table.view(), b, pb, a, pa, f)
                   : dem::detail::partedBy(table.view(), a, pa, b, pb, f)) > 0;
    };
    for (int f = 0; f < 4; ++f)
      if (parts(f, round % 2))
      {
        ++parted;
        EXPECT_FALSE(front.entered) << round;
      }
    again += !front.entered && parts(front.face, front.of_b);
  }
  EXPECT_GT(apart, 5000);
  EXPECT_GT(entered, 2000);
  EXPECT_GT(parted, 2000);
  EXPECT_GT(again, 0.98 * apart);
}

namespace
{

struct Moved
{
  Vec3d apart;
  dem::Quaternion<double> turned;
};

/// No point within reach, in space or of the body, has gone farther.
float farthest(const Moved& from, const Moved& to, double reach)
{
  const auto &p = from.turned, &q = to.turned;
  const double chord = std::sqrt((p.w - q.w) * (p.w - q.w) + (p.x - q.x) * (p.x - q.x) +
    (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
  return static_cast<float>(length(to.apart - from.apart) + 2 * reach * chord);
}

Moved movedBy(std::mt19937& random, const Moved& from, double way, double angle)
{
  return { from.apart + way * reference::direction(random),
    normalized(
      dem::rotationVectorToQuaternion(angle * reference::direction(random)) * from.turned) };
}

} // namespace

namespace
{

/// A body of one part, and its drift.
struct OneBody
{
  using Verlet = dem::VelocityVerlet<double>;

  dem::Vec4<double> position, orientation, force, torque, velocity, momentum, inertia;
  dem::Vec4<double> centre{}, part_velocity{}, part_spin{}, offset{};
  dem::Vec3d listed{};
  std::int64_t id = 0;
  std::int32_t shape = 0;
  std::uint32_t first_part[2] = { 0, 1 }, first_offset[2] = { 0, 1 }, body = 0, place = 0;
  double farthest = 0;
  float list_path = 0, path = 0.25f;
  dem::StepControl control{ dem::StepControl::kNone, dem::StepControl::kNone, 0 };

  void move(double dt, const Vec3d& gravity, double reach, std::uint64_t step, double upper)
  {
    listed = position.xyz();
    dem::StateView<double> state{};
    state.position = &position;
    state.orientation = &orientation;
    state.velocity = &part_velocity;
    state.spin = &part_spin;
    state.force = &force;
    state.torque = &torque;
    state.listed = &listed;
    state.id = &id;
    const dem::Drift<double, Verlet> drift{ state, { &position, &part_velocity, &part_spin },
      &control, gravity, dt, 0, Verlet(step), {}, { -1e9, -1e9, -1e9 }, { upper, upper, upper },
      1e18, 1e9, false };
    const dem::BodyView bodies{ &centre, &orientation, &velocity, &momentum, &inertia, &id, &shape,
      first_part, &body, &place, first_offset, &offset, &farthest, &list_path, false };
    dem::DriftBodies<double, Verlet>{ drift, bodies, { nullptr, &place }, drift.remove_lower,
      drift.remove_upper, bodyKicks(drift.integrator), { &path, float(reach) } }(0);
  }
  Moved pose() const
  {
    return { position.xyz(), { orientation.x, orientation.y, orientation.z, orientation.w } };
  }
};

} // namespace

TEST(ShapeRejects, APathIsAsLongAsWhatADriftMoves)
{
  std::mt19937 random(8);
  const auto number = [&](
                        double low, double high) { return reference::uniform(random, low, high); };
  double least = 1e30, most = 0;
  for (int round = 0; round < 20000; ++round)
  {
    const double dt = 1e-3, mass = number(1, 2), reach = number(0.1, 3);
    Vec3d inertia{ number(0.5, 2), number(0.5, 2), number(0.5, 2) };
    if (round % 4 == 0)
      inertia.y = inertia.z = inertia.x;
    const auto upTo = [&](double x) {
      return std::pow(10, number(-3, 0)) * x * reference::direction(random);
    };
    const dem::Quaternion<double> q = reference::orientation(random);
    const double farthest_off = round % 5 ? 1e9 : -1e9; // then it leaves
    OneBody body{ vec4(reference::direction(random), 1.), { q.w, q.x, q.y, q.z },
      vec4(upTo(2000), 0.), vec4(upTo(2000), 0.), vec4(upTo(2), mass), vec4(upTo(2), 0.),
      vec4(inertia, 1.) };
    const Moved from = body.pose();
    body.move(
      dt, round % 3 ? Vec3d{} : 2. * reference::direction(random), reach, round % 2, farthest_off);
    if (farthest_off < 0)
    {
      EXPECT_GT(body.path, 1e30);
      EXPECT_EQ(body.place, dem::BodyView::kNowhere);
      EXPECT_EQ(body.control.removed, 1u);
      continue;
    }
    const double came = farthest(from, body.pose(), reach), path = body.path - 0.25;
    EXPECT_GE(path, came * (1 - 1e-6) - 6e-8) << round;
    if (round % 4 == 0 && came > 1e-3)
    {
      least = std::min(least, path / came);
      most = std::max(most, path / came);
    }
  }
  EXPECT_LT(least, 1.01);
  EXPECT_LT(most, 1.1);
}

// What a body turns by is no more than its momentum allows, however its moments differ: in each of
// the rotations that turnFreely() is made of.
TEST(ShapeRejects, ATurnIsAsLargeAsMomentsAllow)
{
  std::mt19937 random(11);
  const auto number = [&](
                        double low, double high) { return reference::uniform(random, low, high); };
  double nearest = 0;
  for (int round = 0; round < 20000; ++round)
  {
    const Vec3d inertia{ std::pow(10, number(-1, 1)), std::pow(10, number(-1, 1)),
      std::pow(10, number(-1, 1)) },
      momentum = number(0.1, 3) * reference::direction(random);
    const double dt = 0.3;
    const dem::Quaternion<double> from = reference::orientation(random);
    dem::Quaternion<double> to = from;
    dem::turnFreely(to, momentum, inertia, dt);
    const double turned = 2 *
      std::acos(
        std::min(1., std::abs(from.w * to.w + from.x * to.x + from.y * to.y + from.z * to.z)));
    const double most = dt * length(momentum) * dem::mostTurn(inertia);
    EXPECT_LE(turned, most * (1 + 1e-6) + 1e-7) << round;
    nearest = std::max(nearest, turned / most);
  }
  EXPECT_GT(nearest, 0.95);
}

TEST(ShapeRejects, WhatIsKnownOfTwoPolyhedraHoldsUntilTheyMoved)
{
  const dem::ShapeTable<float> table(solids());
  const auto view = table.view();
  std::mt19937 random(9);
  const auto number = [&](
                        double low, double high) { return reference::uniform(random, low, high); };
  int fronts = 0, apart = 0, faces = 0, changed = 0, wide = 0;
  for (int round = 0; round < 40000; ++round)
  {
    const int shape[2] = { int(random() % solids().size()), int(random() % solids().size()) };
    const double scale[2] = { reference::uniform(random, 0.5, 1.5),
      reference::uniform(random, 0.5, 1.5) };
    const double largest = std::max(scale[0], scale[1]);
    Moved at[2] = { { {}, reference::orientation(random) },
      { reference::uniform(random, 0.5, 2) * reference::direction(random), {} } };
    // some with faces side by side, where two fronts are near each other
    at[1].turned = random() % 2
      ? reference::orientation(random)
      : movedBy(random, at[0], 0, reference::uniform(random, 0, 0.02)).turned;
    const auto poses = [&](const Moved* where, dem::ShapePose<float>* out) {
      for (int k = 0; k < 2; ++k)
        out[k] = dem::shapePose((where[k].apart - where[0].apart).as<float>(), where[k].turned,
          static_cast<float>(scale[k]));
    };
    dem::ShapePose<float> p[2];
    poses(at, p);
    float least, next;
    const dem::detail::FaceOfPair front =
      dem::detail::SolidPair<float>(view, shape[0], p[0], shape[1], p[1])
        .template leastEntered<true>(least, next);
    float room = dem::detail::roomOfFront(view, shape[0], p[0], shape[1], p[1], front, least, next);
    if (!front.entered && round % 2) // any face that parts them does
    {
      const int f = random() % 4;
      room = dem::detail::partedBy(view, shape[0], p[0], shape[1], p[1], f);
      faces += room > 0;
    }
    if (!(room > 0))
      continue;
    wide += room > 0.01;
    if (!front.entered)
    {
      EXPECT_LE(room, 0.2f * (p[0].scale + p[1].scale) * 1.000001f)
        << round; // beyond, another image may be nearer
    }
    // they have come some way since the list was made, and go on
    for (int turn = 0; turn < 12; ++turn)
    {
      Moved now[2];
      const float path_then =
        (turn % 3 ? (turn % 5 ? 0.3f : 1000.f) : 0.f) * static_cast<float>(number(0, 1));
      float path_now = path_then;
      const double share = number(0, 1), late = number(0.5, turn % 6 ? 1 : 5);
      for (int k = 0; k < 2; ++k)
      {
        const double reach = dem::SurfacePaths::kReach * largest,
                     most = late * (k ? share : 1 - share) * room,
                     turned = turn % 2 ? number(0, 1) : 0;
        now[k] = movedBy(random, at[k], (1 - turned) * most, turned * most / reach);
        path_now = (path_now + farthest(at[k], now[k], reach)) * (1 + 2e-7f);
      }
      const std::uint32_t known = dem::detail::ShapesKnown::of(5, room, path_then);
      poses(now, p);
      const dem::detail::FaceOfPair front_now =
        dem::detail::SolidPair<float>(view, shape[0], p[0], shape[1], p[1]).leastEntered();
      const bool same = front.entered
        ? front_now.entered && front_now.face == front.face && front_now.of_b == front.of_b
        : !dem::grainContact(view, shape[0], p[0], shape[1], p[1]).touches();
      changed += !same;
      if (!dem::detail::ShapesKnown::holds(known, path_now))
        continue;
      ++(front.entered ? fronts : apart);
      EXPECT_TRUE(same) << round;
      EXPECT_EQ(dem::detail::ShapesKnown::kind(known), 5u);
      if (front.entered)
      {
        EXPECT_LT(length(p[1].center - p[0].center), p[0].scale + p[1].scale) << round;
      }
    }
  }
  EXPECT_GT(fronts, 10000);
  EXPECT_GT(apart, 10000);
  EXPECT_GT(faces, 1000);
  EXPECT_GT(wide, 5000);
  EXPECT_GT(changed, 1000); // by moves that are too long
  EXPECT_FALSE(dem::detail::ShapesKnown::holds(0, 0));
  EXPECT_FALSE(dem::detail::ShapesKnown::holds(0, -1));
  EXPECT_FALSE(dem::detail::ShapesKnown::holds(dem::detail::ShapesKnown::of(5, 0.f, 0.f), 0));
  EXPECT_FALSE(dem::detail::ShapesKnown::holds(dem::detail::ShapesKnown::of(5, -1.f, 0.f), 0));
  EXPECT_FALSE(dem::detail::ShapesKnown::holds(dem::detail::ShapesKnown::of(5, NAN, 0.f), 0));
}

TEST(ShapeRejects, ADirectionThatPartsTabletsLeavesNoContact)
{
  const std::vector<Shape> tablets{ dem::makeTablet("Tablet", 0.01, 0.0085, 0.003),
    dem::makeTablet("Lens", 1, 0.75, 0), dem::makeTablet("Flat", 1, 4, 0.3),
    dem::makeTablet("Tall", 1, 0.5, 1.2) };
  const dem::ShapeTable<float> table(tablets);
  std::mt19937 random(6);
  int parted = 0, apart = 0, along = 0;
  for (int round = 0; round < 50000; ++round)
  {
    const int a = random() % tablets.size(),
              b = static_cast<int>(random() % (tablets.size() + 1)) - 1;
    std::uniform_real_distribution<double> distance(0.7, 2);
    const auto pose = [&](const Vec3d& x) {
      return dem::shapePose(x.as<float>(), reference::orientation(random), 1.f);
    };
    const dem::ShapePose<float> pa = pose({}),
                                pb = pose(distance(random) * reference::direction(random));
    const auto g = dem::detail::roundPair(table.view(), a, pa, b, pb);
    const auto parts = [&](const Vec3<float>& n) {
      return dem::detail::roundPartedBy(table.view(), a, pa, b, pb, n) > 0;
    };
    for (int k = 0; k < 5; ++k)
      if (parts(
            normalized((normalized(pb.center.as<double>()) + 0.5 * reference::direction(random)))
              .as<float>()))
      {
        ++along;
        EXPECT_FALSE(g.touches()) << round;
      }
    if (!g.touches() && dot(pb.center, pb.center) < 4)
    {
      ++apart;
      parted += parts(g.normal);
    }
  }
  EXPECT_GT(along, 5000);
  EXPECT_GT(apart, 5000);
  EXPECT_GT(parted, 0.99 * apart);
}

TEST(ShapeRejects, PlanesThatAreLeftOutCutNothing)
{
  const dem::ShapeTable<double> table(solids());
  std::mt19937 random(7);
  int left_out = 0, cut_off = 0, looked_at = 0;
  for (int round = 0; round < 20000; ++round)
  {
    const int a = random() % solids().size(), b = random() % solids().size();
    std::uniform_real_distribution<double> distance(0.5, 1.6);
    const dem::ShapePose<double> pa = poseAt(random, {}, 1),
                                 pb = poseAt(
                                   random, distance(random) * reference::direction(random), 1);
    const dem::detail::SolidPair<double> pair(table.view(), a, pa, b, pb);
    const auto front = pair.leastEntered();
    if (!front.entered || front.of_b)
      continue;
    const dem::Vec4<double> plane = pair.planeOfA(front.face);
    const auto corner = [&](int v) {
      const Vec3d x = pair.vertexOfB(v);
      return vec4(x, dot(plane.xyz(), x) - plane.w);
    };
    dem::detail::PlanesReachedByFace<double> reached{ pair.a, front.face, pair.noise() };
    for (int v = 0; v < pair.b.vertices; ++v)
      if (corner(v).w < 0)
        reached.add(corner(v).xyz(), pair.b.vertex_faces[v]);
    for (int e = 0; e < pair.b.edges; ++e)
      if (const dem::ShapeEdge edge = pair.b.edge[e];
          (corner(edge.a).w < 0) != (corner(edge.b).w < 0))
        reached.add(dem::detail::crossing(corner(edge.a), corner(edge.b)),
          dem::faceByte(edge.left) | dem::faceByte(edge.right));
    for (int f = 0; f < pair.b.faces; ++f)
    {
      Ring all;
      dem::detail::addBelow<double>(all, pair.b.begin[f + 1] - pair.b.begin[f],
        [&](int k) { return corner(pair.b.corner[pair.b.begin[f] + k]); });
      Ring some = all;
      if (all.size == 0)
        continue;
      ++looked_at;
      const std::uint32_t planes = static_cast<std::uint32_t>(reached.of_faces >> 8 * f) & 0xffu;
      for (int p = 0; p < pair.a.faces; ++p)
      {
        if (p == front.face)
          continue;
        dem::detail::clipPolygon(
          all, pair.a.plane[p].xyz(), pair.a.plane[p].w, false, pair.noise());
        if (planes >> p & 1u)
          dem::detail::clipPolygon(
            some, pair.a.plane[p].xyz(), pair.a.plane[p].w, false, pair.noise());
        else
          ++left_out;
      }
      const auto x = dem::detail::faceSums(all, plane.xyz(), {}),
                 y = dem::detail::faceSums(some, plane.xyz(), {});
      EXPECT_NEAR(x.flow, y.flow, 1e-12) << round;
      EXPECT_NEAR(length(x.area - y.area), 0, 1e-12) << round;
      EXPECT_NEAR(length(x.moment - y.moment), 0, 1e-12) << round;
      if (reached.isCutOff(f))
      {
        ++cut_off;
        EXPECT_NEAR(length(x.area), 0, 1e-12) << round;
      }
    }
  }
  EXPECT_GT(looked_at, 5000);
  EXPECT_GT(left_out, looked_at);
  EXPECT_GT(cut_off, 200);
}

// What the narrow phase takes and gives; its words are in ShapeContact.cuh.
#pragma once

#include "Shapes/ShapeTable.cuh"

#include <cstdint>
#include <cstring>

namespace dem
{

template <class Real>
struct ContactGeometry
{
  Real overlap = -1;       // m, > 0 where they touch; else without meaning beyond its sign
  Vec3<Real> normal{};     // from a to b, or from the grain to the wall
  Vec3<Real> point{};      // relative to the poses' common origin
  Real radius = 0;         // m, the law's R*
  Real rolling_radius = 0; // m, bounded: of the spheres of equal volume
  Real share = 1;          // of the mass m* that the law takes
  unsigned feature = 7;    // triangle: corners that the point leans on (bits), 7 = inside the face

  DEM_HD bool touches() const { return overlap > Real(0); }
};

/// A flat patch is more than its point: dashpots spread evenly over it also resist rocking, with
/// the torque -(this) times the relative spin across the normal. `damping`, N s/m, is the contact's
/// own. A dashpot of density c_n / S at the lever y from the patch's centroid bears (c_n / S) y w
/// per area, which adds up to the torque c_n <y^2> w; over a disk of the patch's area S = 2 pi R
/// overlap (ShapeContact.cuh) the mean square of the lever is S / 4 pi = R overlap / 2. As a bed of
/// dashpots (Winkler's foundation; Johnson, Contact Mechanics (1985), section 4.3).
template <class Real>
DEM_HD Real rockingDamping(Real damping, Real radius, Real overlap)
{
  return Real(0.5) * damping * radius * overlap;
}

/// A grain: where its centre of mass is and how it is turned.
template <class Real>
struct ShapePose
{
  Vec3<Real> center;     // relative to the common origin
  Vec3<Real> ex, ey, ez; // the body's axes in space
  Real scale;            // Radius, m

  DEM_HD Vec3<Real> toSpace(const Vec3<Real>& d) const { return d.x * ex + d.y * ey + d.z * ez; }
  DEM_HD Vec3<Real> toBody(const Vec3<Real>& d) const
  {
    return { dot(d, ex), dot(d, ey), dot(d, ez) };
  }
};

template <class Real>
DEM_HD ShapePose<Real> shapePose(const Vec3<Real>& center, const Quaternion<double>& q, Real scale)
{
  const Real one(1), two(2), w = static_cast<Real>(q.w), x = static_cast<Real>(q.x),
                             y = static_cast<Real>(q.y), z = static_cast<Real>(q.z);
  return { center, { one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y) },
    { two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x) },
    { two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y) }, scale };
}

/// A wall's triangle. `neighbor[k]` is the unit normal of the triangle beyond edge k (from corner k
/// to k + 1), as it is seen when the surface is walked over without a flip; zero where there is
/// none. Needed by polyhedra alone.
template <class Real>
struct ContactTriangle
{
  Vec3<Real> a, b, c;
  Vec3<Real> neighbor[3]{};
};

/// A cylinder or cone as walls have them: a surface about the axis from `a` to `b`, met from inside
/// or outside, whichever side the grain's centre is on. Lines are cylinders of radius 0, met by
/// spheres and tablets; no volume lies behind them for a polyhedron.
template <class Real>
struct ContactCone
{
  Vec3<Real> a, b;
  Real radius_a, radius_b;
};

/// The shape number of a sphere, for any `shapes`.
constexpr int kSphereShape = -1;

namespace detail
{

template <class Real>
DEM_HD bool isPolyhedron(const ShapeView<Real>& shapes, int shape)
{
  return shape >= 0 && shapes.shapes[shape].kind == ShapeKind::ConvexPolyhedron;
}

template <class Real>
DEM_HD ContactGeometry<Real> mirrored(ContactGeometry<Real> c)
{
  c.normal = -c.normal;
  return c;
}

template <class Real>
DEM_HD Vec3<Real> perpendicular(const Vec3<Real>& n)
{
  const Real x = n.x < 0 ? -n.x : n.x, y = n.y < 0 ? -n.y : n.y, z = n.z < 0 ? -n.z : n.z;
  const Vec3<Real> e = x <= y && x <= z
    ? Vec3<Real>{ Real(1), Real(0), Real(0) }
    : (y <= z ? Vec3<Real>{ Real(0), Real(1), Real(0) } : Vec3<Real>{ Real(0), Real(0), Real(1) });
  return normalized(cross(n, e));
}

/// How far two bodies may come that something parts by so much, beyond what their narrow phase may
/// miss, m. No farther than until they may meet across another border of a periodic box, whose
/// shortest period is 4.4 of the largest radii.
template <class Real>
DEM_HD Real roomBetween(const ShapePose<Real>& pose_a, const ShapePose<Real>& pose_b, Real between)
{
  const Real reach = pose_a.scale + pose_b.scale, room = between - Real(1e-4) * reach,
             across = Real(0.2) * reach;
  return room < across ? room : across;
}

/// What was found of two bodies, and until which length of both paths it holds: a float whose last
/// bits are a kind. 0: nothing.
struct ShapesKnown
{
  static constexpr std::uint32_t kKind = 15;

  /// `room`: how far both together may go on from here, `path`: how far they have come.
  DEM_HD static std::uint32_t of(unsigned kind, float room, float path)
  {
    if (!(room > 0.f))
      return 0;
    const float most = room * (1 - 1e-5f) + path * (1 - 1e-6f); // less by more than is rounded off
    std::uint32_t bits;
    std::memcpy(&bits, &most, sizeof bits);
    return (bits & ~kKind) | kind;
  }
  /// However far they go: until they are found otherwise.
  DEM_HD static std::uint32_t always(unsigned kind) { return of(kind, 1e30f, 0.f); }
  DEM_HD static unsigned kind(std::uint32_t known) { return known & kKind; }
  DEM_HD static bool holds(std::uint32_t known, float path)
  {
    const std::uint32_t bits = known & ~kKind;
    float most;
    std::memcpy(&most, &bits, sizeof most);
    return known != 0 && path < most;
  }
};

} // namespace detail
} // namespace dem

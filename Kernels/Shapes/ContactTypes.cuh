// Inputs and results of the narrow phase. Its definitions are explained in ShapeContact.cuh.
#pragma once

#include "Shapes/ShapeTable.cuh"

#include <cstdint>
#include <cstring>

namespace dem
{

/// The result: one contact.
template <class Real>
struct ContactGeometry
{
  Real overlap = -1;       // m, > 0 if the bodies touch; otherwise only its sign has a meaning
  Vec3<Real> normal{};     // unit, from a to b, or from the grain to the wall
  Vec3<Real> point{};      // relative to the common origin of the poses
  Real radius = 0;         // m, R* of the law
  Real rolling_radius = 0; // m, bounded: R* of the spheres of equal volume
  Real share = 1;          // fraction of the mass m* that the law takes
  // triangle: bit k is set if corner k has a weight in the point; 7 = inside the face
  unsigned feature = 7;

  DEM_HD bool touches() const { return overlap > Real(0); }
};

/// Rocking resistance of a flat patch: dashpots distributed evenly over it cause the torque -(this)
/// times the relative spin across the normal. `damping` (N s/m) is that of the contact. A dashpot
/// of density c_n / S at the lever y from the centroid carries (c_n / S) y w per area, which adds
/// up to the torque c_n <y^2> w. For a disk of the patch's area S = 2 pi R overlap
/// (ShapeContact.cuh) the mean square of the lever is S / 4 pi = R overlap / 2. This is a bed of
/// dashpots (Winkler's foundation; Johnson, Contact Mechanics (1985), section 4.3).
template <class Real>
DEM_HD Real rockingDamping(Real damping, Real radius, Real overlap)
{
  return Real(0.5) * damping * radius * overlap;
}

/// Pose of a grain.
template <class Real>
struct ShapePose
{
  Vec3<Real> center;     // centre of mass, relative to the common origin
  Vec3<Real> ex, ey, ez; // axes of the body in space
  Real scale;            // Radius, m

  DEM_HD Vec3<Real> toSpace(const Vec3<Real>& d) const { return d.x * ex + d.y * ey + d.z * ez; }
  DEM_HD Vec3<Real> toBody(const Vec3<Real>& d) const
  {
    return { dot(d, ex), dot(d, ey), dot(d, ez) };
  }
};

/// The pose of a grain with the orientation q.
template <class Real>
DEM_HD ShapePose<Real> shapePose(const Vec3<Real>& center, const Quaternion<double>& q, Real scale)
{
  const Real one(1), two(2), w = static_cast<Real>(q.w), x = static_cast<Real>(q.x),
                             y = static_cast<Real>(q.y), z = static_cast<Real>(q.z);
  return { center, { one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y) },
    { two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x) },
    { two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y) }, scale };
}

/// A triangle of a wall. `neighbor[k]` is the unit normal of the triangle beyond edge k (from
/// corner k to k + 1), oriented consistently across the edge; zero if there is none. Used by
/// polyhedra only.
template <class Real>
struct ContactTriangle
{
  Vec3<Real> a, b, c;
  Vec3<Real> neighbor[3]{};
};

/// A cylinder or cone of a wall: a surface about the axis from `a` to `b`, in contact on the side
/// of the grain's centre, inside or outside. Lines are cylinders of radius 0, for spheres and
/// tablets only; they have no volume behind them for a polyhedron.
template <class Real>
struct ContactCone
{
  Vec3<Real> a, b;
  Real radius_a, radius_b;
};

/// Shape index of a sphere, for any `shapes`.
constexpr int kSphereShape = -1;

namespace detail
{

template <class Real>
DEM_HD bool isPolyhedron(const ShapeView<Real>& shapes, int shape)
{
  return shape >= 0 && shapes.shapes[shape].kind == ShapeKind::ConvexPolyhedron;
}

/// The same contact with the roles of the bodies exchanged.
template <class Real>
DEM_HD ContactGeometry<Real> mirrored(ContactGeometry<Real> c)
{
  c.normal = -c.normal;
  return c;
}

/// A unit vector perpendicular to n.
template <class Real>
DEM_HD Vec3<Real> perpendicular(const Vec3<Real>& n)
{
  const Real x = n.x < 0 ? -n.x : n.x, y = n.y < 0 ? -n.y : n.y, z = n.z < 0 ? -n.z : n.z;
  const Vec3<Real> e = x <= y && x <= z
    ? Vec3<Real>{ Real(1), Real(0), Real(0) }
    : (y <= z ? Vec3<Real>{ Real(0), Real(1), Real(0) } : Vec3<Real>{ Real(0), Real(0), Real(1) });
  return normalized(cross(n, e));
}

/// Distance (m) that two bodies can move relative to each other before they may touch, if something
/// separates them by `between` (m). Reduced by the possible error of the narrow phase. Limited, so
/// that they cannot meet across another border of a periodic box, whose shortest period is 4.4 of
/// the largest radii.
template <class Real>
DEM_HD Real roomBetween(const ShapePose<Real>& pose_a, const ShapePose<Real>& pose_b, Real between)
{
  const Real reach = pose_a.scale + pose_b.scale, room = between - Real(1e-4) * reach,
             across = Real(0.2) * reach;
  return room < across ? room : across;
}

/// A cached result for two bodies, and the length of their paths up to which it holds: a float
/// whose last bits are the kind of the result. 0: nothing cached.
struct ShapesKnown
{
  static constexpr std::uint32_t kKind = 15;

  /// `room`: distance that both together may still move. `path`: their paths so far.
  DEM_HD static std::uint32_t of(unsigned kind, float room, float path)
  {
    if (!(room > 0.f))
      return 0;
    // reduced by more than the rounding errors
    const float most = room * (1 - 1e-5f) + path * (1 - 1e-6f);
    std::uint32_t bits;
    std::memcpy(&bits, &most, sizeof bits);
    return (bits & ~kKind) | kind;
  }
  /// Valid until it is replaced.
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

// Slow references of the narrow phase (Shapes/ShapeContact.cuh), by other means than the kernels':
// support functions searched over directions, solids cut plane by plane. In double, plain loops.
#pragma once

#include "Shapes/ContactBatch.h"
#include "Shapes/ShapeTable.cuh"

#include "Random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace reference
{

using dem::Vec3d;

using test::uniform;

inline Vec3d direction(std::mt19937& random)
{
  for (;;)
  {
    const Vec3d v{ uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1) };
    const double l = length(v);
    if (l > 1e-3 && l < 1)
      return (1 / l) * v;
  }
}
inline dem::Quaternion<double> orientation(std::mt19937& random)
{
  for (;;)
  {
    const dem::Quaternion<double> q{ uniform(random, -1, 1), uniform(random, -1, 1),
      uniform(random, -1, 1), uniform(random, -1, 1) };
    const double l = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (l > 1e-3 && l < 1)
      return normalized(q);
  }
}

/// The triangles of a convex hull, by brute force over triples; counter-clockwise from outside.
inline std::vector<std::array<std::int32_t, 3>> hullTriangles(const std::vector<Vec3d>& vertices)
{
  std::vector<std::array<std::int32_t, 3>> triangles;
  const auto n = static_cast<std::int32_t>(vertices.size());
  for (std::int32_t i = 0; i < n; ++i)
    for (std::int32_t j = i + 1; j < n; ++j)
      for (std::int32_t k = i + 1; k < n; ++k)
      {
        const Vec3d normal = cross(vertices[j] - vertices[i], vertices[k] - vertices[i]);
        bool hull = j != k;
        for (const Vec3d& p : vertices)
          hull = hull && dot(normal, p - vertices[i]) < 1e-12;
        if (hull)
          triangles.push_back({ i, j, k });
      }
  return triangles;
}

/// The hull of 14 points on an ellipsoid.
inline dem::Shape stone()
{
  std::mt19937 random(11);
  std::vector<Vec3d> vertices;
  for (int i = 0; i < 14; ++i)
  {
    const Vec3d n = direction(random);
    vertices.push_back({ 1.3 * n.x, n.y, 0.8 * n.z });
  }
  return dem::makePolyhedron("Stone", vertices, hullTriangles(vertices));
}

// ----
// signed distances

/// The farthest point of a body of bounding radius 1 along a direction, in its own frame.
using Support = std::function<Vec3d(const Vec3d&)>;

inline Support sphereSupport()
{
  return [](const Vec3d& n) { return (1 / length(n)) * n; };
}
inline Support hullSupport(const std::vector<Vec3d>& points)
{
  return [points](const Vec3d& n) {
    Vec3d best = points[0];
    for (const Vec3d& p : points)
      if (dot(p, n) > dot(best, n))
        best = p;
    return best;
  };
}
/// A tablet by its definition: the farthest of the points of its parts. Caps: spheres, as far as
/// they lie beyond the joint; rim: a disk of radius `rim` plus a spheroid; a ball of radius `edge`
/// about all of it.
inline Support tabletSupport(const dem::TabletNumbers<double>& t)
{
  // the joint's normal, where cap and rim meet
  const double joint_z = std::min(1.0, t.cap_cosine), joint_r = std::sqrt(1 - joint_z * joint_z);
  return [t, joint_z, joint_r](const Vec3d& direction) {
    const Vec3d n = (1 / length(direction)) * direction;
    const double side = n.z < 0 ? -1 : 1;
    // in the half plane of the axis and n
    const double nr = std::sqrt(n.x * n.x + n.y * n.y), nz = std::fabs(n.z);
    const Vec3d e = nr > 0 ? Vec3d{ n.x / nr, n.y / nr, 0 } : Vec3d{ 1, 0, 0 };
    // the cap reaches down to the joint only
    const bool steep = nz >= joint_z;
    double r = t.cap * (steep ? nr : joint_r), z = t.cap_center + t.cap * (steep ? nz : joint_z);
    if (!steep)
    {
      // the spheroid's point of normal n, by its semi-axes
      const double semi = t.crown * t.height,
                   norm = std::sqrt(semi * nr * semi * nr + t.height * nz * t.height * nz);
      const double rim_r = t.rim + (norm > 0 ? semi * semi * nr / norm : 0),
                   rim_z = norm > 0 ? t.height * t.height * nz / norm : 0;
      if (rim_r * nr + rim_z * nz > r * nr + z * nz)
        r = rim_r, z = rim_z;
    }
    return r * e + Vec3d{ 0, 0, side * z } + t.edge * n;
  };
}

struct Body
{
  Support support;
  Vec3d center;
  dem::Quaternion<double> q;
  double scale = 1;
  std::vector<Vec3d> vertices; // of hulls, own frame
  std::vector<Vec3d> normals;  // of their faces
  std::vector<std::pair<int, int>> edges;

  std::vector<Vec3d> in_space; // vertices, where it saves turning directions

  Vec3d farthest(const Vec3d& n) const
  {
    if (in_space.empty())
      return center + scale * rotate(q, support(rotate(conjugate(q), n)));
    const Vec3d* best = &in_space[0];
    for (const Vec3d& p : in_space)
      if (dot(p, n) > dot(*best, n))
        best = &p;
    return *best;
  }
  Vec3d vertex(int k) const { return center + scale * rotate(q, vertices[k]); }
};

/// A tablet (t: its numbers) or polyhedron.
inline Body body(const dem::Shape& shape, const dem::TabletNumbers<double>& t, const Vec3d& center,
  const dem::Quaternion<double>& q, double radius)
{
  Body b;
  b.center = center;
  b.q = q;
  b.scale = radius;
  if (shape.kind == dem::ShapeKind::BiConvexTablet)
  {
    b.support = tabletSupport(t);
    return b;
  }
  for (const Vec3d& v : shape.vertices)
    b.vertices.push_back((1 / shape.mass.bounding_radius) * v);
  b.support = hullSupport(b.vertices);
  for (int k = 0; k < static_cast<int>(b.vertices.size()); ++k)
    b.in_space.push_back(b.vertex(k));
  const std::vector<Vec3d>& v = shape.vertices;
  for (const auto& f : shape.faces)
  {
    b.normals.push_back(normalized(cross(v[f[1]] - v[f[0]], v[f[2]] - v[f[0]])));
    for (std::size_t k = 0; k < f.size(); ++k)
      if (f[k] < f[(k + 1) % f.size()])
        b.edges.emplace_back(f[k], f[(k + 1) % f.size()]);
  }
  return b;
}

/// Distance along n, negative for overlap.
inline double separation(const Body& a, const Body& b, const Vec3d& n)
{
  return dot(n, b.farthest(-n) - a.farthest(n));
}

struct Signed
{
  double distance;
  Vec3d normal;
};

/// The largest separation over all directions: a net of directions, the best of which are followed
/// by a shrinking pattern; and, where a body is a hull, the normals of its faces and the directions
/// across its edges.
inline Signed signedDistance(const Body& a, const Body& b, int net, int patience = 2)
{
  struct Start
  {
    double s;
    Vec3d n;
  };
  std::vector<Start> starts;
  const auto add = [&](const Vec3d& n) { starts.push_back({ separation(a, b, n), n }); };
  for (int i = 0; i < net; ++i)
  {
    const double z = 1 - (2 * i + 1.0) / net, r = std::sqrt(1 - z * z), phi = 2.399963229728653 * i;
    add({ r * std::cos(phi), r * std::sin(phi), z });
  }
  for (const Body* h : { &a, &b })
    for (const Vec3d& n : h->normals)
    {
      const Vec3d m = rotate(h->q, n);
      add(m);
      add(-m);
    }
  if (length(b.center - a.center) > 0)
    add(normalized(b.center - a.center));
  std::partial_sort(starts.begin(), starts.begin() + 2, starts.end(),
    [](const Start& x, const Start& y) { return x.s > y.s; });
  Signed best{ -1e300, {} };
  for (int k = 0; k < 2; ++k)
  {
    Start at = starts[k];
    double step = 0.1;
    // a pattern that turns does not stick to the creases of a hull's support function
    const int tries = a.vertices.empty() && b.vertices.empty() ? 1 : patience;
    int failures = 0;
    for (double turn = 0; step > 1e-6; turn += 0.61803398874989485)
    {
      const Vec3d u = normalized(
                    cross(at.n, std::fabs(at.n.x) < 0.6 ? Vec3d{ 1, 0, 0 } : Vec3d{ 0, 1, 0 })),
                  v = cross(at.n, u);
      Start next = at;
      for (int j = 0; j < 6; ++j)
      {
        const double phi = 1.0471975511965976 * (j + turn);
        const Vec3d n = normalized(at.n + step * (std::cos(phi) * u + std::sin(phi) * v));
        const double s = separation(a, b, n);
        if (s > next.s)
          next = { s, n };
      }
      if (next.s > at.s)
      {
        at = next;
        failures = 0;
      }
      else if (++failures == tries)
      {
        step *= 0.4;
        failures = 0;
      }
    }
    if (at.s > best.distance)
      best = { at.s, at.n };
  }
  // a maximum on a crease of the support function: across an edge
  for (const Body* h : { &a, &b })
    for (const auto& e : h->edges)
    {
      // far from what was found there is none
      const Vec3d toward = h == &a ? best.normal : -best.normal;
      const double front = dot(toward, h->farthest(toward));
      if (dot(toward, h->vertex(e.first)) < front - 0.3 * h->scale ||
        dot(toward, h->vertex(e.second)) < front - 0.3 * h->scale)
        continue;
      const Vec3d k = normalized(h->vertex(e.second) - h->vertex(e.first));
      const Vec3d u = normalized(
                    cross(k, std::fabs(k.x) < 0.6 ? Vec3d{ 1, 0, 0 } : Vec3d{ 0, 1, 0 })),
                  v = cross(k, u);
      const auto along = [&](double phi) { return std::cos(phi) * u + std::sin(phi) * v; };
      double top = -1e300, angle = 0;
      constexpr int kNet = 24;
      for (int i = 0; i < kNet; ++i)
      {
        const double s = separation(a, b, along(2 * M_PI * i / kNet));
        if (s > top)
          top = s, angle = 2 * M_PI * i / kNet;
      }
      if (top < best.distance - 0.1)
        continue;
      for (double step = M_PI / kNet; step > 1e-7;)
      {
        const double left = separation(a, b, along(angle - step)),
                     right = separation(a, b, along(angle + step));
        if (left > top)
          top = left, angle -= step;
        else if (right > top)
          top = right, angle += step;
        else
          step *= 0.5;
      }
      if (top > best.distance)
        best = { top, along(angle) };
    }
  return best;
}

// ----
// solids cut by planes

/// A convex solid as closed polygons, counter-clockwise from outside; cut by a plane it is closed
/// again.
struct Solid
{
  std::vector<std::vector<Vec3d>> faces;
  std::vector<int> cuts; // of each face: which cut made it, 0 for none
  int made = 0;

  /// Whether a cut would take anything off.
  bool reachesBeyond(const Vec3d& normal, double w) const
  {
    for (const auto& f : faces)
      for (const Vec3d& p : f)
        if (dot(normal, p) > w)
          return true;
    return false;
  }

  /// Keeps normal . x <= w.
  Solid cut(const Vec3d& normal, double w) const
  {
    Solid out;
    if (!reachesBeyond(normal, w))
    {
      out = *this;
      ++out.made;
      return out;
    }
    out.made = made + 1;
    std::vector<Vec3d> rim;
    for (std::size_t i = 0; i < faces.size(); ++i)
    {
      const std::vector<Vec3d>& f = faces[i];
      std::vector<Vec3d> kept;
      for (std::size_t k = 0; k < f.size(); ++k)
      {
        const Vec3d &p = f[k], &q = f[(k + 1) % f.size()];
        const double hp = dot(normal, p) - w, hq = dot(normal, q) - w;
        if (hp <= 0)
          kept.push_back(p);
        if ((hp <= 0) != (hq <= 0))
        {
          const Vec3d x = p + (hp / (hp - hq)) * (q - p);
          kept.push_back(x);
          rim.push_back(x);
        }
      }
      if (kept.size() >= 3)
      {
        out.faces.push_back(kept);
        out.cuts.push_back(cuts[i]);
      }
    }
    if (rim.size() >= 3)
    {
      // the lid: its corners by angle
      Vec3d middle{};
      for (const Vec3d& p : rim)
        middle += (1.0 / static_cast<double>(rim.size())) * p;
      const Vec3d u = normalized(
                    cross(normal, std::fabs(normal.x) < 0.6 ? Vec3d{ 1, 0, 0 } : Vec3d{ 0, 1, 0 })),
                  v = cross(normal, u);
      std::sort(rim.begin(), rim.end(), [&](const Vec3d& p, const Vec3d& q) {
        return std::atan2(dot(p - middle, v), dot(p - middle, u)) <
          std::atan2(dot(q - middle, v), dot(q - middle, u));
      });
      out.faces.push_back(rim);
      out.cuts.push_back(out.made);
    }
    return out;
  }

  /// Of the faces that cuts `from` to `to` made.
  Vec3d area(int from, int to) const
  {
    Vec3d sum{};
    for (std::size_t i = 0; i < faces.size(); ++i)
      if (cuts[i] >= from && cuts[i] <= to)
        for (std::size_t k = 1; k + 1 < faces[i].size(); ++k)
          sum += 0.5 * cross(faces[i][k] - faces[i][0], faces[i][k + 1] - faces[i][0]);
    return sum;
  }

  double volume(Vec3d* centroid = nullptr) const
  {
    double v = 0;
    Vec3d first{};
    if (faces.empty())
      return 0;
    const Vec3d o = faces[0][0];
    for (const auto& f : faces)
      for (std::size_t k = 1; k + 1 < f.size(); ++k)
      {
        const Vec3d a = f[0] - o, b = f[k] - o, c = f[k + 1] - o;
        const double t = dot(a, cross(b, c)) / 6;
        v += t;
        first += (t / 4) * (a + b + c);
      }
    if (centroid && v > 0)
      *centroid = o + (1 / v) * first;
    return v;
  }
};

inline Solid solidOf(
  const dem::Shape& shape, const Vec3d& center, const dem::Quaternion<double>& q, double radius)
{
  Solid s;
  const double scale = radius / shape.mass.bounding_radius;
  for (const auto& f : shape.faces)
  {
    std::vector<Vec3d> face;
    for (const std::int32_t c : f)
      face.push_back(center + scale * rotate(q, shape.vertices[c]));
    s.faces.push_back(face);
    s.cuts.push_back(0);
  }
  return s;
}

inline Solid common(const Solid& a, const Solid& b)
{
  Solid s = a;
  for (const auto& f : b.faces)
  {
    const Vec3d n = normalized(cross(f[1] - f[0], f[2] - f[0]));
    s = s.cut(n, dot(n, f[0]));
  }
  return s;
}

} // namespace reference

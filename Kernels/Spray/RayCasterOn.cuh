// RayCaster for an execution policy: grains and their periodic images as items of a search, and the
// kernel that follows a ray from period to period.
#pragma once

#include "Analysis/detail/Staging.h"
#include "BroadPhase/Grid.cuh"
#include "Core/Atomic.cuh"
#include "Spray/RayCells.cuh"
#include "Spray/RayTree.cuh"
#include "Spray/RayWall.cuh"
#include "Spray/detail/RayCasterEngine.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dem
{
namespace ray
{

/// Images of a grain along the three axes, -1, 0 or 1 each, as one number.
DEM_HD std::uint8_t imageCode(int x, int y, int z)
{
  return static_cast<std::uint8_t>((x + 1) + 3 * (y + 1) + 9 * (z + 1));
}
DEM_HD int imageAlong(std::uint8_t code, int k)
{
  return (k == 0 ? code : (k == 1 ? code / 3 : code / 9)) % 3 - 1;
}

/// The grains of an instant, in device memory.
struct GrainsView
{
  const Vec4<double>* sphere; // centre within the period, w = bounding radius
  const Vec4<double>* turn;   // of the principal axes, w x y z; null: spheres
  const std::int32_t* shape;  // null: spheres
  const std::int64_t* id;     // null: the index
  // Items of the search: null if they are the grains themselves.
  const std::uint32_t* item_grain;
  const std::uint8_t* item_image;
  std::uint32_t n;
  Periodic box;

  DEM_HD std::int64_t idOf(std::uint32_t i) const { return id ? id[i] : i; }
  DEM_HD RayGrain grain(std::uint32_t i) const
  {
    RayGrain g{ sphere[i].xyz(), sphere[i].w, {}, 0 };
    if (turn)
    {
      g.turn = { turn[i].x, turn[i].y, turn[i].z, turn[i].w };
      g.shape = shape[i];
    }
    return g;
  }
};

/// Makes bounding spheres and principal axes from the input. Counts faults.
struct TakeGrains
{
  const double *position, *radius, *orientation;
  const std::int32_t* shape_of;
  ShapeView<double> shapes;
  const Vec4<double>* axes; // by shape: from the principal to the defined frame, w x y z
  Periodic box;
  Vec4<double>*sphere, *turn;
  std::int32_t* shape;
  unsigned* fault; // 1 + highest index of a faulty grain

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::size_t k = i;
    Vec3d x{ position[3 * k], position[3 * k + 1], position[3 * k + 2] };
    for (int a = 0; a < 3; ++a)
      if (box.period[a] > 0)
        x[a] -= box.period[a] * std::floor((x[a] - box.lower[a]) / box.period[a]);
    double r = radius[k];
    const std::int32_t s = shape_of && shapes.size ? shape_of[k] : 0;
    const bool known = s >= 0 && (s == 0 || s < shapes.size);
    if (!(r > 0 && r < 1e150) || !(ray::dot(x, x) < 1e300) || !known)
    {
      atomicRaise(fault, i + 1);
      sphere[k] = { 0, 0, 0, 1 };
      return;
    }
    if (turn)
    {
      if (shapes.shapes[s].kind != ShapeKind::Sphere)
        r /= shapes.shapes[s].equivalent_radius;
      const Vec4<double> f = axes[s];
      Quaternion<double> q{ f.x, f.y, f.z, f.w };
      if (orientation)
        q = times({ orientation[4 * k], orientation[4 * k + 1], orientation[4 * k + 2],
                    orientation[4 * k + 3] },
          q);
      const double unit = 1 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
      turn[k] = { unit * q.w, unit * q.x, unit * q.y, unit * q.z };
      if (!(unit < 1e100))
        atomicRaise(fault, i + 1);
      shape[k] = s;
    }
    sphere[k] = vec4(x, r);
  }
  DEM_HD static Quaternion<double> times(const Quaternion<double>& a, const Quaternion<double>& b)
  {
    return { a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
      a.w * b.x + b.w * a.x + a.y * b.z - a.z * b.y, a.w * b.y + b.w * a.y + a.z * b.x - a.x * b.z,
      a.w * b.z + b.w * a.z + a.x * b.y - a.y * b.x };
  }
};

/// Calls visit(x, y, z) for the images of a bounding sphere that reach into the period.
template <class Visit>
DEM_HD void forImages(const Vec4<double>& s, const Periodic& box, double pad, const Visit& visit)
{
  int low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 };
  for (int k = 0; k < 3; ++k)
    if (box.period[k] > 0)
    {
      const double x = k == 0 ? s.x : (k == 1 ? s.y : s.z);
      high[k] = x - s.w - pad < box.lower[k] ? 1 : 0;
      low[k] = x + s.w + pad > box.lower[k] + box.period[k] ? -1 : 0;
    }
  for (int z = low[2]; z <= high[2]; ++z)
    for (int y = low[1]; y <= high[1]; ++y)
      for (int x = low[0]; x <= high[0]; ++x)
        visit(x, y, z);
}

struct CountImages
{
  const Vec4<double>* sphere;
  Periodic box;
  double pad;
  std::uint32_t* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t images = 0;
    forImages(sphere[i], box, pad, [&](int, int, int) { ++images; });
    count[i] = images;
  }
};

struct ListImages
{
  const Vec4<double>* sphere;
  Periodic box;
  double pad;
  const std::uint32_t* start;
  std::uint32_t* grain;
  std::uint8_t* image;

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t at = start[i];
    forImages(sphere[i], box, pad, [&](int x, int y, int z) {
      grain[at] = i;
      image[at++] = imageCode(x, y, z);
    });
  }
};

struct ItemBoxes
{
  GrainsView grains;
  BvhBox* box;

  DEM_HD void operator()(std::uint32_t item) const
  {
    const std::uint32_t i = grains.item_grain ? grains.item_grain[item] : item;
    const Vec4<double> s = grains.sphere[i];
    Vec3d c = s.xyz();
    for (int k = 0; k < 3 && grains.item_image; ++k)
      c[k] += imageAlong(grains.item_image[item], k) * grains.box.period[k];
    box[item] = { { c.x - s.w, c.y - s.w, c.z - s.w }, { c.x + s.w, c.y + s.w, c.z + s.w } };
  }
};

/// Diameters of bounding spheres.
struct DiametersOf
{
  const Vec4<double>* sphere;

  DEM_HD double operator[](std::size_t i) const { return 2 * sphere[i].w; }
};

/// All items, for tests.
struct EveryItem
{
  std::uint32_t n;

  template <class Visit>
  DEM_HD void along(
    const Vec3d&, const Vec3d&, double, double, const double&, const Visit& visit) const
  {
    for (std::uint32_t i = 0; i < n; ++i)
      visit(i);
  }
};

/// Wall elements in space: triangles in a tree, the others one by one.
struct WallsView
{
  const WallElement* elements;
  const std::uint32_t* triangle; // element of each item of the tree
  TreeView tree;
  const std::uint32_t* other; // the other elements
  std::uint32_t others;
};

/// Follows a ray to the first surface. One thread a ray. `kShaped`: see RayShapes::distance().
template <class Search, bool kShaped>
struct CastRays
{
  RayDirection direction;
  RayShapes shapes;
  GrainsView grains;
  WallsView walls;
  Search search;
  double pad; // m: overlap of the parts of a ray in two periods, above all rounding errors
  CoatingPatch patches;
  const Vec4<double>* axes; // see TakeGrains
  RayHit* hits;

  struct Best
  {
    double distance = kNever;
    std::uint32_t surface = RayHit::kNothing;
    std::int64_t id = 0;
    Vec3d center{};
  };

  DEM_HD void operator()(std::uint32_t r) const
  {
    const Vec3d x = direction.cone.origin, d = direction(r);
    Best best;
    followPeriods(x, d, best);
    RayHit hit{ best.distance, best.surface, 0 };
    if (best.surface < grains.n && patches.n > 0)
    {
      RayGrain g = grains.grain(best.surface);
      g.center = best.center;
      const Vec4<double> f = axes[g.shape];
      hit.patch =
        patches(RayShapes::bodyDirection(x + best.distance * d, g, { f.x, f.y, f.z, f.w }));
    }
    hits[r] = hit;
  }

private:
  // `shift`: of the period, in m. The ray is inside from s = `from` to `to`.
  DEM_HD void searchPeriod(
    const Vec3d& x, const Vec3d& d, const Vec3d& period, double from, double to, Best& best) const
  {
    Vec3d here = x;
    for (int k = 0; k < 3; ++k)
      here[k] -= period[k] * grains.box.period[k];
    search.along(here, d, from, to, best.distance, [&](std::uint32_t item) {
      const std::uint32_t i = grains.item_grain ? grains.item_grain[item] : item;
      RayGrain g = grains.grain(i);
      // the centre in the space of the ray, by the same operations from every period
      for (int k = 0; k < 3 && grains.item_image; ++k)
        g.center[k] += (period[k] + imageAlong(grains.item_image[item], k)) * grains.box.period[k];
      const double s = shapes.distance<kShaped>(x, d, g);
      if (s < best.distance ||
        (s == best.distance && s != kNever &&
          (best.surface >= grains.n || grains.idOf(i) < best.id)))
        best = { s, i, grains.idOf(i), g.center };
    });
    searchWalls(here, d, from, to, best);
  }

  DEM_HD void searchWalls(
    const Vec3d& here, const Vec3d& d, double from, double to, Best& best) const
  {
    const auto meet = [&](std::uint32_t e) {
      const double s = enterElement(here, d, walls.elements[e]);
      const std::uint32_t surface = grains.n + e;
      if (s >= from - pad && s <= to + pad &&
        (s < best.distance ||
          (s == best.distance && s != kNever && best.surface > surface &&
            best.surface != RayHit::kNothing)))
        best = { s, surface, 0, {} };
    };
    walls.tree.along(
      here, d, from, to, best.distance, [&](std::uint32_t item) { meet(walls.triangle[item]); });
    for (std::uint32_t k = 0; k < walls.others; ++k)
      meet(walls.other[k]);
  }

  // From period to period; at once without periodic borders.
  DEM_HD void followPeriods(const Vec3d& x, const Vec3d& d, Best& best) const
  {
    const Periodic& box = grains.box;
    Vec3d period{};
    for (int k = 0; k < 3; ++k)
      if (box.period[k] > 0)
        period[k] = std::floor((x[k] - box.lower[k]) / box.period[k]);
    double from = 0;
    for (int crossing = 0; crossing <= RayCaster::kMostCrossings; ++crossing)
    {
      double to = kNever;
      int axis = -1;
      for (int k = 0; k < 3; ++k)
        if (box.period[k] > 0 && std::fabs(d[k]) > 1e-300)
        {
          const double border = box.lower[k] + (period[k] + (d[k] < 0 ? 0 : 1)) * box.period[k],
                       s = (border - x[k]) / d[k];
          if (s < to)
          {
            to = s;
            axis = k;
          }
        }
      searchPeriod(x, d, period, from, to, best);
      if (axis < 0 || best.distance <= to - pad)
        return;
      period[axis] += d[axis] < 0 ? -1 : 1;
      from = to;
    }
    if (best.distance > from) // beyond the last period, which the searches see in part
      best = {};
  }
};

} // namespace ray

template <class Exec>
class RayCasterOn final : public RayCasterEngine
{
public:
  template <class... ExecArguments>
  explicit RayCasterOn(ExecArguments... arguments)
    : exec_(arguments...)
  {
    setShapes({ makeSphere() }, 0);
  }

  void setShapes(const std::vector<Shape>& shapes, int patches) override
  {
    exec_.inArena([&] { takeShapes(shapes, patches); });
  }

  void setWalls(const std::vector<WallElement>& elements) override
  {
    exec_.inArena([&] { takeWalls(elements); });
  }

  void setGrains(const RayGrains& grains, const RayBox& box, RaySearch search) override
  {
    detail::requireReachable(exec_, grains.memory);
    if (grains.size > 0x7ffffff0u)
      throw Error(
        "There are " + std::to_string(grains.size) + " grains; rays can meet 2^31 - 16 at most.");
    search_ = search;
    exec_.inArena([&] { takeGrains(grains, { box.lower, box.period }); });
  }

  RaySearch searchInUse() const override { return in_use_; }

  void rebuild() override
  {
    exec_.inArena([&] {
      listItems();
      buildSearch();
    });
  }

  void cast(const RayCone& cone, std::size_t rays, std::vector<RayHit>* hits) override
  {
    exec_.inArena([&] {
      const auto cast_by = [&](const auto& search) {
        if (shaped_)
          castBy<true>(search, cone, rays, hits);
        else
          castBy<false>(search, cone, rays, hits);
      };
      if (in_use_ == RaySearch::UniformGrid)
        cast_by(cells_.view());
      else if (in_use_ == RaySearch::BVH)
        cast_by(tree_.view());
      else
        cast_by(ray::EveryItem{ items_ });
    });
  }

private:
  template <class T>
  using Buffer = Array<T, Exec>;

  void takeShapes(const std::vector<Shape>& shapes, int patches)
  {
    std::vector<Vec4<double>> axes, spheres;
    std::vector<std::int32_t> begin{ 0 };
    shaped_ = false;
    for (const Shape& shape : shapes)
    {
      const Quaternion<double>& q = shape.mass.axes;
      axes.push_back({ q.w, q.x, q.y, q.z });
      for (std::size_t k = 0; k < shape.centers.size(); ++k)
        spheres.push_back(vec4((1 / shape.mass.bounding_radius) * shape.centers[k],
          shape.radii[k] / shape.mass.bounding_radius));
      begin.push_back(static_cast<std::int32_t>(spheres.size()));
      shaped_ = shaped_ || shape.kind != ShapeKind::Sphere;
    }
    const ShapeTable<double> table(shapes);
    shapes_ = std::make_unique<DeviceShapes<Exec, double>>(exec_, table);
    axes_.assign(axes);
    spheres_.assign(spheres);
    sphere_begin_.assign(begin);
    patches_ = patches;
    patch_edges_.assign(patchEdges(patches));
  }

  void takeWalls(const std::vector<WallElement>& elements)
  {
    std::vector<std::uint32_t> triangles, others;
    std::vector<BvhBox> boxes;
    BvhBox bounds{ { 1e300, 1e300, 1e300 }, { -1e300, -1e300, -1e300 } };
    for (std::uint32_t e = 0; e < elements.size(); ++e)
    {
      const WallElement& t = elements[e];
      if (t.kind != ElementKind::Triangle)
      {
        others.push_back(e);
        continue;
      }
      BvhBox box{ t.a, t.a };
      for (const Vec3d& p : { t.b, t.c })
        ray::BoundBoxes::join(box, { p, p });
      ray::BoundBoxes::join(bounds, box);
      triangles.push_back(e);
      boxes.push_back(box);
    }
    elements_.assign(elements);
    triangles_.assign(triangles);
    others_.assign(others);
    wall_boxes_.assign(boxes);
    wall_tree_.build(wall_boxes_.data(), static_cast<std::uint32_t>(boxes.size()), bounds);
    exec_.synchronize();
  }

  void takeGrains(const RayGrains& given, const Periodic& box)
  {
    n_ = static_cast<std::uint32_t>(given.size);
    box_ = box;
    const bool turned = shaped_ && given.shape;
    sphere_.resize(n_);
    turn_.resize(turned || patches_ > 0 ? n_ : 0);
    shape_.resize(turn_.size());
    id_.resize(given.id ? n_ : 0);
    fault_.resize(1);
    fault_.zero();
    detail::Input<double, Exec> position(exec_), radius(exec_), orientation(exec_);
    detail::Input<std::int32_t, Exec> shape(exec_);
    detail::Input<std::int64_t, Exec> id(exec_);
    exec_.forEach(n_,
      ray::TakeGrains{ position(given.position, 3 * std::size_t(n_), given.memory),
        radius(given.radius, n_, given.memory),
        turn_.size() ? orientation(given.orientation, 4 * std::size_t(n_), given.memory) : nullptr,
        turned ? shape(given.shape, n_, given.memory) : nullptr, shapes_->view(), axes_.data(), box,
        sphere_.data(), turn_.size() ? turn_.data() : nullptr, shape_.data(), fault_.data() });
    if (given.id && n_)
      exec_.copy(id_.data(), id(given.id, n_, given.memory), n_ * sizeof(std::int64_t));
    if (const unsigned fault = fault_.host()[0])
      throw Error("Grain " + std::to_string(fault - 1) +
        " cannot be met by rays: its position or radius is not possible, its orientation is zero, "
        "or its shape is not known.");
    listItems();
    buildSearch();
  }

  void listItems()
  {
    items_ = n_;
    if (!box_.any())
      return;
    Buffer<std::uint32_t> count(exec_), start(exec_);
    count.resize(n_);
    start.resize(n_ + std::size_t(1));
    exec_.forEach(n_, ray::CountImages{ sphere_.data(), box_, pad(), count.data() });
    items_ = static_cast<std::uint32_t>(scanCounts(exec_, count.data(), start.data(), n_));
    item_grain_.resize(items_, 1.1);
    item_image_.resize(items_, 1.1);
    exec_.forEach(n_,
      ray::ListImages{
        sphere_.data(), box_, pad(), start.data(), item_grain_.data(), item_image_.data() });
    exec_.synchronize();
  }

  void buildSearch()
  {
    tree_.build(nullptr, 0, {});
    cells_.build(nullptr, 0, {}, 1);
    in_use_ = search_ == RaySearch::Automatic ? RaySearch::UniformGrid : search_;
    if (items_ == 0 || search_ == RaySearch::EveryGrain)
      return;
    boxes_.resize(items_, 1.1);
    exec_.forEach(items_, ray::ItemBoxes{ grains(), boxes_.data() });
    const BvhBox bounds = ray::boundsOf(exec_, boxes_.data(), items_, partial_);
    if (search_ != RaySearch::BVH)
    {
      cells_.build(boxes_.data(), items_, bounds, meanEdge());
      if (search_ == RaySearch::Automatic && cells_.crowding() > kCrowded)
        in_use_ = RaySearch::BVH;
    }
    if (in_use_ == RaySearch::BVH)
      tree_.build(boxes_.data(), items_, bounds);
    exec_.synchronize();
  }

  // Mean diameter of the bounding spheres.
  double meanEdge()
  {
    edges_.resize(sumBlocks(n_));
    exec_.forEach(
      sumBlocks(n_), SumBlocks<double, ray::DiametersOf>{ { sphere_.data() }, n_, edges_.data() });
    double sum = 0;
    for (const double part : edges_.host())
      sum += part;
    return sum / n_;
  }

  double pad() const
  {
    double size = 0;
    for (int k = 0; k < 3; ++k)
      size = std::max({ size, std::fabs(box_.lower[k]), box_.period[k] });
    return 1e-9 * size;
  }

  ray::GrainsView grains()
  {
    const bool images = box_.any();
    return { sphere_.data(), turn_.size() ? turn_.data() : nullptr, shape_.data(),
      id_.size() ? id_.data() : nullptr, images ? item_grain_.data() : nullptr,
      images ? item_image_.data() : nullptr, n_, box_ };
  }

  template <bool kShaped, class Search>
  void castBy(
    const Search& search, const RayCone& cone, std::size_t rays, std::vector<RayHit>* hits)
  {
    const ray::WallsView walls{ elements_.data(), triangles_.data(), wall_tree_.view(),
      others_.data(), static_cast<std::uint32_t>(others_.size()) };
    hits_.resize(rays);
    exec_.forEach(rays,
      ray::CastRays<Search, kShaped>{ { cone },
        { shapes_->view(), spheres_.data(), sphere_begin_.data() }, grains(), walls, search, pad(),
        { patches_, patch_edges_.data() }, axes_.data(), hits_.data() });
    if (hits)
      exec_.toHost(hits->data(), hits_.data(), rays * sizeof(RayHit));
    exec_.synchronize();
  }

  Exec exec_;
  static constexpr double kCrowded = 64; // entries of a cell that hold the grid back behind a tree

  RaySearch search_ = RaySearch::Automatic, in_use_ = RaySearch::UniformGrid;
  std::unique_ptr<DeviceShapes<Exec, double>> shapes_;
  bool shaped_ = false; // some shapes are not spheres
  Buffer<Vec4<double>> axes_{ exec_ }, spheres_{ exec_ };
  Buffer<std::int32_t> sphere_begin_{ exec_ };
  int patches_ = 0;
  Buffer<double> patch_edges_{ exec_ };

  Buffer<WallElement> elements_{ exec_ };
  Buffer<std::uint32_t> triangles_{ exec_ }, others_{ exec_ };
  Buffer<BvhBox> wall_boxes_{ exec_ };
  ray::Tree<Exec> wall_tree_{ exec_ };

  std::uint32_t n_ = 0, items_ = 0;
  Periodic box_{};
  Buffer<Vec4<double>> sphere_{ exec_ }, turn_{ exec_ };
  Buffer<std::int32_t> shape_{ exec_ };
  Buffer<std::int64_t> id_{ exec_ };
  Buffer<unsigned> fault_{ exec_ };
  Buffer<std::uint32_t> item_grain_{ exec_ };
  Buffer<std::uint8_t> item_image_{ exec_ };
  Buffer<BvhBox> boxes_{ exec_ }, partial_{ exec_ };
  Buffer<double> edges_{ exec_ };
  ray::Tree<Exec> tree_{ exec_ };
  ray::Cells<Exec> cells_{ exec_ };
  Buffer<RayHit> hits_{ exec_ };
};

} // namespace dem

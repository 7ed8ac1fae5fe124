// paragrain-bench-tree: compares the tree of the search BVH with trees that are built top-down by a
// cost function (Kureck 2016, 7.1), by counts that do not depend on the machine. Runs on the CPU.
//   paragrain-bench-tree [--particles N] [--skin S] [--seed K] [--case NAME ...] [--json FILE]
// Cases: loose (equal spheres at random, solid fraction 0.3), dense (a face-centred cubic lattice
// with jitter, solid fraction 0.6), trough (the same, 16:4:1), 1:10 (dense, and 276 spheres of ten
// times the radius for each million: Kureck, table 6.13), 1:20 (radii uniform from 1 to 20, solid
// fraction 0.3), outlier (loose, and one more sphere a hundred widths away).
// Trees: the linear one by Morton keys of 30 and 63 bits, as the solver builds it; the same by keys
// whose cells are cubes; and binned top-down ones by the surface area heuristic (Wald, IEEE Symp.
// Interactive Ray Tracing 2007) and by the enlarged volume. Columns: SAH cost, the sum of the
// surface areas of all nodes over that of the root; boxes tested by the search of a sphere (mean
// over all spheres), and the inner nodes and leaves whose boxes meet its query. S is the skin over
// the mean diameter (0.1). Lengths are in units of the least radius.
// All trees must find the pairs of the solver's search, else the exit status is 1.
#include "Core/CpuExec.h"
#include "Core/Error.h"
#include "NeighborList/CandidateSearch.cuh"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace
{

using dem::BvhBox;
using dem::BvhView;
using dem::Vec3d;
using Sphere = dem::Vec4<double>; // w: radius

constexpr double kPi = 3.14159265358979323846;

struct Options
{
  std::size_t particles = 100000;
  double skin = 0.1;
  unsigned seed = 1;
  std::vector<std::string> cases{ "loose", "dense", "trough", "1:10", "1:20", "outlier" };
  std::string json;
};

double volume(double r) { return 4. / 3 * kPi * r * r * r; }

// ---- scenes ----

class Random
{
public:
  explicit Random(unsigned seed)
    : random_(seed)
  {
  }
  double operator()(double a, double b) { return a + (b - a) * (random_() / 4294967296.0); }

private:
  std::mt19937 random_;
};

/// Spheres in a box that do not overlap. Each is listed in all cells that its bounding box meets.
class Packing
{
public:
  Packing(const Vec3d& size, double cell)
    : size_(size)
  {
    std::size_t all = 1;
    for (int k = 0; k < 3; ++k)
    {
      cells_[k] = std::max(1, static_cast<int>(size[k] / cell));
      all *= cells_[k];
    }
    inside_.resize(all);
  }

  /// Adds a sphere unless it overlaps with another one. Returns whether it was added.
  bool place(const Vec3d& x, double r)
  {
    bool free = true;
    overCells(x, r, [&](std::vector<std::uint32_t>& cell) {
      for (std::size_t k = 0; free && k < cell.size(); ++k)
      {
        const Sphere& s = spheres_[cell[k]];
        const double reach = r + s.w;
        free = dem::squaredLength({ s.x - x.x, s.y - x.y, s.z - x.z }) >= reach * reach;
      }
    });
    if (!free)
      return false;
    const auto number = static_cast<std::uint32_t>(spheres_.size());
    overCells(x, r, [&](std::vector<std::uint32_t>& cell) { cell.push_back(number); });
    spheres_.push_back({ x.x, x.y, x.z, r });
    return true;
  }

  /// Adds a sphere at a random place.
  void placeSomewhere(double r, Random& random)
  {
    for (int k = 0; k < 1000000; ++k)
      if (place({ random(r, size_.x - r), random(r, size_.y - r), random(r, size_.z - r) }, r))
        return;
    throw dem::Error("There is no room for another sphere: choose another --seed or --particles.");
  }

  const std::vector<Sphere>& spheres() const { return spheres_; }

private:
  template <class Use>
  void overCells(const Vec3d& x, double r, const Use& use)
  {
    int lo[3], hi[3];
    for (int k = 0; k < 3; ++k)
    {
      const auto cellOf = [&](double at) {
        return std::clamp(static_cast<int>(at / size_[k] * cells_[k]), 0, cells_[k] - 1);
      };
      lo[k] = cellOf(x[k] - r);
      hi[k] = cellOf(x[k] + r);
    }
    for (int c = lo[2]; c <= hi[2]; ++c)
      for (int b = lo[1]; b <= hi[1]; ++b)
        for (int a = lo[0]; a <= hi[0]; ++a)
          use(inside_[(std::size_t(c) * cells_[1] + b) * cells_[0] + a]);
  }

  Vec3d size_;
  int cells_[3];
  std::vector<std::vector<std::uint32_t>> inside_;
  std::vector<Sphere> spheres_;
};

/// Random sequential addition of spheres at the solid fraction 0.3, the largest first.
std::vector<Sphere> addAtRandom(std::vector<double> radii, Random& random)
{
  std::sort(radii.rbegin(), radii.rend());
  double solid = 0, sum = 0;
  for (const double r : radii)
  {
    solid += volume(r);
    sum += r;
  }
  const double edge = std::cbrt(solid / 0.3);
  if (edge <= 4 * radii[0])
    throw dem::Error("This case needs more --particles.");
  Packing packing({ edge, edge, edge }, 2 * sum / radii.size());
  for (const double r : radii)
    packing.placeSomewhere(r, random);
  return packing.spheres();
}

/// About n spheres of radius 1 on a face-centred cubic lattice with jitter, at the solid fraction
/// 0.6, in a box of these proportions; `large` spheres of radius 10 displace some of them.
std::vector<Sphere> lattice(std::size_t n, const Vec3d& shape, std::size_t large, Random& random)
{
  const double edge = std::cbrt(4 * volume(1) / 0.6); // of the cell of four spheres
  const double sites = static_cast<double>(n) + 1000. * large;
  const double scale = std::cbrt(sites / (4 * shape.x * shape.y * shape.z));
  int cells[3];
  Vec3d size;
  for (int k = 0; k < 3; ++k)
  {
    cells[k] = std::max(1, static_cast<int>(std::lround(shape[k] * scale)));
    size[k] = cells[k] * edge;
  }
  if (large > 0 && std::min({ size.x, size.y, size.z }) < 24)
    throw dem::Error("This case needs more --particles.");
  Packing packing(size, 2);
  for (std::size_t k = 0; k < large; ++k)
    packing.placeSomewhere(10, random);
  // neighbours move towards each other by less than half their gap each
  const double jitter = 0.99 * (edge / std::sqrt(2.) - 2) / 2 / std::sqrt(3.);
  const Vec3d sites_of_cell[4] = { { 0.25, 0.25, 0.25 }, { 0.75, 0.75, 0.25 }, { 0.75, 0.25, 0.75 },
    { 0.25, 0.75, 0.75 } };
  for (int z = 0; z < cells[2]; ++z)
    for (int y = 0; y < cells[1]; ++y)
      for (int x = 0; x < cells[0]; ++x)
        for (const Vec3d& at : sites_of_cell)
          packing.place({ (x + at.x) * edge + random(-jitter, jitter),
                          (y + at.y) * edge + random(-jitter, jitter),
                          (z + at.z) * edge + random(-jitter, jitter) },
            1);
  return packing.spheres();
}

std::vector<Sphere> makeSpheres(const std::string& name, std::size_t n, unsigned seed)
{
  Random random(seed);
  if (name == "loose")
    return addAtRandom(std::vector<double>(n, 1), random);
  if (name == "dense")
    return lattice(n, { 1, 1, 1 }, 0, random);
  if (name == "trough")
    return lattice(n, { 16, 4, 1 }, 0, random);
  if (name == "1:10")
    return lattice(n, { 1, 1, 1 },
      std::max(std::size_t(1), static_cast<std::size_t>(std::lround(276e-6 * n))), random);
  if (name == "1:20")
  {
    std::vector<double> radii(n);
    for (double& r : radii)
      r = random(1, 20);
    return addAtRandom(radii, random);
  }
  if (name != "outlier")
    throw dem::Error(
      "There is no case '" + name + "'. Known: loose, dense, trough, 1:10, 1:20, outlier.");
  std::vector<Sphere> spheres = addAtRandom(std::vector<double>(n, 1), random);
  const double width = std::cbrt(n * volume(1) / 0.3);
  spheres.push_back({ 100 * width, 100 * width, -100 * width, 1 });
  return spheres;
}

// ---- trees ----

double surface(const BvhBox& b)
{
  const Vec3d e = b.upper - b.lower;
  return 2 * (e.x * e.y + e.y * e.z + e.z * e.x);
}

BvhBox joined(const BvhBox& a, const BvhBox& b)
{
  BvhBox out;
  for (int k = 0; k < 3; ++k)
  {
    out.lower[k] = std::min(a.lower[k], b.lower[k]);
    out.upper[k] = std::max(a.upper[k], b.upper[k]);
  }
  return out;
}

BvhBox emptyBox() { return { { 1e300, 1e300, 1e300 }, { -1e300, -1e300, -1e300 } }; }

/// A tree built top-down. Each node takes the split into two groups of bins for which the sum of
/// size(box) * leaves over both children is least, along any axis. Numbered in depth-first order.
class TopDownTree
{
public:
  template <class Size>
  TopDownTree(const std::vector<Sphere>& spheres, const Size& size)
    : spheres_(spheres)
    , item_(spheres.size())
    , left_(spheres.size() - 1)
    , right_(spheres.size() - 1)
    , last_leaf_(spheres.size() - 1)
    , box_(2 * spheres.size() - 1)
  {
    for (std::size_t k = 0; k < item_.size(); ++k)
      item_[k] = static_cast<std::uint32_t>(k);
    build(0, 0, static_cast<std::uint32_t>(item_.size()), 0, size);
  }

  BvhView view() const
  {
    return { left_.data(), right_.data(), box_.data(), item_.data(),
      static_cast<std::uint32_t>(item_.size()), last_leaf_.data() };
  }

private:
  static constexpr int kBins = 16;
  // Deeper nodes split in the middle. So no tree is deeper than 48 + 32, which is below kDeepest.
  static constexpr int kDeepestBinned = 48;

  struct Bins
  {
    int axis = -1;
    double lower = 0, scale = 0;

    int of(const Sphere& s) const
    {
      const double at = axis == 0 ? s.x : (axis == 1 ? s.y : s.z);
      return std::min(static_cast<int>((at - lower) * scale), kBins - 1);
    }
  };
  struct Split
  {
    Bins bins;
    int last_left = 0;
    double cost = 1e300;
  };

  static BvhBox boxOf(const Sphere& s)
  {
    return { { s.x - s.w, s.y - s.w, s.z - s.w }, { s.x + s.w, s.y + s.w, s.z + s.w } };
  }

  // Finds the cheapest split along an axis.
  template <class Size>
  void tryAxis(
    const Bins& bins, std::uint32_t first, std::uint32_t end, const Size& size, Split& best) const
  {
    BvhBox box[kBins];
    std::uint32_t count[kBins] = {};
    std::fill(box, box + kBins, emptyBox());
    for (std::uint32_t k = first; k < end; ++k)
    {
      const Sphere& s = spheres_[item_[k]];
      const int b = bins.of(s);
      box[b] = joined(box[b], boxOf(s));
      ++count[b];
    }
    double cost_right[kBins] = {}; // of the bins behind each bin
    BvhBox all = emptyBox();
    std::uint32_t n = 0;
    for (int b = kBins - 1; b > 0; --b)
    {
      all = joined(all, box[b]);
      n += count[b];
      cost_right[b - 1] = n > 0 ? n * size(all) : 1e300;
    }
    all = emptyBox();
    n = 0;
    for (int b = 0; b < kBins - 1; ++b)
    {
      all = joined(all, box[b]);
      n += count[b];
      const double cost = n > 0 ? n * size(all) + cost_right[b] : 1e300;
      if (cost < best.cost)
        best = { bins, b, cost };
    }
  }

  // Orders the leaves [first, end) and returns the first leaf of the right child.
  template <class Size>
  std::uint32_t split(std::uint32_t first, std::uint32_t end, int depth, const Size& size)
  {
    BvhBox centers = emptyBox();
    for (std::uint32_t k = first; k < end; ++k)
    {
      const Vec3d x = spheres_[item_[k]].xyz();
      centers = joined(centers, { x, x });
    }
    Split best;
    if (depth < kDeepestBinned)
      for (int k = 0; k < 3; ++k)
        if (centers.upper[k] > centers.lower[k])
          tryAxis({ k, centers.lower[k], kBins / (centers.upper[k] - centers.lower[k]) }, first,
            end, size, best);
    if (best.bins.axis < 0)
      return first + (end - first) / 2;
    const auto middle = std::stable_partition(item_.begin() + first, item_.begin() + end,
      [&](std::uint32_t item) { return best.bins.of(spheres_[item]) <= best.last_left; });
    return static_cast<std::uint32_t>(middle - item_.begin());
  }

  // Builds the subtree over the leaves [first, end), of which inner nodes get the numbers from
  // `node` on, and returns its root.
  template <class Size>
  std::uint32_t build(
    std::uint32_t node, std::uint32_t first, std::uint32_t end, int depth, const Size& size)
  {
    if (end - first == 1)
    {
      const auto leaf = static_cast<std::uint32_t>(item_.size() - 1 + first);
      box_[leaf] = boxOf(spheres_[item_[first]]);
      return leaf;
    }
    const std::uint32_t middle = split(first, end, depth, size);
    left_[node] = build(node + 1, first, middle, depth + 1, size);
    right_[node] = build(node + (middle - first), middle, end, depth + 1, size);
    last_leaf_[node] = end - 1;
    box_[node] = joined(box_[left_[node]], box_[right_[node]]);
    return node;
  }

  const std::vector<Sphere>& spheres_;
  std::vector<std::uint32_t> item_, left_, right_, last_leaf_;
  std::vector<BvhBox> box_;
};

/// The linear tree with keys of 63 bits that divide each axis by the longest edge of the scene, so
/// that the cells of the keys are cubes. Those of the solver have the proportions of the scene.
class CubicTree
{
public:
  CubicTree(dem::CpuExec& exec, const std::vector<Sphere>& spheres)
    : n_(static_cast<std::uint32_t>(spheres.size()))
    , item_(n_)
    , left_(n_ - 1)
    , right_(n_ - 1)
    , last_leaf_(n_ - 1)
    , box_(2 * spheres.size() - 1)
  {
    Vec3d lower, upper;
    dem::boundingBox(exec, spheres.data(), n_, lower, upper);
    const Vec3d size = upper - lower;
    const double scale = 1 / std::max({ size.x, size.y, size.z });
    std::vector<std::uint64_t> codes(n_);
    exec.forEach(n_,
      dem::ComputeMortonCodes<std::uint64_t>{
        spheres.data(), lower, { scale, scale, scale }, codes.data(), item_.data() });
    dem::sortPairs(exec, codes.data(), nullptr, item_.data(), nullptr, n_, 64);
    std::vector<std::uint32_t> parent(box_.size());
    std::vector<unsigned> arrived(n_ - 1);
    exec.forEach(n_, dem::ComputeLeafBoxes{ spheres.data(), item_.data(), n_, box_.data() });
    exec.forEach(n_ - 1,
      dem::BuildBvhNodes{
        codes.data(), n_, left_.data(), right_.data(), parent.data(), last_leaf_.data() });
    exec.forEach(n_,
      dem::BuildBvhBoxes{
        left_.data(), right_.data(), parent.data(), n_, box_.data(), arrived.data() });
  }

  BvhView view() const
  {
    return { left_.data(), right_.data(), box_.data(), item_.data(), n_, last_leaf_.data() };
  }

private:
  std::uint32_t n_;
  std::vector<std::uint32_t> item_, left_, right_, last_leaf_;
  std::vector<BvhBox> box_;
};

// ---- measures ----

struct Quality
{
  double cost = 0, inner_cost = 0;          // areas over that of the root
  double tested = 0, inner = 0, leaves = 0; // per sphere
  std::vector<std::uint64_t> pairs;         // (i << 32 | j), ascending
};

std::uint64_t pairOf(std::uint32_t i, std::uint32_t j) { return std::uint64_t(i) << 32 | j; }

/// Searches `tree` for each sphere by the query of `search`.
Quality measure(const BvhView& tree, const dem::BvhSearch& search)
{
  Quality q;
  const double root = surface(tree.box[0]);
  for (std::uint32_t node = 0; node < 2 * tree.n - 1; ++node)
  {
    const double part = surface(tree.box[node]) / root;
    q.cost += part;
    q.inner_cost += tree.isLeaf(node) ? 0 : part;
  }
  std::uint64_t tested = 0, inner = 0, leaves = 0;
  for (std::uint32_t i = 0; i < tree.n; ++i)
  {
    const Sphere p = search.position[i];
    const double reach = (p.w + search.near.skin) * (1 + 1e-12) + search.pad;
    tree.walk(
      [&](std::uint32_t node) {
        const bool in = tree.box[node].touches(p.xyz(), reach);
        ++tested;
        inner += in && !tree.isLeaf(node);
        return in;
      },
      [&](std::uint32_t leaf) {
        ++leaves;
        const std::uint32_t j = tree.leaf_item[leaf];
        if (j != i && search.near(p, search.position[j]))
          q.pairs.push_back(pairOf(i, j));
      });
  }
  std::sort(q.pairs.begin(), q.pairs.end());
  q.tested = static_cast<double>(tested) / tree.n;
  q.inner = static_cast<double>(inner) / tree.n;
  q.leaves = static_cast<double>(leaves) / tree.n;
  return q;
}

/// The pairs that the search of the solver finds.
std::vector<std::uint64_t> pairsOf(const dem::BvhSearch& search)
{
  std::vector<std::uint64_t> pairs;
  for (std::uint32_t i = 0; i < search.tree.n; ++i)
    search.candidates(i, [&](std::uint32_t j) { pairs.push_back(pairOf(i, j)); });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Returns false if a tree does not find all pairs.
bool run(const std::string& name, const Options& options, nlohmann::ordered_json& out)
{
  const std::vector<Sphere> spheres = makeSpheres(name, options.particles, options.seed);
  const auto n = static_cast<std::uint32_t>(spheres.size());
  double sum = 0, largest = 0;
  for (const Sphere& s : spheres)
  {
    sum += s.w;
    largest = std::max(largest, s.w);
  }
  const double skin = options.skin * 2 * sum / n;
  dem::CpuExec exec(1);
  dem::CandidateSearch<dem::CpuExec> linear30(exec), linear63(exec);
  dem::BroadPhaseOptions method;
  method.kind = dem::BroadPhaseKind::Bvh;
  const auto build = [&](auto& search, int bits) {
    method.bvh_key_bits = bits;
    search.choose(method, {});
    search.build({ spheres.data(), n, {}, skin, largest }, false);
    return search.stepSearch().bvh;
  };
  const dem::BvhSearch search30 = build(linear30, 30), search63 = build(linear63, 63);
  const std::vector<std::uint64_t> pairs = pairsOf(search63);
  const double reach = sum / n + skin;
  std::printf("%s: %u spheres, skin %.3g least radii, %.3f pairs a sphere\n", name.c_str(), n, skin,
    0.5 * pairs.size() / n);
  bool same = true;
  const auto show = [&](const char* tree, const BvhView& view) {
    const Quality q = measure(view, search63);
    std::printf("  %-28s SAH cost %10.2f (inner nodes %10.2f)  boxes tested %8.2f  inner nodes "
                "%8.2f  leaves %7.2f\n",
      tree, q.cost, q.inner_cost, q.tested, q.inner, q.leaves);
    std::fflush(stdout);
    out.push_back({ { "case", name }, { "particles", n }, { "skin", skin }, { "tree", tree },
      { "sah_cost", q.cost }, { "sah_cost_of_inner", q.inner_cost }, { "boxes_tested", q.tested },
      { "inner_entered", q.inner }, { "leaves_entered", q.leaves },
      { "pairs_per_sphere", 0.5 * q.pairs.size() / n } });
    if (q.pairs != pairs)
    {
      std::fprintf(stderr, "%s: the tree '%s' does not find the same pairs.\n", name.c_str(), tree);
      same = false;
    }
  };
  show("linear, 30 bits", search30.tree);
  show("linear, 63 bits", search63.tree);
  show("linear, 63 bits, cubes", CubicTree(exec, spheres).view());
  show("surface area heuristic", TopDownTree(spheres, surface).view());
  // The number of evenly spread centres from which a cube of the mean reach meets a box.
  show("enlarged volume", TopDownTree(spheres, [&](const BvhBox& b) {
    const Vec3d e = b.upper - b.lower;
    return (e.x + 2 * reach) * (e.y + 2 * reach) * (e.z + 2 * reach);
  }).view());
  return same;
}

double numberOf(const std::string& option, const std::string& value, double least, double most)
{
  char* end = nullptr;
  const double x = std::strtod(value.c_str(), &end);
  if (end == value.c_str() || *end != 0 || !(x >= least && x <= most))
    throw dem::Error(option + " must be a number from " + nlohmann::json(least).dump() + " to " +
      nlohmann::json(most).dump() + "; '" + value + "' is not.");
  return x;
}

Options parse(int argc, char** argv)
{
  Options o;
  bool cases = false;
  for (int i = 1; i < argc; ++i)
  {
    const std::string a = argv[i];
    if (i + 1 >= argc)
      throw dem::Error("'" + a + "' is not known or needs a value.");
    const std::string v = argv[++i];
    if (a == "--particles")
      o.particles = static_cast<std::size_t>(numberOf(a, v, 100, 1e8));
    else if (a == "--skin")
      o.skin = numberOf(a, v, 0, 10);
    else if (a == "--seed")
      o.seed = static_cast<unsigned>(numberOf(a, v, 0, 4294967295.));
    else if (a == "--json")
      o.json = v;
    else if (a == "--case")
    {
      if (!cases)
        o.cases.clear();
      cases = true;
      o.cases.push_back(v);
    }
    else
      throw dem::Error("'" + a + "' is not known.");
  }
  return o;
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    const Options options = parse(argc, argv);
    nlohmann::ordered_json out;
    out["seed"] = options.seed;
    out["results"] = nlohmann::ordered_json::array();
    bool same = true;
    for (const std::string& name : options.cases)
      same = run(name, options, out["results"]) && same;
    if (!options.json.empty() && !(std::ofstream(options.json) << out.dump(1) << "\n"))
      throw dem::Error("'" + options.json + "' cannot be written.");
    return same ? 0 : 1;
  }
  catch (const std::exception& e)
  {
    std::fprintf(stderr, "paragrain-bench-tree: %s\n", e.what());
    return 1;
  }
}

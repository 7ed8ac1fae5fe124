// Marks the faces of the computed flow: borders, inlets, and faces that walls close.
#include "Scene/detail/FlowFromScene.h"

#include "Core/Error.h"
#include "Core/Text.h"
#include "Fluid/FluidField.h"
#include "Scene/SceneWalls.h"
#include "Scene/detail/FluidFromScene.h"
#include "Spray/RayWall.cuh"
#include "Walls/WallMesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace dem
{
namespace
{

constexpr double kOnBorder = 1e-6; // of a cell: walls so near to a border lie on it

class FaceMarker
{
public:
  FaceMarker(const Scene& scene, FlowSetup& setup)
    : scene_(scene)
    , out_(setup)
    , grid_(setup.grid)
  {
  }

  void run()
  {
    for (std::size_t k = 0; k < 3; ++k)
    {
      out_.faces.kind[k].assign(grid_.entries(), FlowFace::None);
      out_.faces.inflow[k].assign(grid_.entries(), 0.);
    }
    markBorders();
    markRectangles();
    markWalls();
    listInlets();
    markFluid();
    checkRegions();
  }

private:
  using Place = int[3];

  FlowFace& kind(int k, const Place& at)
  {
    return out_.faces.kind[static_cast<std::size_t>(k)][grid_.index(at)];
  }
  double& inflow(int k, const Place& at)
  {
    return out_.faces.inflow[static_cast<std::size_t>(k)][grid_.index(at)];
  }

  template <class Visit>
  void forPlaces(const Visit& visit)
  {
    for (std::uint32_t entry = 0; entry < grid_.entries(); ++entry)
    {
      Place at;
      grid_.place(entry, at);
      visit(at);
    }
  }
  // Index of the border that a face of axis k lies on, or -1.
  int borderOf(int k, const Place& at) const
  {
    if (grid_.periodic[k] || (at[k] > 0 && at[k] < grid_.count[k]))
      return -1;
    return 2 * k + (at[k] > 0 ? 1 : 0);
  }

  // Mean of 6 xi (1 - xi) over [a, b]; xi runs from 0 to 1 over [from, to]. Its mean there is 1.
  static double parabola(double from, double to, double a, double b)
  {
    const auto integral = [&](double x) {
      const double xi = (x - from) / (to - from);
      return xi * xi * (3 - 2 * xi);
    };
    return (integral(b) - integral(a)) * (to - from) / (b - a);
  }
  double middle(int k, int i) const { return grid_.origin[k] + (i + 0.5) * grid_.size[k]; }

  // Part of a face of axis k that a rectangle of its border covers, and the mean there of the
  // profile over the rectangle.
  struct Cover
  {
    double part = 1, weight = 1;
  };
  Cover cover(int k, const Place& at, const double (&lower)[2], const double (&upper)[2]) const
  {
    Cover out;
    for (int a = 0; a < 2; ++a)
    {
      const int l = across(k, a);
      const double begin = grid_.origin[l] + at[l] * grid_.size[l];
      const double from = std::max(lower[a], begin), to = std::min(upper[a], begin + grid_.size[l]);
      out.part *= std::max(0., to - from) / grid_.size[l];
      if (to > from && scene_.fluid.inlet_profile == InletProfile::Parabolic &&
        grid_.count[l] > 1 && !grid_.periodic[l])
        out.weight *= parabola(lower[a], upper[a], from, to);
    }
    return out;
  }
  static int across(int k, int a) { return a == 0 ? (k == 0 ? 1 : 0) : (k == 2 ? 1 : 2); }

  void markBorders()
  {
    const FluidOptions& fluid = scene_.fluid;
    forPlaces([&](const Place& at) {
      for (int k = 0; k < 3; ++k)
      {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        if (at[l] >= grid_.count[l] || at[m] >= grid_.count[m] ||
          (grid_.periodic[k] && at[k] >= grid_.count[k]))
          continue;
        const int border = borderOf(k, at);
        if (border < 0)
        {
          kind(k, at) = FlowFace::Open;
          continue;
        }
        constexpr FlowFace kOf[] = { FlowFace::Wall, FlowFace::Slip, FlowFace::Inlet,
          FlowFace::Outlet };
        const FluidBorder of = fluid.border[static_cast<std::size_t>(border)];
        kind(k, at) = kOf[static_cast<int>(of)];
        if (of != FluidBorder::Inlet)
          continue;
        double lower[2], upper[2];
        for (int a = 0; a < 2; ++a)
        {
          lower[a] = grid_.origin[across(k, a)];
          upper[a] = lower[a] + grid_.count[across(k, a)] * grid_.size[across(k, a)];
        }
        inflow(k, at) =
          fluid.inlet_velocity * cover(k, at, lower, upper).weight * (border % 2 ? -1 : 1);
      }
    });
  }

  void markRectangles()
  {
    const std::vector<double>& all = scene_.fluid.inlets;
    std::array<std::vector<double>, 3> covered, flow; // of each face: part, and its inflow
    for (std::size_t k = 0; k < 3; ++k)
    {
      covered[k].assign(grid_.entries(), 0.);
      flow[k].assign(grid_.entries(), 0.);
    }
    for (std::size_t i = 0; i + 6 <= all.size(); i += 6)
    {
      const int border = static_cast<int>(all[i]), k = border / 2;
      const double lower[2] = { all[i + 1], all[i + 2] }, upper[2] = { all[i + 3], all[i + 4] };
      bool any = false;
      forPlaces([&](const Place& at) {
        if (kind(k, at) == FlowFace::None || borderOf(k, at) != border)
          return;
        const Cover of = cover(k, at, lower, upper);
        if (of.part < 1e-9)
          return;
        any = true;
        covered[static_cast<std::size_t>(k)][grid_.index(at)] += of.part;
        flow[static_cast<std::size_t>(k)][grid_.index(at)] +=
          of.part * of.weight * all[i + 5] * (border % 2 ? -1 : 1);
      });
      require(any,
        "Inlets: rectangle " + std::to_string(i / 6) +
          " does not lie on its side of the domain. Its numbers are: side (0 to 5 for lower x, "
          "upper x, lower y, ...), two lower and two upper coordinates in m, velocity in m/s.");
    }
    for (int k = 0; k < 3; ++k)
      forPlaces([&](const Place& at) {
        const double part = covered[static_cast<std::size_t>(k)][grid_.index(at)];
        if (part == 0)
          return;
        const double before = kind(k, at) == FlowFace::Inlet ? inflow(k, at) : 0;
        kind(k, at) = FlowFace::Inlet;
        inflow(k, at) =
          std::max(0., 1 - part) * before + flow[static_cast<std::size_t>(k)][grid_.index(at)];
      });
  }

  // Point of a cell that decides on which side of a wall the cell lies: beside its middle, so that
  // walls through the middles of cells do not pass through these points.
  double pointOf(int k, int i) const
  {
    constexpr double kBeside[] = { 1e-6, 0.62e-6, 0.38e-6 };
    return middle(k, i) + kBeside[k] * grid_.size[k];
  }

  // Closes the faces that the element crosses: those between the points of two cells on a line
  // along axis k.
  void markLine(const WallElement& element, int k, Place& at, double from, double to)
  {
    Vec3d x, d{};
    for (int l = 0; l < 3; ++l)
      x[l] = pointOf(l, at[l]);
    d[k] = 1;
    const double first = pointOf(k, 0);
    x[k] = from;
    for (int crossings = 0; crossings < 64 && x[k] <= to; ++crossings)
    {
      const double s = ray::enterElement(x, d, element);
      if (!(s < 1e299) || x[k] + s > to)
        return;
      x[k] += s;
      const int face = static_cast<int>(std::ceil((x[k] - first) / grid_.size[k]));
      close(element, k, at, face, (x[k] - grid_.origin[k]) / grid_.size[k]);
      x[k] += 1e-9 * grid_.size[k];
    }
  }
  // `cells`: where the wall crosses, in cells from the first border.
  void close(const WallElement& element, int k, Place& at, int face, double cells)
  {
    if (face < 0 || face > grid_.count[k])
      return;
    if (!grid_.periodic[k] && (cells < kOnBorder || cells > grid_.count[k] - kOnBorder))
      return;
    at[k] = grid_.periodic[k] && face == grid_.count[k] ? 0 : face;
    if (kind(k, at) == FlowFace::None)
      return;
    require(kind(k, at) != FlowFace::Inlet || inflow(k, at) == 0,
      "Wall " + std::to_string(element.wall) + " ('" +
        scene_.walls[static_cast<std::size_t>(element.wall)].name +
        "') lies less than half a cell from an inlet and closes it, around " + text(at) +
        ". Move the wall, make the inlet smaller, or the cells (FluidCellSize).");
    kind(k, at) = FlowFace::Wall;
  }
  std::string text(const Place& at) const
  {
    std::string out = "(";
    for (int k = 0; k < 3; ++k)
      out += (k ? ", " : "") + number(middle(k, std::min(at[k], grid_.count[k] - 1)), 4);
    return out + ") m";
  }

  void markWalls()
  {
    const WallSet walls = makeWallSet(scene_.walls, {});
    for (const WallElement& element : walls.elements)
      for (int k = 0; k < 3 && !isPermeable(element); ++k)
      {
        Vec3d lower, upper;
        bounds(element, lower, upper);
        int first[3], last[3];
        for (int l = 0; l < 3; ++l)
        {
          const double low = (lower[l] - grid_.origin[l]) / grid_.size[l],
                       high = (upper[l] - grid_.origin[l]) / grid_.size[l];
          first[l] = static_cast<int>(std::max(0., std::min(low, 1e9)));
          last[l] =
            std::min(grid_.count[l] - 1, static_cast<int>(std::max(-1., std::min(high, 1e9))));
        }
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        const double from = std::max(lower[k], grid_.origin[k]) - grid_.size[k],
                     to = std::min(upper[k], grid_.origin[k] + grid_.count[k] * grid_.size[k]) +
          grid_.size[k];
        for (int i = first[l]; i <= last[l]; ++i)
          for (int j = first[m]; j <= last[m]; ++j)
          {
            Place at;
            at[k] = 0;
            at[l] = i;
            at[m] = j;
            markLine(element, k, at, from, to);
            if (element.kind == ElementKind::Plane) // rays meet planes from the front only
            {
              WallElement back = element;
              back.b = -element.b;
              markLine(back, k, at, from, to);
            }
          }
      }
  }

  bool isPermeable(const WallElement& element) const
  {
    return scene_.walls[static_cast<std::size_t>(element.wall)].permeable;
  }

  void bounds(const WallElement& e, Vec3d& lower, Vec3d& upper) const
  {
    lower = { 1e300, 1e300, 1e300 };
    upper = { -1e300, -1e300, -1e300 };
    if (e.kind == ElementKind::Plane)
    {
      std::swap(lower, upper); // everywhere
      return;
    }
    const auto add = [&](const Vec3d& x, double r) {
      for (int k = 0; k < 3; ++k)
      {
        lower[k] = std::min(lower[k], x[k] - r);
        upper[k] = std::max(upper[k], x[k] + r);
      }
    };
    add(e.a, e.radius_a);
    add(e.b, e.radius_b);
    if (e.kind == ElementKind::Triangle)
      add(e.c, 0);
  }

  void listInlets()
  {
    forPlaces([&](const Place& at) {
      for (int k = 0; k < 3; ++k)
        if (kind(k, at) == FlowFace::Inlet)
        {
          Place cell = { at[0], at[1], at[2] };
          const bool upper = at[k] > 0;
          cell[k] -= upper ? 1 : 0;
          out_.inlet_cells.push_back({ grid_.index(cell), k, upper ? -1. : 1.,
            grid_.volume() / grid_.size[k], (upper ? -1 : 1) * inflow(k, at) });
        }
    });
  }

  template <class Visit>
  void forFacesOfCell(const Place& at, const Visit& visit)
  {
    for (int k = 0; k < 3; ++k)
      for (int side = 0; side < 2; ++side)
      {
        Place face = { at[0], at[1], at[2] }, other = { at[0], at[1], at[2] };
        face[k] += side;
        other[k] += side ? 1 : -1;
        if (grid_.periodic[k])
        {
          face[k] %= grid_.count[k];
          other[k] = (other[k] + grid_.count[k]) % grid_.count[k];
        }
        visit(k, face, other);
      }
  }

  void markFluid()
  {
    out_.has_fluid.assign(grid_.entries(), 0);
    forPlaces([&](const Place& at) {
      if (!grid_.isCell(at))
        return;
      bool has = false;
      forFacesOfCell(at, [&](int k, const Place& face, const Place&) {
        const FlowFace of = kind(k, face);
        has = has || of == FlowFace::Open || of == FlowFace::Inlet || of == FlowFace::Outlet;
      });
      out_.has_fluid[grid_.index(at)] = has;
    });
  }

  // Throws if a connected region has an inlet and no outlet. Takes the fluid from regions that no
  // inlet or outlet reaches, if others have one: they are the inside of solids.
  void checkRegions()
  {
    std::vector<std::uint32_t> region(grid_.entries(), 0), todo;
    std::vector<bool> flows{ false };
    forPlaces([&](const Place& at) {
      if (!grid_.isCell(at) || region[grid_.index(at)])
        return;
      const auto index = static_cast<std::uint32_t>(flows.size());
      bool has_inlet = false, has_outlet = false;
      todo = { grid_.index(at) };
      region[todo[0]] = index;
      while (!todo.empty())
      {
        Place cell;
        grid_.place(todo.back(), cell);
        todo.pop_back();
        forFacesOfCell(cell, [&](int k, const Place& face, const Place& other) {
          const FlowFace of = kind(k, face);
          has_inlet = has_inlet || (of == FlowFace::Inlet && inflow(k, face) != 0);
          has_outlet = has_outlet || of == FlowFace::Outlet;
          if (of != FlowFace::Open || region[grid_.index(other)])
            return;
          region[grid_.index(other)] = index;
          todo.push_back(grid_.index(other));
        });
      }
      require(!has_inlet || has_outlet,
        "Fluid enters a region of the domain that it cannot leave, around " + text(at) +
          ". Make a border of it an Outlet, or open the walls around it.");
      flows.push_back(has_inlet || has_outlet);
    });
    if (std::find(flows.begin(), flows.end(), true) == flows.end())
      return;
    for (std::uint32_t entry = 0; entry < grid_.entries(); ++entry)
    {
      if (!region[entry] || flows[region[entry]])
        continue;
      out_.has_fluid[entry] = 0;
      Place cell;
      grid_.place(entry, cell);
      forFacesOfCell(cell, [&](int k, const Place& face, const Place&) {
        if (kind(k, face) == FlowFace::Open)
          kind(k, face) = FlowFace::Wall;
      });
    }
  }

  const Scene& scene_;
  FlowSetup& out_;
  const FlowGrid& grid_;
};

// Velocities at the faces: of the given field, else the same everywhere.
void setStart(const Scene& scene, FlowSetup& setup)
{
  const FluidField* field = scene.fluid_field.get();
  for (int k = 0; k < 3; ++k)
  {
    std::vector<double>& u = setup.start[static_cast<std::size_t>(k)];
    u.assign(setup.grid.entries(), 0.);
    for (std::uint32_t entry = 0; entry < setup.grid.entries(); ++entry)
    {
      if (setup.faces.kind[static_cast<std::size_t>(k)][entry] != FlowFace::Open)
        continue;
      int at[3];
      setup.grid.place(entry, at);
      Vec3d x;
      for (int l = 0; l < 3; ++l)
        x[l] = setup.grid.origin[l] + (at[l] + (l == k ? 0. : 0.5)) * setup.grid.size[l];
      u[entry] = field ? fieldVelocity(*field, x)[k] : scene.fluid.velocity[k];
    }
  }
}

} // namespace

FlowSetup flowSetup(const Scene& scene)
{
  const FluidCellGrid cells = fluidCellGrid(scene);
  FlowSetup setup;
  setup.grid.origin = cells.lower;
  setup.grid.size = cells.size;
  double smallest = 1e300;
  for (int k = 0; k < 3; ++k)
  {
    setup.grid.count[k] = cells.count[k];
    setup.grid.periodic[k] = cells.periodic[k];
    if (cells.count[k] > 1)
      smallest = std::min(smallest, cells.size[k]);
  }
  const double given = scene.fluid.exchange_diameter, largest = largestDiameter(scene);
  setup.least_radius = given > 0 ? 0.5 * given : smallest < 2 * largest ? 1.5 * largest : 0;
  FaceMarker(scene, setup).run();
  setStart(scene, setup);
  return setup;
}

} // namespace dem

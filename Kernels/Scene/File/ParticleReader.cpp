// Reads explicit particles and packings of a .dem document.
#include "Scene/File/ParticleReader.h"

#include "Core/Error.h"
#include "Scene/File/JsonText.h"
#include "Scene/Packing/PackingRows.h"
#include "Scene/ShapeText.h"

#include <algorithm>
#include <cmath>

namespace dem
{
namespace detail
{

using nlohmann::json;

namespace
{

// Throws dem::Error unless each array has n entries, one per particle.
void checkLengths(const ReaderContext& in, const json& node, std::size_t n)
{
  const auto checkLength = [&](const char* key) {
    if (node.contains(key) && node[key].is_array() && node[key].size() != n)
    {
      in.fail(std::string("/particles/") + key,
        "has " + std::to_string(node[key].size()) + " entries, and there are " + std::to_string(n) +
          " positions. Each particle needs one.");
    }
  };
  forRows<ParticleInput>([&](const auto& row) { checkLength(row.key); });
}

void readShapesAndRadii(const ReaderContext& in, const json& node, std::size_t n, ParticleInput& p)
{
  if (node.contains("shape"))
  {
    const json& named = node["shape"];
    for (std::size_t i = 0; i < n; ++i)
    {
      p.shape.push_back(named.is_array()
          ? in.shape(named[i], "/particles/shape/" + std::to_string(i))
          : in.shape(named, "/particles/shape"));
    }
  }
  if (!node.contains("radius"))
  {
    for (std::size_t i = 0; i < n; ++i)
    {
      if (p.shape.empty() || in.scene.shapes[p.shape[i]].kind == ShapeKind::Sphere)
      {
        in.fail("/particles",
          "the key \"radius\" is missing (radii, m, above 0; one number serves all particles). "
          "Only grains of a shape that has a size of its own can do without; particle " +
            std::to_string(i) + " is a sphere.");
      }
      p.radius.push_back(equalRadius(in.scene.shapes[p.shape[i]]));
    }
  }
  else if (node["radius"].is_array())
  {
    p.radius = node["radius"].get<std::vector<double>>();
  }
  else
  {
    p.radius.assign(n, node["radius"].get<double>());
  }
}

void readOrientations(const ReaderContext& in, const json& node, std::size_t n, ParticleInput& p)
{
  for (std::size_t i = 0; node.contains("orientation") && i < n; ++i)
  {
    const json& q = node["orientation"][i];
    const Quaternion<double> raw{ q[0].get<double>(), q[1].get<double>(), q[2].get<double>(),
      q[3].get<double>() };
    const double largest =
      std::max({ std::abs(raw.w), std::abs(raw.x), std::abs(raw.y), std::abs(raw.z) });
    if (!(largest > 0) || !std::isfinite(1 / largest))
    {
      in.fail("/particles/orientation/" + std::to_string(i),
        "the quaternion is zero. Write [1, 0, 0, 0] for no rotation.");
    }
    p.orientation.push_back(
      normalized({ raw.w / largest, raw.x / largest, raw.y / largest, raw.z / largest }));
  }
}

void readMaterials(const ReaderContext& in, const json& node, std::size_t n, ParticleInput& p)
{
  if (node.contains("material"))
  {
    const json& m = node["material"];
    if (m.is_array())
    {
      for (std::size_t i = 0; i < n; ++i)
      {
        p.material.push_back(in.material(m[i], "/particles/material/" + std::to_string(i)));
      }
    }
    else
    {
      p.material.assign(n, in.material(m, "/particles/material"));
    }
  }
}

// Reads the numbers of n particles, of a particle list or a packing; one number serves all.
void readNumbers(const json& node, std::size_t n, ParticleInput& p)
{
  forNumbersOfParticles([&](const auto& row) {
    const auto found = node.find(row.key);
    if (found != node.end())
    {
      (p.*row.member) = found->is_array() ? found->template get<std::vector<double>>()
                                          : std::vector<double>(n, found->template get<double>());
    }
  });
}

// Reads the closed surface that contains the particles. Its bounds are the default of the box.
void readRegion(ReaderContext& in, const json& node, const std::string& pointer, PackingSpec& spec)
{
  if (node.contains("region"))
  {
    in.readMesh(node["region"], pointer + "/region", spec.region_points, spec.region_triangles);
    spec.lower = spec.upper = spec.region_points.front();
    for (const Vec3d& p : spec.region_points)
    {
      for (int k = 0; k < 3; ++k)
      {
        spec.lower[k] = std::min(spec.lower[k], p[k]);
        spec.upper[k] = std::max(spec.upper[k], p[k]);
      }
    }
  }
  else if (!node.contains("lower") || !node.contains("upper"))
  {
    in.fail(pointer, "a packing needs a box (\"lower\" and \"upper\") or a \"region\".");
  }
}

PackingSpec readPacking(ReaderContext& in, const json& node, const std::string& pointer)
{
  PackingSpec spec;
  readRegion(in, node, pointer, spec);
  readRows(node, spec);
  in.getMaterial(node, "material", pointer, spec.material);
  if (node.contains("shape"))
  {
    spec.shape = in.shape(node["shape"], pointer + "/shape");
    const Shape& of = in.scene.shapes[spec.shape];
    spec.reach = of.mass.bounding_radius / equalRadius(of);
    if (of.kind != ShapeKind::Sphere && !node.contains("radius") &&
      spec.radius_kind == RadiusKind::Single)
    {
      spec.radius = equalRadius(of);
    }
  }
  return spec;
}

// Appends particles. Missing optional arrays are filled with neutral values if one side has them.
void append(Scene& scene, const ParticleInput& more)
{
  ParticleInput& p = scene.particles;
  const std::size_t before = p.size(), after = before + more.size();
  const auto join = [&](auto& into, const auto& from, const auto& neutral) {
    if (into.empty() && from.empty())
    {
      return;
    }
    into.resize(before, neutral);
    into.insert(into.end(), from.begin(), from.end());
    into.resize(after, neutral);
  };
  join(p.velocity, more.velocity, Vec3d{});
  join(p.angular_velocity, more.angular_velocity, Vec3d{});
  join(p.orientation, more.orientation, Quaternion<double>{});
  join(p.material, more.material, 0);
  join(p.shape, more.shape, 0);
  forNumbersOfParticles(
    [&](const auto& row) { join(p.*row.member, more.*row.member, scene.*row.otherwise); });
  if (!p.id.empty())
  {
    std::int64_t next = *std::max_element(p.id.begin(), p.id.end());
    while (p.id.size() < after)
    {
      p.id.push_back(++next);
    }
  }
  p.position.insert(p.position.end(), more.position.begin(), more.position.end());
  p.radius.insert(p.radius.end(), more.radius.begin(), more.radius.end());
}

} // namespace

void readParticles(ReaderContext& in)
{
  if (!in.document.contains("particles"))
  {
    return;
  }
  const json& node = in.document["particles"];
  ParticleInput& p = in.scene.particles;
  const std::size_t n = node["position"].size();
  checkLengths(in, node, n);
  const auto vectors = [&](const char* key, std::vector<Vec3d>& out) {
    if (node.contains(key))
    {
      out.reserve(n);
      for (const json& v : node[key])
      {
        out.push_back(vectorOf(v));
      }
    }
  };
  vectors("position", p.position);
  vectors("velocity", p.velocity);
  vectors("angular_velocity", p.angular_velocity);
  readShapesAndRadii(in, node, n, p);
  readOrientations(in, node, n, p);
  for (std::size_t i = 0; node.contains("id") && i < n; ++i)
  {
    p.id.push_back(node["id"][i].get<std::int64_t>());
  }
  readMaterials(in, node, n, p);
  readNumbers(node, n, p);
}

void readPackings(ReaderContext& in)
{
  for (std::size_t i = 0; in.document.contains("packings") && i < in.document["packings"].size();
       ++i)
  {
    const std::string pointer = "/packings/" + std::to_string(i);
    const PackingSpec spec = readPacking(in, in.document["packings"][i], pointer);
    try
    {
      PackingLimits left = in.limits;
      left.particles -= static_cast<std::int64_t>(in.scene.particles.size());
      ParticleInput packing = makePacking(spec, left);
      readNumbers(in.document["packings"][i], packing.size(), packing);
      append(in.scene, packing);
    }
    catch (const Error& error)
    {
      in.fail(pointer, error.what());
    }
  }
}

} // namespace detail
} // namespace dem

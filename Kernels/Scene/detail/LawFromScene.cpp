// Combines the coefficients of two materials.
#include "Scene/detail/LawFromScene.h"

#include "Scene/Describe.h"

#include <algorithm>
#include <cmath>

namespace dem
{
namespace
{

constexpr double kPi = 3.14159265358979323846;

bool onlyOfWalls(const Scene& scene, int material)
{
  return usedByWalls(scene, material) && !usedByParticles(scene, material);
}

// Combination of the coefficients of materials a and b: the value of MaterialPair if given,
// otherwise by the mixing rule of its row.
struct Mixture
{
  const Scene& scene;
  int a, b;
  bool wall_a, wall_b; // true if the material is used by walls only

  double operator()(double Material::*coefficient) const
  {
    const auto row = rowOf(coefficient);
    for (auto pair = scene.pairs.rbegin(); row.pair && pair != scene.pairs.rend(); ++pair)
      if (((pair->first == a && pair->second == b) || (pair->first == b && pair->second == a)) &&
        (*pair).*row.pair)
        return *((*pair).*row.pair);
    const double of_a = scene.materials[a].*coefficient, of_b = scene.materials[b].*coefficient;
    if (wall_a != wall_b && row.mixing == Mixing::GeometricMeanOrWall)
      return wall_a ? of_a : of_b;
    return a == b ? of_a : std::sqrt(of_a * of_b);
  }
};

} // namespace

bool usedByParticles(const Scene& scene, int material)
{
  if (scene.particle_materials.empty())
  {
    const auto& m = scene.particles.material;
    return m.empty() ? material == 0 : std::find(m.begin(), m.end(), material) != m.end();
  }
  return scene.particle_materials[material];
}

bool usedByWalls(const Scene& scene, int material)
{
  for (const Wall& wall : scene.walls)
    if (wall.material == material)
      return true;
  return scene.domain.limited && scene.domain.wall_material == material;
}

double dampingRatio(double restitution)
{
  const double l = std::log(restitution);
  return -l / std::sqrt(l * l + kPi * kPi);
}

PairValues pairValues(const Scene& scene, int a, int b)
{
  const Material &ma = scene.materials[a], &mb = scene.materials[b];
  PairValues v;
  v.youngs = 1 /
    ((1 - ma.poissons_ratio * ma.poissons_ratio) / ma.youngs_modulus +
      (1 - mb.poissons_ratio * mb.poissons_ratio) / mb.youngs_modulus);
  const double ga = ma.youngs_modulus / (2 * (1 + ma.poissons_ratio)),
               gb = mb.youngs_modulus / (2 * (1 + mb.poissons_ratio));
  v.shear = 1 / ((2 - ma.poissons_ratio) / ga + (2 - mb.poissons_ratio) / gb);
  const Mixture mixed{ scene, a, b, onlyOfWalls(scene, a), onlyOfWalls(scene, b) };
  v.restitution = mixed(&Material::restitution);
  v.friction = mixed(&Material::friction);
  v.rolling = mixed(&Material::rolling_friction);
  v.surface_energy = mixed(&Material::surface_energy);
  return v;
}

} // namespace dem

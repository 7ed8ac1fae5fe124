// What the tests of the Material Point Method share.
#pragma once

#include "MaterialPoint/MpmFill.h"
#include "MaterialPoint/MpmSimulation.h"
#include "TestSupport.h"

#include <algorithm>
#include <functional>

namespace test
{

/// A test on every device in both precisions; TestSupport's Mixed stands for Single.
class MpmTest : public BackendTest
{
protected:
  mpm::Precision precision() const
  {
    return mixed() ? mpm::Precision::Single : mpm::Precision::Double;
  }
  mpm::Simulation simulate(mpm::Scene scene, int threads = 0) const
  {
    scene.precision = precision();
    return mpm::Simulation(scene, { GetParam().device, threads });
  }
};

/// Without gravity, in a box of 1 m with cells of 1/16 m; soft fixed-corotated material.
inline mpm::Scene softScene(double spacing = 1. / 16)
{
  mpm::Scene s;
  s.gravity = { 0, 0, 0 };
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { 1, 1, 1 };
  s.grid_spacing = spacing;
  s.materials[0].density = 1000;
  s.materials[0].youngs_modulus = 1e5;
  s.materials[0].poissons_ratio = 0.3;
  s.output_interval = 0.01;
  s.end_time = 100;
  return s;
}

inline void setVelocity(mpm::Scene& s, const std::function<Vec3d(const Vec3d&)>& velocity)
{
  s.points.velocity.clear();
  for (const Vec3d& x : s.points.position)
    s.points.velocity.push_back(velocity(x));
}

template <class T>
Vec3d vectorAt(const dem::HostArray<T>& a, std::size_t i)
{
  return { double(a[3 * i]), double(a[3 * i + 1]), double(a[3 * i + 2]) };
}

/// Empty when both frames hold the same bits, else the first array that differs.
inline std::string firstDifference(const mpm::Frame& a, const mpm::Frame& b)
{
  std::string what;
  const auto array = [&](const char* name, const auto& x, const auto& y) {
    if (!what.empty())
      return;
    if (x.size() != y.size())
      what = std::string(name) + ": " + std::to_string(x.size()) + " values against " +
        std::to_string(y.size());
    else
      for (std::size_t i = 0; i < x.size(); ++i)
        if (std::memcmp(&x[i], &y[i], sizeof(x[i])) != 0)
        {
          what = std::string(name) + "[" + std::to_string(i) + "]: " + std::to_string(x[i]) +
            " against " + std::to_string(y[i]);
          return;
        }
  };
  if (a.step != b.step || std::memcmp(&a.time, &b.time, sizeof a.time) != 0)
    what = "step or time";
  array("position", a.position, b.position);
  array("id", a.id, b.id);
  array("velocity", a.velocity, b.velocity);
  array("mass", a.mass, b.mass);
  array("volume", a.volume, b.volume);
  array("jacobian", a.jacobian, b.jacobian);
  array("deformation", a.deformation, b.deformation);
  array("stress", a.stress, b.stress);
  array("von_mises", a.von_mises, b.von_mises);
  array("plastic_strain", a.plastic_strain, b.plastic_strain);
  array("material", a.material, b.material);
  array("exited_id", a.exited_id, b.exited_id);
  array("exited_position", a.exited_position, b.exited_position);
  array("grid.index", a.grid.index, b.grid.index);
  array("grid.mass", a.grid.mass, b.grid.mass);
  array("grid.velocity", a.grid.velocity, b.grid.velocity);
  array("grid.pressure", a.grid.pressure, b.grid.pressure);
  const mpm::Statistics &s = a.statistics, &t = b.statistics;
  const auto value = [&](const char* name, auto x, auto y) {
    if (what.empty() && std::memcmp(&x, &y, sizeof x) != 0)
      what = std::string("statistics.") + name;
  };
  value("sub_steps", s.sub_steps, t.sub_steps);
  value("kinetic_energy", s.kinetic_energy, t.kinetic_energy);
  value("affine_energy", s.affine_energy, t.affine_energy);
  value("elastic_energy", s.elastic_energy, t.elastic_energy);
  value("potential_energy", s.potential_energy, t.potential_energy);
  value("largest_cfl", s.largest_cfl, t.largest_cfl);
  for (int k = 0; k < 3; ++k)
  {
    value("momentum", s.momentum[k], t.momentum[k]);
    value("angular_momentum", s.angular_momentum[k], t.angular_momentum[k]);
  }
  return what;
}

} // namespace test

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

/// The largest differences of coordinates and of velocities.
struct Apart
{
  double place = 0, speed = 0;
};
inline Apart apart(const mpm::Frame& a, const mpm::Frame& b)
{
  Apart d;
  for (std::size_t i = 0; i < 3 * a.size; ++i)
  {
    d.place = std::max(d.place, std::fabs(a.position[i] - b.position[i]));
    d.speed = std::max(d.speed, double(std::fabs(a.velocity[i] - b.velocity[i])));
  }
  return d;
}

/// Empty when both frames hold the same bits, else the first array that differs.
inline std::string firstDifference(const mpm::Frame& a, const mpm::Frame& b)
{
  FirstDifference difference;
  difference.value("step", a.step, b.step);
  difference.value("time", a.time, b.time);
  difference.array("position", a.position, b.position);
  difference.array("id", a.id, b.id);
  difference.array("velocity", a.velocity, b.velocity);
  difference.array("mass", a.mass, b.mass);
  difference.array("volume", a.volume, b.volume);
  difference.array("jacobian", a.jacobian, b.jacobian);
  difference.array("deformation", a.deformation, b.deformation);
  difference.array("stress", a.stress, b.stress);
  difference.array("von_mises", a.von_mises, b.von_mises);
  difference.array("plastic_strain", a.plastic_strain, b.plastic_strain);
  difference.array("material", a.material, b.material);
  difference.array("exited_id", a.exited_id, b.exited_id);
  difference.array("exited_position", a.exited_position, b.exited_position);
  difference.array("grid.index", a.grid.index, b.grid.index);
  difference.array("grid.mass", a.grid.mass, b.grid.mass);
  difference.array("grid.velocity", a.grid.velocity, b.grid.velocity);
  difference.array("grid.pressure", a.grid.pressure, b.grid.pressure);
  const mpm::Statistics &s = a.statistics, &t = b.statistics;
  difference.value("sub_steps", s.sub_steps, t.sub_steps);
  difference.value("kinetic_energy", s.kinetic_energy, t.kinetic_energy);
  difference.value("affine_energy", s.affine_energy, t.affine_energy);
  difference.value("elastic_energy", s.elastic_energy, t.elastic_energy);
  difference.value("potential_energy", s.potential_energy, t.potential_energy);
  difference.value("largest_cfl", s.largest_cfl, t.largest_cfl);
  for (int k = 0; k < 3; ++k)
  {
    difference.value("momentum", s.momentum[k], t.momentum[k]);
    difference.value("angular_momentum", s.angular_momentum[k], t.angular_momentum[k]);
  }
  return difference.text();
}

} // namespace test

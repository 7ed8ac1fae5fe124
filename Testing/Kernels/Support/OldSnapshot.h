// States in the format before this one, made from today's: so that reading old files stays tested.
#pragma once

#include "TestSupport.h"

#include "Solver/Integrators/Kinematics.cuh"
#include "State/SceneFingerprints.h"
#include "State/SnapshotFormat.h"

#include <array>
#include <cmath>

namespace test
{

/// The state in the format before this one: accounts of energies for each particle (all on the
/// second and the last one), those of lost particles apart. `energies` are what they add up to,
/// `domain` is that of the scene.
template <class Real>
dem::SnapshotBytes inVersion3(
  const dem::SnapshotBytes& bytes, const std::array<double, 3>& energies, const dem::Domain& domain)
{
  dem::SnapshotReader in(bytes);
  dem::SnapshotWriter out;
  const auto word = [&](auto value) { out.value(value); };
  word(in.value<std::uint32_t>());
  in.value<std::uint32_t>();
  word(std::uint32_t(3));
  for (int k = 0; k < 3; ++k)
    word(in.value<std::uint32_t>()); // precision, columns, integrator
  const auto n = in.value<std::uint64_t>();
  word(n);
  for (int k = 0; k < 6; ++k)
    word(in.value<std::uint64_t>()); // step, time step, four fingerprints
  in.value<std::uint64_t>();
  word(dem::SceneFingerprints::ofDomain(domain, true));
  in.value<std::uint64_t>(); // that of shapes
  for (int k = 0; k < 9; ++k)
    in.value<double>();              // borders, gravity
  word(in.value<std::uint64_t>());   // lost
  in.value<double>();                // energy at the start
  in.array<std::array<double, 5>>(); // grains that left
  in.value<std::int32_t>();
  for (int k = 0; k < 6; ++k)
    in.value<std::uint64_t>();
  for (double e : energies)
  {
    const auto lost = static_cast<__int128>(std::ldexp(0.25 * e, 80));
    word(static_cast<std::uint64_t>(static_cast<unsigned __int128>(lost)));
    word(static_cast<std::uint64_t>(static_cast<unsigned __int128>(lost) >> 64));
  }
  EXPECT_EQ(in.value<std::uint64_t>(), 0u) << "a scene without events is expected";
  word(std::uint64_t(0));
  const auto reals = [&] { out.array(in.array<dem::Vec4<Real>>()); };
  out.array(in.array<dem::Vec4<double>>());
  for (int k = 0; k < 2; ++k)
    reals();
  auto velocity_rest = in.array<dem::Vec4<Real>>(), spin_rest = in.array<dem::Vec4<Real>>();
  auto orientation = in.array<dem::Vec4<double>>();
  const auto turned_z = in.array<Real>();
  for (std::size_t i = 0; i < n; ++i)
  {
    const dem::Vec4<double> q = orientation[i];
    const auto now =
      dem::turnOf(dem::Vec3<Real>{ velocity_rest[i].w, spin_rest[i].w, turned_z[i] }) *
      dem::Quaternion<double>{ q.x, q.y, q.z, q.w };
    orientation[i] = { now.w, now.x, now.y, now.z };
    velocity_rest[i].w = spin_rest[i].w = 0;
  }
  out.array(velocity_rest);
  out.array(spin_rest);
  out.array(orientation);
  for (int k = 0; k < 2; ++k)
    reals();
  std::vector<std::array<double, 3>> accounts(n);
  for (std::size_t e = 0; e < 3; ++e)
  {
    accounts[1][e] = energies[e];
    accounts[n - 1][e] = -0.25 * energies[e];
  }
  out.array(accounts);
  while (!in.atEnd())
    word(in.value<std::uint8_t>());
  out.bytes.resize(out.bytes.size() - 7 * sizeof(std::uint64_t)); // seven empty arrays of bodies
  return out.bytes;
}

/// The present state of a simulation without past events, in format 3.
inline dem::SnapshotBytes inVersion3(dem::Simulation& sim)
{
  const dem::Statistics s = sim.statistics();
  const std::array<double, 3> energies{ s.dissipated_energy, s.stiffness_work, s.wall_work };
  const dem::SnapshotBytes bytes = sim.save();
  const dem::Domain& domain = sim.scene().domain;
  return bytes[8] == 4 ? inVersion3<float>(bytes, energies, domain)
                       : inVersion3<double>(bytes, energies, domain);
}

} // namespace test

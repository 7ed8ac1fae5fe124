// Owner of the arrays of all particles on one device. Kernels read them through StateView
// (State.cuh). Reorder.cuh changes the order in memory.
#pragma once

#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Particles/Columns.h"
#include "Particles/EnergyLedger.cuh"
#include "Particles/GatherState.cuh"
#include "Particles/IdOrder.cuh"
#include "Particles/State.cuh"
#include "Scene/Scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace dem
{

/// Arrays of all particles on the host, in ascending Id, as in a saved state.
template <class Real>
struct ParticleColumns
{
  std::vector<Vec4<double>> position, orientation;
  std::vector<Vec4<Real>> velocity, spin, velocity_rest, spin_rest, force, torque;
  std::vector<Traveled<Real>> traveled;
  std::vector<std::vector<Vec4<Real>>> rates; // of the integrator
  std::vector<std::int64_t> id;
  std::array<PassiveValues, kPassiveCount> passive; // by row of kPassiveColumns
};

/// Returns the indices of the particles that a part owns, from the positions (m; w: radius) and Ids
/// of all. Empty: a run in one part, which owns all.
using OwnParticles = std::function<std::vector<std::uint32_t>(
  const std::vector<Vec4<double>>&, const std::vector<std::int64_t>&)>;

/// Particles in device memory. With bodies (Bodies.cuh) they are the parts of the bodies.
template <class Exec, class Real>
class ParticleStore
{
public:
  template <class T>
  using Buffer = Array<T, Exec>;

  explicit ParticleStore(Exec& exec)
    : exec_(exec)
  {
  }

  /// Particles in memory, with the ghosts of a part; and without them.
  std::uint32_t size() const { return n_; }
  std::uint32_t owned() const { return n_ - ghosts_; }
  GhostBits ghosts() const { return { ghosts_known_ ? ghost_bits_.data() : nullptr }; }
  /// Bits of the largest Id of the run.
  int idBits() const { return id_bits_; }
  /// Largest radius and mean diameter, m.
  double radiusMax() const { return radius_max_; }
  double meanDiameter() const { return mean_diameter_; }

  /// Uploads the particles of a scene, in the order of the scene. `mass` (kg): mass of the body of
  /// each part; empty if all particles are spheres. `rates`: vectors per particle that the
  /// integrator stores. Positions are wrapped into the periodic box. `passive`: passiveValues().
  /// `own`: returns the indices of the particles to upload, from the positions of all; empty
  /// function: all. The largest radius and the mean diameter are those of all.
  void upload(const ParticleInput& p, const std::vector<double>& mass,
    const std::vector<Material>& materials, const Periodic& box, int rates,
    std::array<PassiveValues, kPassiveCount> passive, const OwnParticles& own)
  {
    ParticleColumns<Real> columns = initialColumns(p, mass, materials, box);
    const std::size_t n = p.size();
    columns.traveled.assign(n, Traveled<Real>{});
    columns.force.assign(n, Vec4<Real>{});
    columns.torque.assign(n, Vec4<Real>{});
    columns.rates.assign(rates, std::vector<Vec4<Real>>(n));
    columns.passive = std::move(passive);
    columns_.rates.clear();
    for (int k = 0; k < rates; ++k)
      columns_.rates.emplace_back(exec_);
    assign(columns, own);
    double sum = 0;
    for (double r : p.radius)
      sum += r;
    mean_diameter_ = n ? 2 * sum / static_cast<double>(n) : 1;
  }

  /// Replaces all particles by those of a saved state; `own` as in upload(). Allocates `listed`
  /// without filling it.
  void assign(const ParticleColumns<Real>& all, const OwnParticles& own)
  {
    radius_max_ = 0;
    for (const Vec4<double>& x : all.position)
      radius_max_ = std::max(radius_max_, x.w);
    const std::int64_t largest_id =
      all.id.empty() ? 0 : *std::max_element(all.id.begin(), all.id.end());
    for (id_bits_ = 1; id_bits_ < 63 && largest_id >> id_bits_;)
      ++id_bits_;
    ParticleColumns<Real> kept;
    if (own)
      select(all, own(all.position, all.id), kept);
    const ParticleColumns<Real>& columns = own ? kept : all;
    ghosts_ = 0;
    ghosts_known_ = false;
    n_ = static_cast<std::uint32_t>(columns.id.size());
    forColumns<Real>(
      [](const auto&, auto& to, const auto& from) { assignColumn(to, from); }, columns_, columns);
    for (std::size_t k = 0; k < kPassiveCount; ++k)
    {
      columns_.passive[k].reset();
      if (columns.passive[k])
        columns_.passive[k].emplace(exec_).assign(*columns.passive[k]);
    }
    listed_.resize(n_);
    order_known_ = false;
  }

  // ---- a part of the particles and their ghosts (Domain/Subdomain.cuh) ----

  /// Sets the number of particles. Values of new ones are undefined.
  void extend(std::uint32_t n)
  {
    const auto grow = [n](auto& array) { array.extend(n, 1.1); };
    forColumns<Real>([&](const auto&, auto& array) { forEachArray(array, grow); }, columns_);
    for (std::optional<Buffer<double>>& column : columns_.passive)
      if (column)
        grow(*column);
    listed_.resize(n, 1.1);
    n_ = n;
    order_known_ = false;
  }
  /// Takes the bits of the ghosts, whose number is `ghosts`, and gives the memory of the former
  /// ones.
  void setGhosts(Buffer<std::uint32_t>& bits, std::uint32_t ghosts)
  {
    std::swap(ghost_bits_, bits);
    ghosts_ = ghosts;
    ghosts_known_ = true;
    order_known_ = false;
  }
  /// Calls visit(array) for each array of the columns in device memory.
  template <class Visit>
  void visitArrays(const Visit& visit)
  {
    forColumns<Real>([&](const auto&, auto& array) { forEachArray(array, visit); }, columns_);
    for (std::optional<Buffer<double>>& column : columns_.passive)
      if (column)
        visit(*column);
  }

  /// Must be called with true if the particles are parts of bodies, which store the rotations.
  void setOfBodies(bool of_bodies) { of_bodies_ = of_bodies; }

  StateView<Real> view()
  {
    Columns& c = columns_;
    return { c.position.data(), c.velocity.data(), c.spin.data(), c.velocity_rest.data(),
      c.spin_rest.data(), c.orientation.data(), of_bodies_ ? nullptr : c.traveled.data(),
      c.force.data(), c.torque.data(), energies.books(), listed_.data(), c.id.data(),
      { reinterpret_cast<unsigned long long*>(passiveData(kFrictionHeat)),
        reinterpret_cast<unsigned long long*>(passiveData(kFrictionHeatHigh)),
        energies.books().per_joule } };
  }
  Vec4<double>* position() { return columns_.position.data(); }
  const std::int64_t* id() const { return columns_.id.data(); }
  Traveled<Real>* traveled() { return columns_.traveled.data(); }
  /// Vector k that the integrator stores for each particle.
  Vec4<Real>* rate(int k) { return columns_.rates[k].data(); }
  std::size_t rates() const { return columns_.rates.size(); }
  /// Passive column of row k of kPassiveColumns; without a value if the run does not keep it.
  const std::optional<Buffer<double>>& passive(std::size_t k) const { return columns_.passive[k]; }
  /// Whether the run has heat transfer.
  bool hasHeat() const { return columns_.passive[kHeatFlow].has_value(); }
  /// Whether dissipated energy heats the particles. The same on all parts, also on empty ones.
  bool takesDissipation() const { return columns_.passive[kFrictionHeat].has_value(); }
  /// Its values by particle, or null.
  double* passiveData(std::size_t k)
  {
    return columns_.passive[k] ? columns_.passive[k]->data() : nullptr;
  }

  /// Copies on the host, in the order of memory. These wait for the device.
  std::vector<Vec4<double>> hostPositions() const { return columns_.position.host(); }
  std::vector<std::int64_t> hostIds() const { return columns_.id.host(); }
  /// Words of GhostBits; empty in a run with one part.
  std::vector<std::uint32_t> hostGhosts() const
  {
    return ghosts_known_ ? ghost_bits_.host() : std::vector<std::uint32_t>{};
  }
  /// Largest mass, kg. Waits for the device.
  double largestMass() const
  {
    double mass = 0;
    for (const Vec4<Real>& v : columns_.velocity.host())
      mass = std::max(mass, static_cast<double>(v.w));
    return mass;
  }

  /// Ids in the order before the last rebuild.
  const std::int64_t* oldIds() const { return old_id_.data(); }
  /// Prepares for lists in the present order: resets the paths after `paths` has taken their
  /// maximum, and stores the positions in `listed`.
  void keepOrder(bool keep_old_ids, const LongestPath& paths)
  {
    if (keep_old_ids)
    {
      old_id_.resize(n_);
      exec_.copy(old_id_.data(), columns_.id.data(), n_ * sizeof(std::int64_t));
    }
    exec_.forEach(n_,
      BeginPaths<Real>{
        columns_.position.data(), listed_.data(), columns_.traveled.data(), paths });
  }

  // ---- a step that moves particles while other threads still read the old state ----

  /// Output arrays of such a step: a second array of positions, and the arrays of force and torque
  /// for velocity and spin. swapMoved() makes them the state.
  Moved<Real> movedBeside()
  {
    position_beside_.resize(n_);
    return { position_beside_.data(), columns_.force.data(), columns_.torque.data() };
  }
  void swapMoved()
  {
    std::swap(columns_.position, position_beside_);
    std::swap(columns_.velocity, columns_.force);
    std::swap(columns_.spin, columns_.torque);
  }

  /// Scratch memory for one T per particle, until the next step or the next call.
  template <class T>
  T* scratch()
  {
    static_assert(sizeof(T) <= sizeof(Vec4<double>), "a position's memory is what there is");
    position_beside_.resize(n_);
    return reinterpret_cast<T*>(position_beside_.data());
  }

  // ---- the order of Ids ----

  /// Sorts the places by Id, unless the stored order is valid. Overwrites scratch().
  void findIdOrder()
  {
    if (order_known_)
      return;
    order_.resize(n_);
    struct Keyed
    {
      std::uint64_t key, key_other;
      std::uint32_t other;
    };
    auto* keys = reinterpret_cast<std::uint64_t*>(scratch<Keyed>());
    std::uint64_t* keys_other = keys + n_;
    exec_.forEach(n_, IdKeys{ columns_.id.data(), ghosts(), id_bits_, keys, order_.data() });
    sortPairs(exec_, keys, keys_other, order_.data(),
      reinterpret_cast<std::uint32_t*>(keys_other + n_), n_, ghosts_ ? id_bits_ + 1 : id_bits_);
    rank_.resize(n_);
    exec_.forEach(n_, Ranks{ order_.data(), rank_.data() });
    exec_.synchronize();
    order_known_ = true;
  }
  void forgetIdOrder() { order_known_ = false; }
  /// Ids without those of ghosts, ascending. Requires findIdOrder(); waits for the device.
  std::vector<std::int64_t> ownedIds()
  {
    Buffer<std::int64_t> sorted(exec_);
    sorted.resize(owned());
    exec_.forEach(
      owned(), GatherArray<std::int64_t>{ columns_.id.data(), order_.data(), sorted.data() });
    return sorted.host();
  }
  /// Place of each rank in ascending Id, and rank of each place. Ghosts have the last ranks. Valid
  /// after findIdOrder().
  const std::uint32_t* idOrder() const { return order_.data(); }
  const std::uint32_t* idRank() const { return rank_.data(); }

  /// Calls visit(row, array) for the columns that every run has, in the order of a saved state.
  template <class Visit>
  void visitColumns(const Visit& visit) const
  {
    forColumns<Real>(visit, columns_);
  }

private:
  template <class, class>
  friend class Reorder;

  // The columns in device memory, with the members of ParticleColumns.
  struct Columns
  {
    Exec& exec;
    Buffer<Vec4<double>> position{ exec }, orientation{ exec };
    Buffer<Vec4<Real>> velocity{ exec }, spin{ exec }, velocity_rest{ exec }, spin_rest{ exec },
      force{ exec }, torque{ exec };
    Buffer<Traveled<Real>> traveled{ exec };
    std::vector<Buffer<Vec4<Real>>> rates{};
    Buffer<std::int64_t> id{ exec };
    std::array<std::optional<Buffer<double>>, kPassiveCount> passive{};
  };

  template <class T, class Visit>
  static void forEachArray(Buffer<T>& array, const Visit& visit)
  {
    visit(array);
  }
  template <class T, class Visit>
  static void forEachArray(std::vector<Buffer<T>>& arrays, const Visit& visit)
  {
    for (Buffer<T>& array : arrays)
      visit(array);
  }

  // Copies the particles of `own`, in its order.
  static void select(const ParticleColumns<Real>& all, const std::vector<std::uint32_t>& own,
    ParticleColumns<Real>& kept)
  {
    forColumns<Real>(
      [&](const auto&, auto& to, const auto& from) { select(from, own, to); }, kept, all);
    for (std::size_t k = 0; k < kPassiveCount; ++k)
      if (all.passive[k])
        select(*all.passive[k], own, kept.passive[k].emplace());
  }
  template <class T>
  static void select(
    const std::vector<T>& from, const std::vector<std::uint32_t>& own, std::vector<T>& to)
  {
    to.reserve(own.size());
    for (std::uint32_t i : own)
      to.push_back(from[i]);
  }
  template <class T>
  static void select(const std::vector<std::vector<T>>& from, const std::vector<std::uint32_t>& own,
    std::vector<std::vector<T>>& to)
  {
    to.resize(from.size());
    for (std::size_t k = 0; k < from.size(); ++k)
      select(from[k], own, to[k]);
  }

  template <class T>
  static void assignColumn(Buffer<T>& to, const std::vector<T>& from)
  {
    to.assign(from);
  }
  template <class T>
  static void assignColumn(std::vector<Buffer<T>>& to, const std::vector<std::vector<T>>& from)
  {
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k].assign(from[k]);
  }

  // Splits a vector into Real and the rounding error, also as Real.
  static void split(const Vec3d& v, Vec4<Real>& high, Vec4<Real>& rest)
  {
    high = vec4(v.as<Real>(), Real(0));
    rest = vec4((v - high.xyz().template as<double>()).template as<Real>(), Real(0));
  }

  static ParticleColumns<Real> initialColumns(const ParticleInput& p,
    const std::vector<double>& mass, const std::vector<Material>& materials, const Periodic& box)
  {
    const std::size_t n = p.size();
    ParticleColumns<Real> out;
    out.position.resize(n);
    out.orientation.resize(n);
    out.id.resize(n);
    for (auto* column : { &out.velocity, &out.spin, &out.velocity_rest, &out.spin_rest })
      column->resize(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      const double r = p.radius[i];
      const int material = p.material.empty() ? 0 : p.material[i];
      Vec3d x = p.position[i];
      for (int k = 0; k < 3; ++k)
        if (box.period[k] > 0)
          x[k] -= box.period[k] * std::floor((x[k] - box.lower[k]) / box.period[k]);
      out.position[i] = vec4(x, r);
      split(p.velocity.empty() ? Vec3d{} : p.velocity[i], out.velocity[i], out.velocity_rest[i]);
      split(p.angular_velocity.empty() ? Vec3d{} : p.angular_velocity[i], out.spin[i],
        out.spin_rest[i]);
      if (!mass.empty()) // parts have no rests; velocity_rest.w is their shape
      {
        out.velocity_rest[i] = { Real(0), Real(0), Real(0), static_cast<Real>(p.shape[i]) };
        out.spin_rest[i] = {};
      }
      out.velocity[i].w = static_cast<Real>(mass.empty()
          ? 4. / 3 * 3.14159265358979323846 * r * r * r * materials[material].density
          : mass[i]);
      out.spin[i].w = static_cast<Real>(material);
      Quaternion<double> q = p.orientation.empty() ? Quaternion<double>{} : p.orientation[i];
      if (mass.empty())
        q = normalized(q); // a part must keep the exact bits of its body's orientation
      out.orientation[i] = { q.w, q.x, q.y, q.z };
      out.id[i] = p.id.empty() ? static_cast<std::int64_t>(i) : p.id[i];
    }
    return out;
  }

  Exec& exec_;

public:
  EnergyLedger<Exec> energies{ exec_ };

private:
  std::uint32_t n_ = 0, ghosts_ = 0;
  bool ghosts_known_ = false; // the run has several parts
  int id_bits_ = 63;
  double radius_max_ = 0, mean_diameter_ = 0; // m
  bool of_bodies_ = false;

  Columns columns_{ exec_ };
  // Scratch memory between two steps, see movedBeside().
  Buffer<Vec4<double>> position_beside_{ exec_ };
  Buffer<Traveled<Real>> traveled_beside_{ exec_ };
  Buffer<double> passive_beside_{ exec_ };
  Buffer<Vec3d> listed_{ exec_ }; // positions when the lists were built
  Buffer<std::int64_t> old_id_{ exec_ };
  Buffer<std::uint32_t> order_{ exec_ }, rank_{ exec_ }, ghost_bits_{ exec_ };
  bool order_known_ = false;
};

} // namespace dem

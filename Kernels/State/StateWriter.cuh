// Writes the state of a run as bytes (SnapshotFormat.h), and copies the contacts of a saved state
// back to the lists. Used by SimulationOn.cuh.
#pragma once

#include "Core/Bytes.h"
#include "Measure/Measurement.cuh"
#include "Measure/MergeFrames.h"
#include "State/SavedState.cuh"
#include "State/SceneFingerprints.h"
#include "State/SnapshotFormat.h"
#include "State/SnapshotKernels.cuh"

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace dem
{

/// Values of a saved state that are not in the arrays of the run.
struct StateHeader
{
  const Scene& scene;
  const std::array<std::uint64_t, SceneFingerprints::kParts>& fingerprints;
  std::uint64_t step;
  double time_step;                       // s
  std::uint64_t particles;                // of all parts, like the next two
  const std::vector<ExitedGrain>* exited; // in ascending Id
  EnergyTotals booked;
  std::uint64_t lost;                // grains removed at borders
  std::vector<Event> past;           // events of the scene up to `step`
  std::vector<std::uint8_t> samples; // RunAverages::save()
  std::vector<std::uint8_t> heat;    // HeatStage::save(); empty without heat transfer
  std::vector<std::uint8_t> spray;   // RunSpray::save()
  std::vector<std::uint8_t> fluid;   // FluidCoupling::save(); empty without a fluid

  bool hasHeatOrMore() const { return !heat.empty() || !spray.empty() || !fluid.empty(); }
};

template <class Exec, class Real>
class StateWriter : private RunOwners<Exec, Real>
{
public:
  using Owners = RunOwners<Exec, Real>;
  template <class T>
  using Buffer = Array<T, Exec>;

  StateWriter(Exec& exec, const Owners& owners, Measurement<Exec, Real>& measurement)
    : Owners(owners)
    , exec_(exec)
    , measurement_(measurement)
  {
  }

  /// Returns the present state as bytes. Requires Measurement::prepare().
  std::vector<std::uint8_t> write(const StateHeader& header)
  {
    SnapshotWriter out;
    out.bytes.reserve(last_bytes_ + last_bytes_ / 64);
    writeHeader(out, header);
    particles.visitColumns([&](const auto&, const auto& array) { writeInOrder(out, array); });
    writeContacts(out);
    bodies.settle(particles.view());
    writeRest(out, header, bodies.arrays(), [&] { writePassive(out); });
    last_bytes_ = out.bytes.size();
    return std::move(out.bytes);
  }

  // ---- the parts of a run ----

  /// The columns of the particles that this part owns, each as bytes in ascending Id, and the size
  /// of a value. Requires Measurement::prepare().
  struct PartColumn
  {
    std::size_t value;
    std::vector<std::uint8_t> bytes;
  };
  struct PartColumns
  {
    std::vector<PartColumn> all, passive;
  };
  PartColumns columns()
  {
    PartColumns columns;
    particles.visitColumns([&](const auto&, const auto& array) { addColumn(columns.all, array); });
    visitPassive([&](const auto&, const auto& array) { addColumn(columns.passive, array); });
    return columns;
  }
  /// The touching contacts of the particles that this part owns, a row each.
  struct PartContacts
  {
    SavedContacts<Real, std::int64_t> pairs;
    SavedContacts<Real, std::uint32_t> walls;
  };
  PartContacts contacts()
  {
    ContactBuffers found(exec_);
    findContacts(found);
    return { { found.pair_start.host(), found.pair_id.host(), found.pair_flags.host(),
               found.pair_history.host() },
      { found.wall_start.host(), found.wall_element.host(), found.wall_flags.host(),
        found.wall_history.host() } };
  }
  /// The state of a run in several parts, in the layout of write(). `ids`: order of the particles
  /// of all parts. `of_bodies`: all bodies of the run. The header of the run is that of this part.
  std::vector<std::uint8_t> write(const StateHeader& header, const IdMerge& ids,
    const std::vector<PartColumns>& columns, const std::vector<PartContacts>& contacts,
    const BodyArrays& of_bodies)
  {
    SnapshotWriter out;
    writeHeader(out, header);
    for (std::size_t c = 0; c < columns[0].all.size(); ++c)
      writeMerged(out, ids, columns, &PartColumns::all, c);
    writeMerged(out, ids, contacts, &PartContacts::pairs);
    writeMerged(out, ids, contacts, &PartContacts::walls);
    writeRest(out, header, of_bodies, [&] {
      std::size_t c = 0;
      out.value(savedPassive());
      visitPassive([&](const auto& row, const auto&) {
        out.array(row.name, std::strlen(row.name));
        writeMerged(out, ids, columns, &PartColumns::passive, c++);
      });
    });
    return std::move(out.bytes);
  }

  /// Copies flags and history of the saved contacts to the present lists, which must be built at
  /// the saved positions. Waits for the device.
  void restoreContacts(const SavedState<Real>& state)
  {
    const std::uint32_t n = state.size();
    Buffer<std::int64_t> id(exec_), pair_id(exec_);
    Buffer<std::uint32_t> pair_start(exec_), wall_start(exec_), wall_element(exec_);
    Buffer<std::uint8_t> pair_flags(exec_), wall_flags(exec_);
    Buffer<Real> pair_history(exec_), wall_history(exec_);
    id.assign(state.particles.id);
    pair_id.assign(state.pairs.key);
    pair_start.assign(state.pairs.start);
    wall_start.assign(state.walls.start);
    wall_element.assign(state.walls.key);
    pair_flags.assign(state.pairs.flags);
    wall_flags.assign(state.walls.flags);
    pair_history.assign(state.pairs.history);
    wall_history.assign(state.walls.history);
    if (forces.kinds.inUse())
    {
      particles.findIdOrder();
      measurement_.makeShownRows(
        n, SavedPairs{ particles.idOrder(), id.data(), n, pair_start.data(), pair_id.data() });
    }
    PairList<Exec, Real>& list = measurement_.touching();
    WallList<Exec, Real>& near_walls = wall_lists.list();
    exec_.forEach(particles.size(),
      RestoreContacts<Real>{ list.view(), list.slots(), near_walls.view(), near_walls.row_of.data(),
        near_walls.slots(), particles.id(), law.columns(), n, id.data(), pair_start.data(),
        wall_start.data(), pair_id.data(), wall_element.data(), pair_flags.data(),
        wall_flags.data(), { pair_history.data(), state.pairs.key.size() },
        { wall_history.data(), state.walls.key.size() } });
    if (forces.kinds.inUse())
      forces.kinds.take(list.view(), list.slots(), particles.id());
    exec_.synchronize();
  }

private:
  // What follows the contacts; `passive` writes the passive columns.
  template <class Passive>
  void writeRest(SnapshotWriter& out, const StateHeader& header, const BodyArrays& of_bodies,
    const Passive& passive)
  {
    out.array(header.samples);
    out.array(of_bodies.id);
    out.array(of_bodies.shape);
    for (const std::vector<Vec4<double>>* column : { &of_bodies.centre, &of_bodies.orientation,
           &of_bodies.velocity, &of_bodies.momentum, &of_bodies.inertia })
      out.array(*column);
    if (savedPassive() || header.hasHeatOrMore())
      passive();
    if (header.hasHeatOrMore())
    {
      out.array(header.heat);
      out.array(header.spray);
    }
    if (!header.fluid.empty())
      out.array(header.fluid);
  }

  using Owners::bodies;
  using Owners::exited;
  using Owners::forces;
  using Owners::law;
  using Owners::particles;
  using Owners::wall_lists;

  void writeHeader(SnapshotWriter& out, const StateHeader& h)
  {
    out.value(kSnapshotMagic);
    out.value(!h.fluid.empty() ? kSnapshotVersion
        : h.hasHeatOrMore()    ? kSnapshotVersionNoFluid
        : savedPassive()       ? kSnapshotVersionNoHeat
                               : kSnapshotVersionNoPassive);
    out.value<std::uint32_t>(sizeof(Real));
    out.value<std::uint32_t>(law.columns());
    out.value<std::uint32_t>(static_cast<std::uint32_t>(h.scene.integrator));
    out.value<std::uint64_t>(h.particles);
    out.value<std::uint64_t>(h.step);
    out.value<double>(h.time_step);
    for (std::uint64_t fingerprint : h.fingerprints)
      out.value(fingerprint);
    out.value(h.scene.domain.lower);
    out.value(h.scene.domain.upper);
    out.value(h.scene.gravity);
    out.value<std::uint64_t>(h.lost);
    out.value(particles.energies.at_start);
    out.array(*h.exited);
    const EnergyTotals& booked = h.booked;
    out.value<std::int32_t>(booked.unit());
    for (unsigned e = 0; e < kBookedEnergies; ++e)
    {
      out.value(booked.low(e));
      out.value(booked.high(e));
    }
    writeEvents(out, h.past);
  }

  template <class T>
  void writeInOrder(SnapshotWriter& out, const Buffer<T>& array)
  {
    const std::uint32_t n = particles.owned();
    std::uint8_t* to = out.room<T>(n);
    if constexpr (Exec::kDevice)
    {
      Buffer<T> sorted(exec_);
      sorted.resize(n);
      exec_.forEach(n, GatherArray<T>{ array.data(), particles.idOrder(), sorted.data() });
      exec_.toHost(to, sorted.data(), n * sizeof(T));
      exec_.synchronize();
    }
    else
      exec_.forEach(n, GatherBytes<T>{ array.data(), particles.idOrder(), to });
  }

  template <class T>
  void write(SnapshotWriter& out, const Buffer<T>& array)
  {
    exec_.toHost(out.room<T>(array.size()), array.data(), array.size() * sizeof(T));
    exec_.synchronize();
  }

  // Of Traveled only turned_z is saved.
  void writeInOrder(SnapshotWriter& out, const Buffer<Traveled<Real>>& traveled)
  {
    Buffer<Real> turned_z(exec_);
    turned_z.resize(particles.size());
    exec_.forEach(particles.size(), TurnedZ<Real>{ traveled.data(), turned_z.data() });
    writeInOrder(out, turned_z);
  }

  template <class T>
  void writeInOrder(SnapshotWriter& out, const std::vector<Buffer<T>>& arrays)
  {
    for (const Buffer<T>& array : arrays)
      writeInOrder(out, array);
  }

  // Calls visit(row, array) for the passive columns of the saved state.
  template <class Visit>
  void visitPassive(const Visit& visit) const
  {
    for (std::size_t k = 0; k < kPassiveCount; ++k)
      if (particles.passive(k) && kPassiveColumns[k].is_saved)
        visit(kPassiveColumns[k], *particles.passive(k));
  }
  std::uint32_t savedPassive() const
  {
    std::uint32_t saved = 0;
    visitPassive([&](const auto&, const auto&) { ++saved; });
    return saved;
  }

  void writePassive(SnapshotWriter& out)
  {
    out.value(savedPassive());
    visitPassive([&](const auto& row, const auto& array) {
      out.array(row.name, std::strlen(row.name));
      writeInOrder(out, array);
    });
  }

  // As writeInOrder(), into a column of its own.
  template <class T>
  void addColumn(std::vector<PartColumn>& all, const Buffer<T>& array)
  {
    SnapshotWriter out;
    writeInOrder(out, array);
    constexpr std::size_t value = std::is_same_v<T, Traveled<Real>> ? sizeof(Real) : sizeof(T);
    out.bytes.erase(out.bytes.begin(), out.bytes.begin() + sizeof(std::uint64_t));
    all.push_back({ value, std::move(out.bytes) });
  }
  template <class T>
  void addColumn(std::vector<PartColumn>& all, const std::vector<Buffer<T>>& arrays)
  {
    for (const Buffer<T>& array : arrays)
      addColumn(all, array);
  }

  // The contacts of each rank, in its row.
  struct ContactBuffers
  {
    explicit ContactBuffers(Exec& exec)
      : pair_start(exec)
      , wall_start(exec)
      , wall_element(exec)
      , pair_id(exec)
      , pair_flags(exec)
      , wall_flags(exec)
      , pair_history(exec)
      , wall_history(exec)
    {
    }
    Buffer<std::uint32_t> pair_start, wall_start, wall_element;
    Buffer<std::int64_t> pair_id;
    Buffer<std::uint8_t> pair_flags, wall_flags;
    Buffer<Real> pair_history, wall_history;
  };

  void findContacts(ContactBuffers& found)
  {
    const std::uint32_t n = particles.owned();
    const int columns = law.columns();
    PairList<Exec, Real>& list = measurement_.touching();
    WallList<Exec, Real>& near_walls = wall_lists.list();
    Buffer<std::uint32_t> pair_count(exec_), wall_count(exec_);
    auto& [pair_start, wall_start, wall_element, pair_id, pair_flags, wall_flags, pair_history,
      wall_history] = found;
    pair_count.resize(n);
    wall_count.resize(n);
    pair_start.resize(n + 1);
    wall_start.resize(n + 1);
    SaveContacts<Real> saver{ list.view(), list.slots(), near_walls.view(),
      near_walls.row_of.data(), near_walls.slots(), particles.id(), particles.idRank(), n, columns,
      pair_count.data(), wall_count.data(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
      { nullptr, 0 }, { nullptr, 0 } };
    exec_.forEach(particles.size(), saver);
    const std::size_t pair_contacts = scanCounts(exec_, pair_count.data(), pair_start.data(), n);
    const std::size_t wall_contacts = scanCounts(exec_, wall_count.data(), wall_start.data(), n);
    pair_id.resize(pair_contacts);
    pair_flags.resize(pair_contacts);
    pair_history.resize(pair_contacts * columns);
    wall_element.resize(wall_contacts);
    wall_flags.resize(wall_contacts);
    wall_history.resize(wall_contacts * columns);
    saver.pair_start = pair_start.data();
    saver.wall_start = wall_start.data();
    saver.pair_id = pair_id.data();
    saver.wall_element = wall_element.data();
    saver.pair_flags = pair_flags.data();
    saver.wall_flags = wall_flags.data();
    saver.pair_history = { pair_history.data(), pair_contacts };
    saver.wall_history = { wall_history.data(), wall_contacts };
    exec_.forEach(particles.size(), saver);
  }

  void writeContacts(SnapshotWriter& out)
  {
    ContactBuffers found(exec_);
    findContacts(found);
    write(out, found.pair_start);
    write(out, found.pair_id);
    write(out, found.pair_flags);
    write(out, found.pair_history);
    write(out, found.wall_start);
    write(out, found.wall_element);
    write(out, found.wall_flags);
    write(out, found.wall_history);
  }

  // Column c of all parts in ascending Id, in the layout of writeInOrder().
  static void writeMerged(SnapshotWriter& out, const IdMerge& ids,
    const std::vector<PartColumns>& columns, std::vector<PartColumn> PartColumns::*kind,
    std::size_t c)
  {
    const std::size_t value = (columns[0].*kind)[c].value;
    out.value<std::uint64_t>(ids.size());
    const std::size_t begin = out.bytes.size();
    out.bytes.resize(begin + value * ids.size());
    for (std::size_t p = 0; p < columns.size(); ++p)
    {
      const std::uint8_t* from = (columns[p].*kind)[c].bytes.data();
      for (const std::uint32_t rank : ids.ranks(p))
      {
        std::memcpy(out.bytes.data() + begin + value * rank, from, value);
        from += value;
      }
    }
  }

  // The rows of all parts in ascending Id, in the layout of writeContacts().
  template <class Key>
  void writeMerged(SnapshotWriter& out, const IdMerge& ids,
    const std::vector<PartContacts>& contacts, SavedContacts<Real, Key> PartContacts::*kind)
  {
    const int columns = law.columns();
    SavedContacts<Real, Key> all;
    all.start.assign(ids.size() + 1, 0);
    for (std::size_t p = 0; p < contacts.size(); ++p)
      for (std::size_t k = 0; k < ids.ranks(p).size(); ++k)
      {
        const SavedContacts<Real, Key>& part = contacts[p].*kind;
        all.start[ids.ranks(p)[k] + 1] = part.start[k + 1] - part.start[k];
      }
    for (std::size_t k = 0; k < ids.size(); ++k)
      all.start[k + 1] += all.start[k];
    const std::size_t total = all.start.back();
    all.key.resize(total);
    all.flags.resize(total);
    all.history.resize(total * columns);
    for (std::size_t p = 0; p < contacts.size(); ++p)
    {
      const SavedContacts<Real, Key>& part = contacts[p].*kind;
      for (std::size_t k = 0; k < ids.ranks(p).size(); ++k)
      {
        std::size_t to = all.start[ids.ranks(p)[k]];
        for (std::uint32_t from = part.start[k]; from < part.start[k + 1]; ++from, ++to)
        {
          all.key[to] = part.key[from];
          all.flags[to] = part.flags[from];
          for (int c = 0; c < columns; ++c)
            all.history[c * total + to] = part.history[c * part.key.size() + from];
        }
      }
    }
    out.array(all.start);
    out.array(all.key);
    out.array(all.flags);
    out.array(all.history);
  }

  Exec& exec_;
  Measurement<Exec, Real>& measurement_;
  std::size_t last_bytes_ = 0; // size of the last state, to reserve memory
};

} // namespace dem

// Reads a saved state from bytes and checks that it belongs to a scene. It does not change the run.
// Used by SimulationOn.cuh.
#pragma once

#include "Core/Bytes.h"
#include "Core/Error.h"
#include "Scene/Describe.h"
#include "Core/RowRange.h"
#include "State/SavedState.cuh"
#include "State/SceneFingerprints.h"
#include "State/SnapshotFormat.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

namespace dem
{

/// Properties of the run that the state must agree with.
struct StateExpectation
{
  const Scene& scene;
  const std::array<std::uint64_t, SceneFingerprints::kParts>& fingerprints;
  const BodyShapes& shapes;
  double time_step;  // s
  int columns;       // of contact history
  std::size_t rates; // vectors per particle that the integrator stores
  int energy_unit;   // of the run's totals, for states of formats without totals
  const std::array<PassiveStart, kPassiveCount>& passive;
};

/// Reader for one state; read() may be called once.
template <class Real>
class StateReader
{
public:
  StateReader(const std::vector<std::uint8_t>& bytes, const StateExpectation& here)
    : in_(bytes)
    , here_(here)
  {
  }

  /// Throws dem::Error if the bytes are broken or the state belongs to another scene.
  SavedState<Real> read()
  {
    readHeader();
    checkFingerprints();
    if (state_.has_borders)
      readBorders();
    if (n_ > 0x7fffffffu)
      in_.fail("the particle count is not possible");
    readExits();
    readTotals();
    state_.events = readEvents(in_);
    readParticles();
    readContacts(state_.pairs, "pair rows", "pair ids", "pair flags", "pair history");
    readContacts(state_.walls, "wall rows", "wall elements", "wall flags", "wall history");
    if (version_ > kSnapshotVersionNoAverages)
      state_.samples = in_.array<std::uint8_t>();
    if (version_ > kSnapshotVersionSpheres)
      readBodies();
    if (version_ > kSnapshotVersionNoPassive)
      readPassive();
    if (version_ > kSnapshotVersionNoHeat)
    {
      state_.heat = in_.array<std::uint8_t>();
      state_.spray = in_.array<std::uint8_t>();
    }
    if (version_ == kSnapshotVersionNoImpulses && hasFlow(here_.scene))
      throw Error("The saved state has format version " + std::to_string(version_) +
        ", which has no impulses of the computed flow on the grains. Start the run again.");
    if (version_ > kSnapshotVersionNoFluid)
      state_.fluid = in_.array<std::uint8_t>();
    if (!in_.atEnd())
      in_.fail("there is more behind its end");
    checkParticles();
    completePassive();
    return std::move(state_);
  }

private:
  [[noreturn]] static void disagree(
    const std::string& what, const std::string& saved, const std::string& here)
  {
    throw Error("The saved state does not fit this scene: " + what + " is " + saved +
      " in the state and " + here +
      " here. Load it into the scene that made it, or start that scene anew.");
  }

  void readHeader()
  {
    if (in_.value<std::uint32_t>() != kSnapshotMagic)
      in_.fail("this is not a saved state of a simulation");
    version_ = in_.value<std::uint32_t>();
    if (version_ < kSnapshotVersionVerletOnly || version_ > kSnapshotVersion)
      in_.fail("format version " + std::to_string(version_) +
        " is not known, this program reads versions " + std::to_string(kSnapshotVersionVerletOnly) +
        " to " + std::to_string(kSnapshotVersion));
    state_.has_borders = version_ > kSnapshotVersionNoExits;
    const auto real_bytes = in_.value<std::uint32_t>();
    if (real_bytes != sizeof(Real))
      disagree(
        "Precision", real_bytes == 4 ? "Mixed" : "Double", sizeof(Real) == 4 ? "Mixed" : "Double");
    const auto columns = in_.value<std::uint32_t>();
    if (columns != static_cast<std::uint32_t>(here_.columns))
      disagree(
        "the number of history columns (shapes, contact model, rolling model, ContactStatistics)",
        std::to_string(columns), std::to_string(here_.columns));
    checkIntegrator();
    n_ = in_.value<std::uint64_t>();
    state_.step = in_.value<std::uint64_t>();
    const auto dt = in_.value<double>();
    if (dt != here_.time_step)
    {
      char a[32], b[32];
      std::snprintf(a, sizeof a, "%.9g s", dt);
      std::snprintf(b, sizeof b, "%.9g s", here_.time_step);
      disagree("the time step (TimeStep, OutputInterval; sizes, shapes and materials where it is "
               "automatic)",
        a, b);
    }
  }

  void checkIntegrator()
  {
    const auto integrator = version_ == kSnapshotVersionVerletOnly ? 0 : in_.value<std::uint32_t>();
    if (integrator >= std::size(kIntegratorNames))
      in_.fail("integrator number " + std::to_string(integrator) + " is not known");
    const auto here = static_cast<std::uint32_t>(here_.scene.integrator);
    if (integrator != here)
      disagree("Integrator", kIntegratorNames[integrator], kIntegratorNames[here]);
  }

  void checkFingerprints()
  {
    for (std::size_t k = 0; k < here_.fingerprints.size(); ++k)
    {
      const auto saved = version_ <= kSnapshotVersionSpheres && k == SceneFingerprints::kShapes
        ? SceneFingerprints::spheres()
        : in_.value<std::uint64_t>();
      const Domain& domain = here_.scene.domain;
      const bool with_borders = k == SceneFingerprints::kDomain && !state_.has_borders;
      if (saved ==
        (with_borders ? SceneFingerprints::ofDomain(domain, true) : here_.fingerprints[k]))
        continue;
      throw Error(std::string("The saved state belongs to another scene: it differs in ") +
        SceneFingerprints::name(k) +
        (with_borders && domain.automatic
            ? ". Switch Automatic Domain off and set Domain to the borders that it had then"
            : ". Load it into the scene that made it, or start that scene anew") +
        ".");
    }
    state_.gravity = here_.scene.gravity;
  }

  void readBorders()
  {
    const auto lower = in_.value<Vec3d>(), upper = in_.value<Vec3d>();
    state_.gravity = in_.value<Vec3d>();
    const Domain& domain = here_.scene.domain;
    if (!domain.limited || (lower == domain.lower && upper == domain.upper))
      return;
    char text[500];
    std::snprintf(text, sizeof text,
      "The saved state belongs to a domain x %.17g to %.17g, y %.17g to %.17g, z %.17g to "
      "%.17g m. "
      "Give it as RestartFile to a run with AutomaticDomain, which takes these borders, or set "
      "Domain to them.",
      lower.x, upper.x, lower.y, upper.y, lower.z, upper.z);
    throw Error(text);
  }

  void readExits()
  {
    state_.lost = in_.value<std::uint64_t>();
    if (!state_.has_borders)
      return;
    state_.energy_at_start = in_.value<double>();
    state_.exited = in_.array<ExitedGrain>();
    const std::vector<ExitedGrain>& exited = state_.exited;
    for (std::size_t k = 0; k < exited.size(); ++k)
      if (!std::isfinite(exited[k].energy) || (k && exited[k].id <= exited[k - 1].id) ||
        exited.size() > state_.lost)
        in_.fail("the grains that left are not possible");
  }

  // True for formats up to kSnapshotVersionAccounts, which store energies per particle.
  bool hasAccounts() const { return version_ <= kSnapshotVersionAccounts; }

  void readTotals()
  {
    const int unit = hasAccounts() ? -80 : in_.value<std::int32_t>();
    if (unit < -900 || unit > 900)
      in_.fail("energies with a unit of 2^" + std::to_string(unit) + " J are not possible");
    state_.totals = EnergyTotals(unit);
    for (unsigned e = 0; e < kBookedEnergies; ++e)
    {
      const auto low = in_.value<std::uint64_t>();
      state_.totals.addUnits(e, low, in_.value<std::uint64_t>());
    }
  }

  void readAccounts()
  {
    const EnergyTotals lost_energy = state_.totals;
    state_.totals = EnergyTotals(here_.energy_unit);
    const auto account = in_.array<std::array<double, kBookedEnergies>>(n_, "energy");
    for (unsigned e = 0; e < kBookedEnergies; ++e)
    {
      const auto kind = static_cast<BookedEnergy>(e);
      book(kind, lost_energy.joule(kind));
      for (const auto& booked : account)
        book(kind, booked[e]);
    }
  }
  void book(BookedEnergy kind, double joule)
  {
    if (!state_.totals.holds(joule))
      in_.fail("an energy is not finite or too large");
    state_.totals.add(kind, joule);
  }

  void readParticles()
  {
    forColumns<Real>(
      [&](const auto& row, auto& values) { readColumn(row.name, values); }, state_.particles);
  }
  template <class T>
  void readColumn(const char* name, std::vector<T>& values)
  {
    values = in_.array<T>(n_, name);
  }
  void readColumn(const char* name, std::vector<Traveled<Real>>& values)
  {
    const auto turned_z = version_ <= kSnapshotVersionWholeTurns ? std::vector<Real>(n_, Real(0))
                                                                 : in_.array<Real>(n_, name);
    values.resize(n_);
    std::transform(turned_z.begin(), turned_z.end(), values.begin(), [](Real z) {
      return Traveled<Real>{ z, Real(0) };
    });
  }
  template <class T>
  void readColumn(const char* name, std::vector<std::vector<T>>& arrays)
  {
    for (std::size_t k = 0; k < here_.rates; ++k)
      arrays.push_back(in_.array<T>(n_, name));
  }
  void readColumn(const char* name, std::vector<std::int64_t>& values)
  {
    if (hasAccounts())
      readAccounts();
    values = in_.array<std::int64_t>(n_, name);
  }

  template <class Key>
  void readContacts(SavedContacts<Real, Key>& c, const char* rows, const char* keys,
    const char* flags, const char* history)
  {
    c.start = in_.array<std::uint32_t>(n_ + 1, rows);
    const std::size_t contacts = c.start.back();
    c.key = in_.array<Key>(contacts, keys);
    c.flags = in_.array<std::uint8_t>(contacts, flags);
    c.history = in_.array<Real>(contacts * here_.columns, history);
  }

  void readBodies()
  {
    BodyArrays& bodies = state_.bodies;
    bodies.id = in_.array<std::int64_t>();
    const std::size_t n = bodies.id.size();
    bodies.shape = in_.array<std::int32_t>(n, "bodies' shapes");
    for (std::vector<Vec4<double>>* column :
      { &bodies.centre, &bodies.orientation, &bodies.velocity, &bodies.momentum, &bodies.inertia })
      *column = in_.array<Vec4<double>>(n, "bodies");
    checkBodies();
    for (std::int32_t shape : bodies.shape)
      if (!here_.shapes.shaped && isShaped(here_.scene.shapes[shape].kind))
        throw Error("The saved state belongs to another scene: grains of it have the shape \"" +
          here_.scene.shapes[shape].name + "\", here all are spheres or clumps of them.");
  }

  // Checks that the bodies agree with the shapes of the scene, and that the particles are their
  // parts.
  void checkBodies()
  {
    const BodyArrays& a = state_.bodies;
    std::int64_t parts = 0, present = 0;
    for (std::size_t b = 0; b < a.id.size(); ++b)
    {
      if (a.shape[b] < 0 || a.shape[b] + std::size_t(1) >= here_.shapes.first_offset.size() ||
        (b && a.id[b] <= a.id[b - 1]) || !(a.velocity[b].w > 0) ||
        !(dot(a.inertia[b].xyz(), a.inertia[b].xyz()) > 0))
        in_.fail("body " + std::to_string(a.id[b]) + " has impossible values");
      parts += here_.shapes.parts(a.shape[b]);
      present += isGone(a.centre[b].x) ? 0 : here_.shapes.parts(a.shape[b]);
    }
    const std::vector<std::int64_t>& part = state_.particles.id;
    if (!a.id.empty() &&
      (present != static_cast<std::int64_t>(part.size()) ||
        (!part.empty() && (part.front() < 0 || part.back() >= parts))))
      in_.fail("the parts of its bodies do not fit them");
  }

  void checkParticles()
  {
    const ParticleColumns<Real>& p = state_.particles;
    for (std::size_t i = 0; i < p.id.size(); ++i)
    {
      if (i && p.id[i] <= p.id[i - 1])
        in_.fail("the Ids do not ascend");
      if (state_.pairs.start[i] > state_.pairs.start[i + 1] ||
        state_.walls.start[i] > state_.walls.start[i + 1])
        in_.fail("the rows of contacts do not ascend");
      const Vec3<Real> turned{ p.velocity_rest[i].w, p.spin_rest[i].w, p.traveled[i].turned_z };
      if (state_.bodies.id.empty() && !(dot(turned, turned) < Real(0.5)))
        in_.fail("particle " + std::to_string(p.id[i]) + " has an impossible orientation");
      if (!(p.position[i].w > 0) || !(dot(p.position[i].xyz(), p.position[i].xyz()) < 1e300) ||
        !(p.velocity[i].w > 0) || !(p.spin[i].w >= 0) ||
        !(p.spin[i].w < static_cast<Real>(here_.scene.materials.size())))
        in_.fail("particle " + std::to_string(p.id[i]) + " has impossible values");
    }
  }

  void readPassive()
  {
    const auto count = in_.value<std::uint32_t>();
    for (std::uint32_t c = 0; c < count; ++c)
    {
      const auto letters = in_.array<char>();
      const std::string name(letters.begin(), letters.end());
      const auto* const row = std::find_if(std::begin(kPassiveColumns), std::end(kPassiveColumns),
        [&](const auto& column) { return name == column.name; });
      if (!std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 127; }))
        in_.fail("the name of an array of the particles is not possible");
      if (row == std::end(kPassiveColumns))
        throw Error("The saved state has the array " + name +
          " of the particles, which this program does not know. Load it with the version of "
          "ParaGrain that wrote it.");
      PassiveValues& values = state_.particles.passive[row - kPassiveColumns];
      if (values)
        in_.fail(name + " is there twice");
      values = in_.array<double>(n_, row->name);
    }
  }

  // Values must be possible. Parts of a body have the value of the body.
  void checkPassive(const Column<double>& row, const std::vector<double>& values)
  {
    const std::vector<std::int64_t>& id = state_.particles.id;
    const BodyArrays& bodies = state_.bodies;
    std::size_t body = 0;
    std::int64_t end = 0; // Id behind the parts of the bodies before `body`
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      const bool same_body = i > 0 && id[i] < end;
      for (; !bodies.id.empty() && id[i] >= end; ++body)
        end += here_.shapes.parts(bodies.shape[body]);
      if ((!row.is_bits && !std::isfinite(values[i])) ||
        (row.input && !isInRange(rowOf(row.input), values[i])) ||
        (same_body && row.moves_with_body && values[i] != values[i - 1]))
        in_.fail(
          std::string(row.name) + " of particle " + std::to_string(id[i]) + " is not possible");
    }
  }

  // Checks the passive columns, and fills those that the run keeps and the state does not have.
  void completePassive()
  {
    for (std::size_t k = 0; k < kPassiveCount; ++k)
    {
      const Column<double>& row = kPassiveColumns[k];
      PassiveValues& values = state_.particles.passive[k];
      if (values)
        checkPassive(row, *values);
      if (values || here_.passive[k] == PassiveStart::Off)
        continue;
      if (row.is_saved && here_.passive[k] == PassiveStart::FromInput)
        throw Error(std::string("The saved state has no ") + row.name +
          " of the particles, but the input of this scene has. Load it into the scene that made "
          "it, or leave the array " +
          row.name + " out of the input" +
          (row.property ? std::string(": all particles then have ") + rowOf(row.property).property
                        : std::string()) +
          ".");
      values.emplace(n_, initialValue(row, here_.scene));
    }
  }

  SnapshotReader in_;
  const StateExpectation here_;
  std::uint32_t version_ = 0;
  std::uint64_t n_ = 0;
  SavedState<Real> state_;
};

} // namespace dem

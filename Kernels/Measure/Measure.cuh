// Kernels that compute the arrays and energies of a frame from the state of spheres, without
// changing it. Used by Measurement.cuh and FrameMaker.cuh. Rank = index in ascending Id; outputs
// are written by rank, so they do not depend on the order in memory.
#pragma once

#include "Forces/MeasuredPair.cuh"
#include "Forces/PairContact.cuh"
#include "Forces/WallForces.cuh"
#include "NeighborList/BuildList.cuh"

namespace dem
{

/// Sums over particles of energies (J) and contacts, and the maximum of the overlap over the
/// smaller radius.
struct Tally
{
  double kinetic{}, potential{}, contacts{}, overlap{};

  DEM_HD Tally& operator+=(const Tally& o)
  {
    kinetic += o.kinetic;
    potential += o.potential;
    contacts += o.contacts;
    overlap = o.overlap > overlap ? o.overlap : overlap;
    return *this;
  }
};

/// Everything a measuring kernel reads.
template <class Real>
struct MeasureView
{
  StateView<Real> state;
  LawView<Real> law;
  ListView list;
  ContactSlots<Real> pair_slots;
  const MeasuredPair<Real>* measured; // evaluated pairs by contact (CPU); null: evaluate here
  WallView walls;
  WallListView wall_list;
  const std::uint32_t* wall_row_of;
  ContactSlots<Real> wall_slots;
  const std::uint32_t* order; // particle of each rank
  const std::uint32_t* rank;  // of each particle
  std::uint32_t grains;       // particles that are shown; ghosts of a part have higher ranks
  Vec3<Real> gravity;
  Real dt; // s, 0 before the first step
  // The last kick of the step is not yet part of the state: the integrator still adds
  // closing * (dt * acceleration - rate). The rates are null for integrators without rates.
  Real closing;
  const Vec4<Real>*velocity_rate, *spin_rate;

  /// Whether sphere i is shown.
  DEM_HD bool shows(std::uint32_t i) const { return rank[i] < grains; }

  /// Velocity (m/s) and angular velocity (rad/s) of sphere i at the time of the frame.
  DEM_HD Vec3d velocity(std::uint32_t i) const
  {
    const Vec4<Real> v = state.velocity[i];
    Vec3<Real> dv = closing * dt * ((Real(1) / v.w) * state.force[i].xyz() + gravity);
    if (velocity_rate)
      dv -= closing * velocity_rate[i].xyz();
    return v.xyz().template as<double>() +
      (state.velocity_rest[i].xyz() + dv).template as<double>();
  }
  DEM_HD Vec3d spin(std::uint32_t i) const
  {
    const Real radius = static_cast<Real>(state.position[i].w);
    const Real per_inertia = Real(2.5) / (state.velocity[i].w * radius * radius);
    Vec3<Real> dw = (closing * dt * per_inertia) * state.torque[i].xyz();
    if (spin_rate)
      dw -= closing * spin_rate[i].xyz();
    return state.spin[i].xyz().template as<double>() +
      (state.spin_rest[i].xyz() + dw).template as<double>();
  }

  /// Orientation of sphere i. Bodies store theirs in BodyView.
  DEM_HD Quaternion<double> orientation(std::uint32_t i) const
  {
    const Vec4<double> q = state.orientation[i];
    const Quaternion<double> then{ q.x, q.y, q.z, q.w };
    return state.traveled ? turnOf(state.turned(i)) * then : then;
  }

  /// Number of contacts that particle i owns in a frame: those with higher Ids and with walls.
  DEM_HD std::uint32_t ownedContacts(std::uint32_t i) const
  {
    std::uint32_t own = 0;
    std::uint32_t slot = list.start(i);
    for (std::uint32_t s = 0; s < list.count[i]; ++s, ++slot)
    {
      const ListView::Slot here = list.at(i, slot);
      own +=
        !(here.entry & ListView::kLowerId) && (pair_slots.flags[here.contact] & kTouching) ? 1 : 0;
    }
    const std::uint32_t row = wall_row_of[i];
    for (std::uint32_t w = row == kNoRow ? 0 : wall_list.start[row],
                       end = row == kNoRow ? 0 : wall_list.start[row + 1];
         w < end; ++w)
      own += wall_slots.flags[w] & kTouching ? 1 : 0;
    return own;
  }

  /// Geometry of pair (i, j); `lower`: j has the lower Id and is the first of the pair.
  DEM_HD PairGeometry<Real> geometry(std::uint32_t i, std::uint32_t j, bool lower) const
  {
    return pairGeometry<Real>(
      law.box, state.position[lower ? j : i], state.position[lower ? i : j]);
  }

  /// Calls visit(neighbour, lower, pair, contact) for every touching pair of particle i, in the
  /// order of its row. `lower`: the neighbour has the lower Id.
  template <class Visit>
  DEM_HD void pairs(std::uint32_t i, const Visit& visit) const
  {
    pairs(list.start(i), list.start(i) + list.count[i], i, visit);
  }
  /// Visits at least the pairs with higher Ids; pairs with lower Ids may be visited too.
  template <class Visit>
  DEM_HD void pairsWithHigher(std::uint32_t i, const Visit& visit) const
  {
    pairs(list.higher(i), list.start(i) + list.count[i], i, visit);
  }
  /// Visits the touching pairs in slots begin to end - 1 of particle i.
  template <class Visit>
  DEM_HD void pairs(
    std::uint32_t begin, std::uint32_t end, std::uint32_t i, const Visit& visit) const
  {
    for (std::uint32_t slot = begin; slot < end; ++slot)
    {
      const ListView::Slot here = list.at(i, slot);
      const std::uint32_t contact = here.contact;
#ifndef __CUDA_ARCH__
      if (measured)
      {
        const std::uint32_t ahead = list.contact(slot + ListView::kAhead);
        __builtin_prefetch(&pair_slots.flags[ahead]);
        __builtin_prefetch(&measured[ahead]);
      }
#endif
      if (!(pair_slots.flags[contact] & kTouching))
        continue;
      const std::uint32_t j = here.entry & ListView::kIndex;
      const bool lower = here.entry & ListView::kLowerId;
      visit(j, lower, measured ? measured[contact] : evaluate(i, j, lower, contact), contact);
    }
  }

  /// Evaluates the contact law for a pair without changing its history.
  DEM_HD MeasuredPair<Real> evaluate(
    std::uint32_t i, std::uint32_t j, bool lower, std::uint32_t contact) const
  {
    const std::uint32_t a = lower ? j : i, b = lower ? i : j;
    ContactHistory<Real> history = loadHistory(law.law, pair_slots.history, contact);
    history.sliding = pair_slots.flags[contact] & kSliding;
    const PairContact<Real> c =
      pairContact<false>(law, geometry(i, j, lower), state.position[a], state.position[b],
        state.velocity[a], state.velocity[b], state.spin[a], state.spin[b], dt, false, history);
    return { c.normal, c.force.tangential, c.force.normal, c.overlap, c.force.elastic_energy };
  }

  /// Calls visit(element, contact, slot) for every touching wall element of particle i.
  template <class Visit>
  DEM_HD void wallContacts(std::uint32_t i, const Visit& visit) const
  {
    const std::uint32_t row = wall_row_of[i];
    if (row == kNoRow)
      return;
    const Vec4<double> x = state.position[i];
    for (std::uint32_t slot = wall_list.start[row]; slot < wall_list.start[row + 1]; ++slot)
    {
      if (!(wall_slots.flags[slot] & kTouching))
        continue;
      const std::uint32_t e = wall_list.entries[slot];
      const WallElement& element = walls.elements[e];
      const WallBody& body = walls.bodies[element.wall];
      const Vec3d local = body.toLocal(x.xyz());
      ContactHistory<Real> history = loadHistory(law.law, wall_slots.history, slot);
      history.sliding = wall_slots.flags[slot] & kSliding;
      const ClosestPoint closest = closestOnElement(element, local);
      const WallContact<Real> c = wallContact<false>(law, element, body, x, local, closest,
        state.velocity[i], state.spin[i], dt, false, history);
      visit(e, c, slot);
    }
  }
};

/// Writes per particle: energies, coordination number, Love-Weber stress (Pa) and the number of
/// contacts that it owns (with higher Ids and walls).
template <class Real>
struct MeasureParticles
{
  MeasureView<Real> view;
  Tally* tally;
  std::int32_t* coordination; // or null
  float* stress;              // 6 per particle, or null
  std::uint32_t* owned;       // or null

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t rank = view.rank[i];
    if (!view.shows(i))
      return;
    const Vec4<double> x = view.state.position[i];
    const double mass = view.state.velocity[i].w;
    const Vec3d v = view.velocity(i), w = view.spin(i);
    Tally t;
    t.kinetic = 0.5 * mass * dot(v, v) + 0.2 * mass * x.w * x.w * dot(w, w);
    t.potential = -mass * dot(view.gravity.template as<double>(), x.xyz());

    std::int32_t touching = 0;
    std::uint32_t own = 0;
    TensorSum sum;
    view.pairs(i, [&](std::uint32_t j, bool lower, const MeasuredPair<Real>& p, std::uint32_t) {
      ++touching;
      const Vec3<Real> on_lower = p.tangential - p.normal_force * p.normal;
      const Real arm = static_cast<Real>(x.w) - Real(0.5) * p.overlap;
      sum.add((lower ? -on_lower : on_lower).template as<double>(),
        (lower ? -arm * p.normal : arm * p.normal).template as<double>());
      if (!lower)
      {
        ++own;
        t.potential += p.elastic_energy;
        const double other = view.state.position[j].w;
        const double ratio = p.overlap / (x.w < other ? x.w : other);
        t.overlap = ratio > t.overlap ? ratio : t.overlap;
      }
    });
    view.wallContacts(i, [&](std::uint32_t, const WallContact<Real>& c, std::uint32_t) {
      ++touching;
      ++own;
      sum.add(c.on_particle.template as<double>(), c.point - x.xyz());
      t.potential += c.force.elastic_energy;
      const double ratio = c.overlap / x.w;
      t.overlap = ratio > t.overlap ? ratio : t.overlap;
    });
    t.contacts = own;
    tally[rank] = t;
    if (coordination)
      coordination[rank] = touching;
    if (owned)
      owned[rank] = own;
    if (stress)
    {
      const double volume = 4. / 3 * 3.14159265358979323846 * x.w * x.w * x.w;
      for (int k = 0; k < 6; ++k)
        stress[6 * std::size_t(rank) + k] = static_cast<float>(sum.value[k] / volume);
    }
  }
};

/// Counts the contacts that each particle owns, without evaluating the contact law.
template <class Real>
struct CountContacts
{
  MeasureView<Real> view;
  std::uint32_t* owned;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (view.shows(i))
      owned[view.rank[i]] = view.ownedContacts(i);
  }
};

/// Output arrays of contacts, as in ContactArrays; null pointers are not written.
struct ContactOutput
{
  std::int64_t* ids;
  double* ends;
  float *normal_force, *tangential_force, *overlap;
  std::uint8_t* sliding;
  float *age, *slip, *dissipated;
  float* cohesive_force; // with cohesion only
  std::int32_t* element;
  double* point = nullptr; // bodies only
};

/// Writes the contacts that each particle owns: its pairs, then its walls.
template <class Real>
struct WriteContacts
{
  MeasureView<Real> view;
  const std::uint32_t* offset; // first contact of each rank
  ContactOutput out;

  DEM_HD static void put(double* to, std::size_t k, const Vec3d& v)
  {
    to[3 * k] = v.x;
    to[3 * k + 1] = v.y;
    to[3 * k + 2] = v.z;
  }
  DEM_HD static void put(float* to, std::size_t k, const Vec3<Real>& v)
  {
    to[3 * k] = static_cast<float>(v.x);
    to[3 * k + 1] = static_cast<float>(v.y);
    to[3 * k + 2] = static_cast<float>(v.z);
  }
  DEM_HD void common(std::size_t k, Real normal_force, const Vec3<Real>& normal,
    const Vec3<Real>& tangential, Real overlap, bool sliding, const ContactSlots<Real>& slots,
    std::size_t contact) const
  {
    put(out.normal_force, k, -normal_force * normal);
    put(out.tangential_force, k, tangential);
    if (out.overlap)
      out.overlap[k] = static_cast<float>(overlap);
    if (out.sliding)
      out.sliding[k] = sliding ? 1 : 0;
    if (out.age)
    {
      const int c = firstColumnOf<ContactStatistics>(view.law.law);
      out.age[k] = static_cast<float>(slots.history.at(c, contact));
      out.slip[k] = static_cast<float>(slots.history.at(c + 1, contact));
      out.dissipated[k] = static_cast<float>(slots.history.at(c + 2, contact));
    }
  }

  /// Writes the cohesive force on particle or part i in contact k with another one, j.
  DEM_HD void cohesion(
    std::size_t k, std::uint32_t i, std::uint32_t j, Real overlap, const Vec3<Real>& normal) const
  {
    const Real a = static_cast<Real>(view.state.position[i].w),
               b = static_cast<Real>(view.state.position[j].w);
    cohesion(k, i, view.state.spin[j].w, quotient(a * b, a + b), overlap, normal);
  }
  /// The same for a contact with a wall.
  DEM_HD void wallCohesion(std::size_t k, std::uint32_t i, const WallElement& element, Real overlap,
    const Vec3<Real>& normal) const
  {
    cohesion(k, i, static_cast<Real>(view.walls.bodies[element.wall].material),
      static_cast<Real>(view.state.position[i].w), overlap, normal);
  }

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (!view.shows(i))
      return;
    const Vec3d x = view.state.position[i].xyz();
    const std::int64_t own = view.state.id[i];
    std::size_t k = offset[view.rank[i]];
    view.pairsWithHigher(
      i, [&](std::uint32_t j, bool lower, const MeasuredPair<Real>& p, std::uint32_t contact) {
        if (lower)
          return;
        out.ids[2 * k] = own;
        out.ids[2 * k + 1] = view.state.id[j];
        put(out.ends, 2 * k, x);
        put(out.ends, 2 * k + 1, x + view.geometry(i, j, false).apart);
        common(k, p.normal_force, p.normal, p.tangential, p.overlap,
          view.pair_slots.flags[contact] & kSliding, view.pair_slots, contact);
        cohesion(k, i, j, p.overlap, p.normal);
        if (out.element)
          out.element[k] = -1;
        ++k;
      });
    view.wallContacts(i, [&](std::uint32_t e, const WallContact<Real>& c, std::uint32_t slot) {
      out.ids[2 * k] = own;
      out.ids[2 * k + 1] = -1 - static_cast<std::int64_t>(view.walls.elements[e].wall);
      put(out.ends, 2 * k, x);
      put(out.ends, 2 * k + 1, c.point);
      common(k, c.force.normal, c.normal, c.force.tangential, c.overlap,
        view.wall_slots.flags[slot] & kSliding, view.wall_slots, slot);
      wallCohesion(k, i, view.walls.elements[e], c.overlap, c.normal);
      if (out.element)
        out.element[k] = static_cast<std::int32_t>(e);
      ++k;
    });
  }

private:
  // `material` of the other side; `radius`: R*, m.
  DEM_HD void cohesion(std::size_t k, std::uint32_t i, Real material, Real radius, Real overlap,
    const Vec3<Real>& normal) const
  {
    if (out.cohesive_force)
      put(out.cohesive_force, k,
        cohesiveForce(
          view.law.law, view.law.pair(view.state.spin[i].w, material), radius, overlap) *
          normal);
  }
};

/// Writes a passive column (Particles/Columns.h) by rank.
struct WritePassive
{
  const double* values; // by particle; null: all particles have `initial`
  double initial;
  const std::uint32_t* order; // particle of each rank
  double* to;

  DEM_HD void operator()(std::uint32_t rank) const { put(rank, order[rank]); }
  DEM_HD void put(std::uint32_t rank, std::uint32_t i) const
  {
    to[rank] = values ? values[i] : initial;
  }
};

/// Writes the arrays of particles of a frame, by rank; null pointers are not written.
template <class Real>
struct WriteParticles
{
  MeasureView<Real> view;
  double* position;
  std::int64_t* id;
  float *radius, *velocity, *spin, *orientation, *force, *torque, *mass;
  std::int32_t *material, *shape;

  DEM_HD static void put(float* to, std::size_t k, const Vec3d& v)
  {
    to[3 * k] = static_cast<float>(v.x);
    to[3 * k + 1] = static_cast<float>(v.y);
    to[3 * k + 2] = static_cast<float>(v.z);
  }

  DEM_HD void operator()(std::uint32_t rank) const
  {
    const std::size_t k = rank;
    const std::uint32_t i = view.order[rank];
    const Vec4<double> x = view.state.position[i];
    position[3 * k] = x.x;
    position[3 * k + 1] = x.y;
    position[3 * k + 2] = x.z;
    id[k] = view.state.id[i];
    radius[k] = static_cast<float>(x.w);
    if (velocity)
      put(velocity, k, view.velocity(i));
    if (spin)
      put(spin, k, view.spin(i));
    if (orientation)
    {
      const Quaternion<double> q = view.orientation(i);
      orientation[4 * k] = static_cast<float>(q.w);
      orientation[4 * k + 1] = static_cast<float>(q.x);
      orientation[4 * k + 2] = static_cast<float>(q.y);
      orientation[4 * k + 3] = static_cast<float>(q.z);
    }
    const Real m = view.state.velocity[i].w;
    if (force)
      put(force, k, (view.state.force[i].xyz() + m * view.gravity).template as<double>());
    if (torque)
      put(torque, k, view.state.torque[i].xyz().template as<double>());
    if (mass)
      mass[k] = static_cast<float>(m);
    if (material)
      material[k] = static_cast<std::int32_t>(view.state.spin[i].w);
    if (shape)
      shape[k] = 0;
  }
};

} // namespace dem

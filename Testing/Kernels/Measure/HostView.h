// The host arrays of a frame as filters hand them to the analysis.
#pragma once

#include "Analysis/GrainIndex.h"
#include "Analysis/Grains.h"
#include "Measure/Frame.h"

#include <cstdint>
#include <vector>

namespace test
{

/// Refers to the frame, which must stay.
struct HostView
{
  explicit HostView(const dem::Frame& f)
    : shown(f)
    , radius(f.radius.begin(), f.radius.end())
    , mass(f.mass.begin(), f.mass.end())
    , velocity(f.velocity.begin(), f.velocity.end())
    , spin(f.angular_velocity.begin(), f.angular_velocity.end())
    , normal(f.contacts.normal_force.begin(), f.contacts.normal_force.end())
    , tangential(f.contacts.tangential_force.begin(), f.contacts.tangential_force.end())
    , overlap(f.contacts.overlap.begin(), f.contacts.overlap.end())
    , first(f.contacts.size)
    , second(f.contacts.size)
  {
    dem::GrainIndex(grains()).contacts(
      f.contacts.ids.data(), f.contacts.size, first.data(), second.data());
    for (std::size_t c = 0; c < f.contacts.size; ++c)
    {
      const double* ends = f.contacts.ends.data() + 6 * c;
      from.insert(from.end(), ends, ends + 3);
      to.insert(to.end(), ends + 3, ends + 6);
    }
  }
  dem::Grains grains() const
  {
    dem::Grains g;
    g.size = shown.size;
    g.position = shown.position.data();
    g.radius = radius.data();
    g.id = shown.id.data();
    g.mass = mass.data();
    g.velocity = velocity.data();
    g.angular_velocity = spin.data();
    g.material = shown.material.data();
    return g;
  }
  dem::GrainContacts contacts() const
  {
    dem::GrainContacts c;
    c.size = shown.contacts.size;
    c.first = first.data();
    c.second = second.data();
    c.first_place = from.data();
    c.second_place = to.data();
    c.normal_force = normal.data();
    c.tangential_force = tangential.data();
    c.overlap = overlap.data();
    c.sliding = shown.contacts.sliding.data();
    return c;
  }

  const dem::Frame& shown;
  std::vector<double> radius, mass, velocity, spin, normal, tangential, overlap, from, to;
  std::vector<std::int64_t> first, second;
};

} // namespace test

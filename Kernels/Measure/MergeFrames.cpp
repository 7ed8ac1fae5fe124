#include "Measure/MergeFrames.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstring>
#include <type_traits>
#include <utility>

namespace dem
{
namespace
{

std::vector<std::int64_t> toVector(const HostArray<std::int64_t>& array, std::size_t stride)
{
  std::vector<std::int64_t> values(array.size() / stride);
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = array[stride * k];
  return values;
}

// Joins the array that `of` returns of each part. It has `values` numbers an entry, or is empty.
template <class Of>
void join(const IdMerge& order, const std::vector<Frame>& parts, Frame& whole, const Of& of)
{
  using Values = std::decay_t<decltype(of(whole))>;
  using T = std::decay_t<decltype(of(whole)[0])>;
  std::size_t values = 0;
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (const std::size_t n = order.ranks(p).size())
      values = of(const_cast<Frame&>(parts[p])).size() / n;
  if (values == 0)
    return;
  Values& to = of(whole);
  to = Values(values * order.size());
  for (std::size_t p = 0; p < parts.size(); ++p)
  {
    const T* from = of(const_cast<Frame&>(parts[p])).data();
    const std::vector<std::uint32_t>& ranks = order.ranks(p);
    constexpr std::size_t kGrain = 4096;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, ranks.size(), kGrain),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t k = range.begin(); k < range.end(); ++k)
          std::memcpy(to.data() + values * ranks[k], from + values * k, values * sizeof(T));
      });
  }
}

IdMerge orderOf(const std::vector<Frame>& parts, std::size_t stride,
  const HostArray<std::int64_t>& (*ids)(const Frame&))
{
  std::vector<std::vector<std::int64_t>> all;
  for (const Frame& part : parts)
    all.push_back(toVector(ids(part), stride));
  return IdMerge(std::move(all));
}

} // namespace

IdMerge::IdMerge(std::vector<std::vector<std::int64_t>> ids)
  : ranks_(ids.size())
{
  std::vector<std::size_t> at(ids.size());
  for (std::size_t p = 0; p < ids.size(); ++p)
  {
    ranks_[p].reserve(ids[p].size());
    size_ += ids[p].size();
  }
  // entries with equal Ids belong to one part
  for (std::uint32_t rank = 0; rank < size_; ++rank)
  {
    std::size_t least = ids.size();
    for (std::size_t p = 0; p < ids.size(); ++p)
      if (at[p] < ids[p].size() && (least == ids.size() || ids[p][at[p]] < ids[least][at[least]]))
        least = p;
    ranks_[least].push_back(rank);
    ++at[least];
  }
}

Frame mergeFrames(const std::vector<Frame>& parts)
{
  Frame f;
  f.time = parts[0].time;
  f.step = parts[0].step;
  f.selection = parts[0].selection;
  f.device = parts[0].device;
  f.run = parts[0].run;

  const IdMerge grains =
    orderOf(parts, 1, [](const Frame& part) -> const HostArray<std::int64_t>& { return part.id; });
  f.size = grains.size();
  const auto joinGrains = [&](const auto& of) { join(grains, parts, f, of); };
  joinGrains([](Frame& x) -> auto& { return x.position; });
  joinGrains([](Frame& x) -> auto& { return x.id; });
  joinGrains([](Frame& x) -> auto& { return x.radius; });
  joinGrains([](Frame& x) -> auto& { return x.velocity; });
  joinGrains([](Frame& x) -> auto& { return x.angular_velocity; });
  joinGrains([](Frame& x) -> auto& { return x.orientation; });
  joinGrains([](Frame& x) -> auto& { return x.force; });
  joinGrains([](Frame& x) -> auto& { return x.torque; });
  joinGrains([](Frame& x) -> auto& { return x.mass; });
  joinGrains([](Frame& x) -> auto& { return x.material; });
  joinGrains([](Frame& x) -> auto& { return x.shape; });
  joinGrains([](Frame& x) -> auto& { return x.coordination_number; });
  joinGrains([](Frame& x) -> auto& { return x.stress; });
  for (std::size_t k = 0; k < kPassiveCount; ++k)
    joinGrains([k](Frame& x) -> auto& { return x.passive[k]; });

  const IdMerge contacts = orderOf(
    parts, 2, [](const Frame& part) -> const HostArray<std::int64_t>& { return part.contacts.ids; });
  f.contacts.size = contacts.size();
  f.contacts.of_cohesion = parts[0].contacts.of_cohesion;
  f.contacts.of_bodies = parts[0].contacts.of_bodies;
  const auto joinContacts = [&](const auto& of) { join(contacts, parts, f, of); };
  joinContacts([](Frame& x) -> auto& { return x.contacts.ids; });
  joinContacts([](Frame& x) -> auto& { return x.contacts.ends; });
  joinContacts([](Frame& x) -> auto& { return x.contacts.point; });
  joinContacts([](Frame& x) -> auto& { return x.contacts.normal_force; });
  joinContacts([](Frame& x) -> auto& { return x.contacts.tangential_force; });
  joinContacts([](Frame& x) -> auto& { return x.contacts.overlap; });
  joinContacts([](Frame& x) -> auto& { return x.contacts.sliding; });
  joinContacts([](Frame& x) -> auto& { return x.contacts.age; });
  joinContacts([](Frame& x) -> auto& { return x.contacts.slip_distance; });
  joinContacts([](Frame& x) -> auto& { return x.contacts.dissipated_energy; });
  joinContacts([](Frame& x) -> auto& { return x.contacts.cohesive_force; });
  joinContacts([](Frame& x) -> auto& { return x.contacts.wall_element; });

  const IdMerge exits = orderOf(
    parts, 1, [](const Frame& part) -> const HostArray<std::int64_t>& { return part.exited_id; });
  join(exits, parts, f, [](Frame& x) -> auto& { return x.exited_id; });
  join(exits, parts, f, [](Frame& x) -> auto& { return x.exited_position; });
  return f;
}

} // namespace dem

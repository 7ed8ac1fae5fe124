#include "Measure/MergeFrames.h"

#include "Core/Bytes.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
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

// Calls visit(of) for each array of a kind, where of(frame) is the array.
template <class Visit>
void visitGrainArrays(const Visit& visit)
{
  visit([](Frame & f) -> auto& { return f.position; });
  visit([](Frame & f) -> auto& { return f.id; });
  visit([](Frame & f) -> auto& { return f.radius; });
  visit([](Frame & f) -> auto& { return f.velocity; });
  visit([](Frame & f) -> auto& { return f.angular_velocity; });
  visit([](Frame & f) -> auto& { return f.orientation; });
  visit([](Frame & f) -> auto& { return f.force; });
  visit([](Frame & f) -> auto& { return f.torque; });
  visit([](Frame & f) -> auto& { return f.mass; });
  visit([](Frame & f) -> auto& { return f.material; });
  visit([](Frame & f) -> auto& { return f.shape; });
  visit([](Frame & f) -> auto& { return f.coordination_number; });
  visit([](Frame & f) -> auto& { return f.stress; });
  for (std::size_t k = 0; k < kPassiveCount; ++k)
    visit([k](Frame & f) -> auto& { return f.passive[k]; });
}
template <class Visit>
void visitContactArrays(const Visit& visit)
{
  visit([](Frame & f) -> auto& { return f.contacts.ids; });
  visit([](Frame & f) -> auto& { return f.contacts.ends; });
  visit([](Frame & f) -> auto& { return f.contacts.point; });
  visit([](Frame & f) -> auto& { return f.contacts.normal_force; });
  visit([](Frame & f) -> auto& { return f.contacts.tangential_force; });
  visit([](Frame & f) -> auto& { return f.contacts.overlap; });
  visit([](Frame & f) -> auto& { return f.contacts.sliding; });
  visit([](Frame & f) -> auto& { return f.contacts.age; });
  visit([](Frame & f) -> auto& { return f.contacts.slip_distance; });
  visit([](Frame & f) -> auto& { return f.contacts.dissipated_energy; });
  visit([](Frame & f) -> auto& { return f.contacts.cohesive_force; });
  visit([](Frame & f) -> auto& { return f.contacts.wall_element; });
}
template <class Visit>
void visitExitArrays(const Visit& visit)
{
  visit([](Frame & f) -> auto& { return f.exited_id; });
  visit([](Frame & f) -> auto& { return f.exited_position; });
}
template <class Visit>
void visitAll(const Visit& visit)
{
  visitGrainArrays(visit);
  visitContactArrays(visit);
  visitExitArrays(visit);
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
  visitGrainArrays([&](const auto& of) { join(grains, parts, f, of); });

  const IdMerge contacts = orderOf(parts, 2,
    [](const Frame& part) -> const HostArray<std::int64_t>& { return part.contacts.ids; });
  f.contacts.size = contacts.size();
  f.contacts.of_cohesion = parts[0].contacts.of_cohesion;
  f.contacts.of_bodies = parts[0].contacts.of_bodies;
  visitContactArrays([&](const auto& of) { join(contacts, parts, f, of); });

  const IdMerge exits = orderOf(
    parts, 1, [](const Frame& part) -> const HostArray<std::int64_t>& { return part.exited_id; });
  visitExitArrays([&](const auto& of) { join(exits, parts, f, of); });
  return f;
}

Frame contactsWithWalls(const Frame& frame)
{
  const ContactArrays& from = frame.contacts;
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < from.size; ++k)
    if (from.ids[2 * k + 1] < 0)
      chosen.push_back(k);
  const auto copied = [&chosen](const auto& array, std::size_t values) {
    std::decay_t<decltype(array)> copy(values * chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k)
      std::copy_n(array.data() + values * chosen[k], values, copy.data() + values * k);
    return copy;
  };
  Frame f;
  f.time = frame.time;
  f.selection = frame.selection;
  f.contacts.size = chosen.size();
  f.contacts.ids = copied(from.ids, 2);
  f.contacts.ends = copied(from.ends, 6);
  f.contacts.normal_force = copied(from.normal_force, 3);
  f.contacts.tangential_force = copied(from.tangential_force, 3);
  f.contacts.wall_element = copied(from.wall_element, 1);
  return f;
}

std::vector<std::uint8_t> frameBytes(const Frame& part)
{
  SnapshotWriter out;
  visitAll([&](const auto& of) {
    const auto& array = of(const_cast<Frame&>(part));
    out.array(array.data(), array.size());
  });
  return std::move(out.bytes);
}

Frame frameFromBytes(const std::vector<std::uint8_t>& bytes, const Frame& like)
{
  Frame f = like;
  SnapshotReader in(bytes);
  visitAll([&](const auto& of) {
    auto& array = of(f);
    using T = std::decay_t<decltype(array[0])>;
    const std::vector<T> values = in.template array<T>();
    array = std::decay_t<decltype(array)>(values.size());
    std::copy(values.begin(), values.end(), array.data());
  });
  f.contacts.size = f.contacts.ids.size() / 2;
  return f;
}

} // namespace dem

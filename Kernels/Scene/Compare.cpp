// Compares scenes member by member, by the rows of Scene/Describe.h.
#include "Scene/Compare.h"

#include "Scene/Describe.h"
#include "Scene/ShapeText.h"
#include "Walls/SteeredWall.h"

#include <cstring>
#include <type_traits>

namespace dem
{
namespace
{

// Members that are compared.
enum class Members
{
  All,
  NotSteered
};

template <class T>
bool isSameValue(const T& a, const T& b, Members members);

template <class Owner>
bool areSameRows(const Owner& a, const Owner& b, Members members)
{
  bool same = true;
  forRows<Owner>([&](const auto& row) {
    if (members == Members::All || (row.is_compared && !row.is_steered))
      same = same && isSameValue(a.*row.member, b.*row.member, members);
  });
  return same;
}

// Compares domains without the borders that setAutomaticDomain() has set.
bool isSameDomain(const Domain& a, Domain b, Members members)
{
  for (int k = 0; k < 3; ++k)
    if (a.automatic && !a.given[static_cast<std::size_t>(k)])
    {
      b.lower[k] = a.lower[k];
      b.upper[k] = a.upper[k];
    }
  return areSameRows(a, b, members);
}

template <class T>
bool isSameColumn(const std::vector<T>& a, const std::vector<T>& b, Members members)
{
  if (a.size() != b.size())
    return false;
  if constexpr (std::is_trivially_copyable_v<T> && !IsDescribed<T>::value)
    return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
  else
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!isSameValue(a[i], b[i], members))
        return false;
  return true;
}

template <class T>
struct IsVector : std::false_type
{
};
template <class T>
struct IsVector<std::vector<T>> : std::true_type
{
};

template <class T>
bool isSameValue(const T& a, const T& b, Members members)
{
  if constexpr (std::is_same_v<T, Domain>)
    return isSameDomain(a, b, members);
  else if constexpr (IsDescribed<T>::value)
    return areSameRows(a, b, members);
  else if constexpr (std::is_same_v<T, Shape>)
    return shapeText(a) == shapeText(b);
  else if constexpr (IsVector<T>::value && !std::is_same_v<T, std::vector<bool>>)
    return isSameColumn(a, b, members);
  else
    return a == b;
}

// Appends an event for each steered member that differs. `prefix` of the property, `index` of a
// wall or empty.
template <class Owner>
void addEvents(const Owner& before, const Owner& after, const std::string& prefix,
  const std::vector<double>& index, std::vector<Event>& events)
{
  forRows<Owner>([&](const auto& row) {
    using Value = typename std::decay_t<decltype(row)>::Value;
    if constexpr (std::is_same_v<Value, Vec3d> || std::is_same_v<Value, double>)
    {
      if (!row.is_steered || before.*row.member == after.*row.member)
        return;
      Event event{ 0, prefix + row.property, index };
      if constexpr (std::is_same_v<Value, double>)
        event.value.push_back(after.*row.member);
      else
        for (int k = 0; k < 3; ++k)
          event.value.push_back((after.*row.member)[k]);
      events.push_back(event);
    }
  });
}

} // namespace

bool needsNewRun(const Scene& before, const Scene& after)
{
  if (!areSameRows(before, after, Members::NotSteered))
    return true;
  // Events can change only the first two materials.
  for (std::size_t m = 2; m < before.materials.size(); ++m)
    if (!areSameRows(before.materials[m], after.materials[m], Members::All))
      return true;
  return false;
}

bool needsNewRun(const std::vector<Wall>& before, const std::vector<Wall>& after)
{
  return !isSameColumn(before, after, Members::NotSteered);
}

std::vector<Event> steeredDifferences(
  const std::vector<Wall>& before, const std::vector<Wall>& after)
{
  std::vector<Event> events;
  for (std::size_t w = 0; w < before.size(); ++w)
  {
    std::vector<Event> of_wall;
    addEvents(before[w].motion, after[w].motion, "", { static_cast<double>(w) }, of_wall);
    for (const Event& event : of_wall)
      if (hasSpeed(after[w].motion.kind, event.property))
        events.push_back(event);
  }
  return events;
}

std::vector<Event> steeredDifferences(const Scene& before, const Scene& after)
{
  std::vector<Event> events;
  addEvents(before, after, "", {}, events);
  for (std::size_t m = 0; m < before.materials.size() && m < 2; ++m)
    addEvents(before.materials[m], after.materials[m], m == 1 ? "Wall" : "", {}, events);
  for (const Event& event : steeredDifferences(before.walls, after.walls))
    events.push_back(event);
  return events;
}

} // namespace dem

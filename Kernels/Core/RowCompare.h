// Comparison of structs member by member, by their rows, and the events that turn one into the
// other. Used by the comparisons of scenes of all methods.
#pragma once

#include "Core/Event.h"
#include "Core/Row.h"
#include "Core/Vec.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace dem
{

/// Members that are compared.
enum class Members
{
  All,
  NotSteered ///< all that neither an event nor a new end time can change during a run
};

/// Comparison of a type other than by its rows or by ==. A specialization is
/// `std::true_type` with `static bool areSame(const T& a, const T& b, Members members)`.
template <class T>
struct OwnComparison : std::false_type
{
};

template <class T>
bool isSameValue(const T& a, const T& b, Members members);

/// Compares structs member by member, by their rows.
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

/// Compares arrays of particles and meshes by bytes, so that NaN equals NaN; others by value.
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

namespace detail
{
template <class T>
struct IsVector : std::false_type
{
};
template <class T>
struct IsVector<std::vector<T>> : std::true_type
{
};
} // namespace detail

template <class T>
bool isSameValue(const T& a, const T& b, Members members)
{
  if constexpr (OwnComparison<T>::value)
    return OwnComparison<T>::areSame(a, b, members);
  else if constexpr (IsDescribed<T>::value)
    return areSameRows(a, b, members);
  else if constexpr (detail::IsVector<T>::value && !std::is_same_v<T, std::vector<bool>>)
    return isSameColumn(a, b, members);
  else
    return a == b;
}

/// Appends an event with time 0 for each steered member that differs. `prefix` of the property,
/// `index` of a wall or empty.
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
      Event event{ 0, prefix + row.property, {} };
      event.value.reserve(index.size() + 3);
      event.value.insert(event.value.end(), index.begin(), index.end());
      if constexpr (std::is_same_v<Value, double>)
        event.value.push_back(after.*row.member);
      else
        for (int k = 0; k < 3; ++k)
          event.value.push_back((after.*row.member)[k]);
      events.push_back(event);
    }
  });
}

} // namespace dem

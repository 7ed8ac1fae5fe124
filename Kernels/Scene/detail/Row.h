// What a row of Scene/Describe.h can state of a property, and how rows are visited.
#pragma once

#include "Physics/ContactModel.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace dem
{

/// How the values of two materials combine for a contact between them, unless MaterialPair states
/// one.
enum class Mixing
{
  None,         ///< the contact law uses the values of both materials
  GeometricMean ///< or the value of the wall, where one of the two belongs to walls alone
};

/// One property: a member of a struct of the scene and all that is stated about it. Its default is
/// the member's initializer. The functions below add statements and return the row.
template <class OwnerT, class ValueT>
struct Row
{
  using Owner = OwnerT;
  using Value = ValueT;

  Value Owner::*member = nullptr;
  const char* key = "";      ///< in a .dem file; empty: not stated by a key of its own
  const char* property = ""; ///< name in panels, messages, events and tables; empty: none
  const char* unit = "";     ///< SI; empty: without unit

  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_is_open = false; ///< the limit itself is not allowed
  int choices[2] = { 0, 0 };  ///< the only values, if they differ
  const char* zero = "";      ///< what 0 means, if it is not a value of the range
  bool is_checked = true;     ///< validate() checks the range; false: together with other members

  bool is_steered = false;            ///< an event may change it
  bool in_fingerprint = false;        ///< a saved state needs the same value
  bool hashed_unless_default = false; ///< as in_fingerprint, for a property added later
  bool is_compared = true; ///< a change needs a new run, or an event if the property is steered
  bool (*applies)(const Owner& owner) = nullptr; ///< if given, checked and hashed only where true

  const char* const* names = nullptr; ///< of an enumeration, in its order
  std::size_t name_count = 0;
  bool is_read_by_rows = true; ///< readRows() reads the key; false: a function of the reader does
  double factor = 1;           ///< value = factor * the number in files and panels

  const char* panel_default = nullptr; ///< where it differs from the member's initializer
  bool is_in_panel = true;             ///< a proxy has the property

  Mixing mixing = Mixing::None;
  std::optional<double> MaterialPair::*pair = nullptr; ///< the value of a pair of materials

  // --- range ---
  constexpr Row above(double limit) const
  {
    Row row = *this;
    row.lower = limit;
    row.lower_is_open = true;
    return row;
  }
  constexpr Row atLeast(double limit) const
  {
    Row row = *this;
    row.lower = limit;
    return row;
  }
  constexpr Row atMost(double limit) const
  {
    Row row = *this;
    row.upper = limit;
    return row;
  }
  constexpr Row oneOf(int a, int b) const
  {
    Row row = *this;
    row.choices[0] = a;
    row.choices[1] = b;
    return row;
  }
  constexpr Row zeroIs(const char* meaning) const
  {
    Row row = *this;
    row.zero = meaning;
    return row;
  }
  constexpr Row checkedElsewhere() const
  {
    Row row = *this;
    row.is_checked = false;
    return row;
  }

  // --- use ---
  constexpr Row steered() const
  {
    Row row = *this;
    row.is_steered = true;
    return row;
  }
  constexpr Row inFingerprint() const
  {
    Row row = *this;
    row.in_fingerprint = true;
    return row;
  }
  /// For a property that is added now: states saved before it keep their fingerprint.
  constexpr Row inFingerprintUnlessDefault() const
  {
    Row row = *this;
    row.in_fingerprint = true;
    row.hashed_unless_default = true;
    return row;
  }
  constexpr Row notCompared() const
  {
    Row row = *this;
    row.is_compared = false;
    return row;
  }
  constexpr Row onlyIf(bool (*condition)(const Owner&)) const
  {
    Row row = *this;
    row.applies = condition;
    return row;
  }
  constexpr Row mixed(Mixing rule, std::optional<double> MaterialPair::*of_pair) const
  {
    Row row = *this;
    row.mixing = rule;
    row.pair = of_pair;
    return row;
  }

  // --- files and panels ---
  template <std::size_t N>
  constexpr Row named(const char* const (&list)[N]) const
  {
    Row row = *this;
    row.names = list;
    row.name_count = N;
    return row;
  }
  constexpr Row readElsewhere() const
  {
    Row row = *this;
    row.is_read_by_rows = false;
    return row;
  }
  constexpr Row statedIn(const char* other_unit, double of_si) const
  {
    Row row = *this;
    row.unit = other_unit;
    row.factor = of_si;
    return row;
  }
  constexpr Row panelDefault(const char* text) const
  {
    Row row = *this;
    row.panel_default = text;
    return row;
  }
  constexpr Row notInPanel() const
  {
    Row row = *this;
    row.is_in_panel = false;
    return row;
  }
};

/// A row of a member. Without key and property: the member is compared, but not stated by itself.
template <class Owner, class Value>
constexpr Row<Owner, Value> row(
  Value Owner::*member, const char* key = "", const char* property = "", const char* unit = "")
{
  Row<Owner, Value> out;
  out.member = member;
  out.key = key;
  out.property = property;
  out.unit = unit;
  return out;
}

/// The rows of a struct: `static constexpr auto rows = std::make_tuple(row(...), ...)`.
template <class Owner>
struct Description;

template <class Owner, class = void>
struct IsDescribed : std::false_type
{
};
template <class Owner>
struct IsDescribed<Owner, std::void_t<decltype(Description<Owner>::rows)>> : std::true_type
{
};

namespace detail
{
template <class Owner, class Visit, std::size_t... I>
constexpr void visitRows(Visit& visit, std::index_sequence<I...>)
{
  (visit(std::get<I>(Description<Owner>::rows)), ...);
}
} // namespace detail

/// Calls visit(row) for each row of a struct, in their order.
template <class Owner, class Visit>
constexpr void forRows(Visit&& visit)
{
  using Rows = std::decay_t<decltype(Description<Owner>::rows)>;
  detail::visitRows<Owner>(visit, std::make_index_sequence<std::tuple_size_v<Rows>>{});
}

/// The row of a member.
template <class Owner, class Value>
Row<Owner, Value> rowOf(Value Owner::*member)
{
  Row<Owner, Value> found;
  forRows<Owner>([&](const auto& row) {
    if constexpr (std::is_same_v<std::decay_t<decltype(row)>, Row<Owner, Value>>)
      if (row.member == member)
        found = row;
  });
  return found;
}

namespace detail
{

// Initializes a member of any type; never called.
struct AnyValue
{
  template <class T>
  constexpr operator T() const;
};

template <class Owner, class Values, class = void>
struct TakesValues : std::false_type
{
};
template <class Owner, class... Values>
struct TakesValues<Owner, std::tuple<Values...>, std::void_t<decltype(Owner{ Values{}... })>>
  : std::true_type
{
};

} // namespace detail

/// The number of members of an aggregate.
template <class Owner, class... Values>
constexpr std::size_t memberCount(std::tuple<Values...> = {})
{
  using More = std::tuple<Values..., detail::AnyValue>;
  if constexpr (detail::TakesValues<Owner, More>::value)
    return memberCount<Owner>(More{});
  else
    return sizeof...(Values);
}

template <class Owner>
constexpr std::size_t rowCount()
{
  return std::tuple_size_v<std::decay_t<decltype(Description<Owner>::rows)>>;
}

} // namespace dem

// Type of the rows that describe the properties of a scene, and functions that visit rows. Used by
// the descriptions of all methods: Scene/Describe.h, MaterialPoint/MpmDescribe.h.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace dem
{

/// Rule that combines the values of two materials for a contact, unless the pair has a value.
enum class Mixing
{
  None,               ///< the contact law uses the values of both materials
  GeometricMean,      ///< also if one material is used by walls only
  GeometricMeanOrWall ///< the value of the wall, if one material is used by walls only
};

/// Struct with values for a pair of owners. Specialized for owners that have one.
template <class Owner>
struct PairOf
{
  struct Type
  {
  };
};

/// Struct with the values of particles for which an owner of lists has none. Specialized for owners
/// that have one.
template <class Owner>
struct FallbackOf
{
  struct Type
  {
  };
};

/// Description of one property, which is a member of a struct of the scene. Its default is the
/// member's initializer. Each function below returns a copy of the row with one more statement.
template <class OwnerT, class ValueT>
struct Row
{
  using Owner = OwnerT;
  using Value = ValueT;
  using Pair = typename PairOf<Owner>::Type;
  using Fallback = typename FallbackOf<Owner>::Type;

  Value Owner::*member = nullptr;
  const char* key = "";      ///< in a .dem file; empty: no key of its own
  const char* property = ""; ///< name in panels, messages, events and tables; empty: none
  const char* panel = "";    ///< name in panels, if it differs from `property`
  const char* unit = "";     ///< SI; empty: without unit

  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_is_open = false; ///< `lower` itself is not allowed
  bool upper_is_open = false; ///< `upper` itself is not allowed
  int choices[2] = { 0, 0 };  ///< the only allowed values, if they differ
  const char* zero = "";      ///< meaning of 0, if 0 is allowed outside the range
  const char* advice = "";    ///< sentence after the message about a value outside the range
  bool is_checked = true; ///< validate() checks the range; false: a check with other members does

  bool is_steered = false;     ///< an event may change it
  bool in_fingerprint = false; ///< a saved state requires the same value
  bool hashed_unless_default =
    false;                 ///< hashed only if not the default, for properties added later
  bool is_compared = true; ///< a change needs a new run, or an event if steered
  bool (*applies)(
    const Owner& owner) = nullptr; ///< if given, checked and hashed only where it returns true

  const char* const* names = nullptr; ///< names of an enumeration, in its order
  std::size_t name_count = 0;
  bool is_read_by_rows =
    true;            ///< readRows() reads the key; false: another function of the reader does
  double factor = 1; ///< value = factor * the number in files and panels
  const char* panel_unit = nullptr; ///< unit in panels, if it differs from `unit`

  const char* panel_default = nullptr; ///< default of the panel, if not the member's initializer
  bool is_in_panel = true;             ///< a proxy has the property

  Mixing mixing = Mixing::None;
  std::optional<double> Pair::*pair = nullptr; ///< the same coefficient of a pair of materials
  double Fallback::*otherwise =
    nullptr; ///< for a list with a number for each particle: the value of particles without one

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
  constexpr Row below(double limit) const
  {
    Row row = *this;
    row.upper = limit;
    row.upper_is_open = true;
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
  constexpr Row advise(const char* sentence) const
  {
    Row row = *this;
    row.advice = sentence;
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
  /// For new properties: older saved states keep their fingerprint.
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
  constexpr Row mixed(Mixing rule, std::optional<double> Pair::*of_pair) const
  {
    Row row = *this;
    row.mixing = rule;
    row.pair = of_pair;
    return row;
  }

  constexpr Row perParticle(double Fallback::*of_others) const
  {
    Row row = *this;
    row.otherwise = of_others;
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
  /// `other_unit`: of the panel, if it is not that of files.
  constexpr Row inPanelAs(const char* name, const char* other_unit = nullptr) const
  {
    Row row = *this;
    row.is_in_panel = true;
    row.panel = name;
    row.panel_unit = other_unit;
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

/// Returns the row of a member. A member without key and property is compared, but cannot be set on
/// its own.
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

/// Rows of a struct, specialized for each struct of a scene with the member
/// `static constexpr auto rows = std::make_tuple(row(...), ...)`.
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

/// Calls visit(row) for each row of a struct, in the order of the rows.
template <class Owner, class Visit>
constexpr void forRows(Visit&& visit)
{
  using Rows = std::decay_t<decltype(Description<Owner>::rows)>;
  detail::visitRows<Owner>(visit, std::make_index_sequence<std::tuple_size_v<Rows>>{});
}

/// Returns the row of a member.
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

/// Number of members of an aggregate, found by trying longer and longer initializer lists.
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

/// True if each struct has as many rows as members.
template <class... Owners>
constexpr bool eachMemberHasARow()
{
  return ((memberCount<Owners>() == rowCount<Owners>()) && ...);
}

} // namespace dem

// Hash of values and of the members that rows put into a fingerprint. Used by the fingerprints of
// saved states.
#pragma once

#include "Core/Row.h"
#include "Core/Vec.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

namespace dem
{

/// Types that a fingerprint may contain. Rows of other types are not hashed.
template <class T>
struct IsHashable
  : std::bool_constant<std::is_same_v<T, double> || std::is_same_v<T, int> ||
      std::is_same_v<T, bool> || std::is_same_v<T, Vec3d> ||
      std::is_same_v<T, std::optional<double>> || std::is_enum_v<T> || IsDescribed<T>::value>
{
};
template <class T, std::size_t N>
struct IsHashable<std::array<T, N>> : IsHashable<T>
{
};
template <class T>
struct IsHashable<std::vector<T>> : IsHashable<T>
{
};

/// What a hash adds. The format of a saved state fixes it.
struct HashRules
{
  bool as_double = false; ///< integers, switches and enumerations as double
  bool all_rows = false;  ///< also members that do not apply (Row::applies)
};

/// FNV-1a hash of the bytes of values. -0 counts as 0.
class RowHash
{
public:
  explicit RowHash(HashRules rules = {})
    : rules_(rules)
  {
  }

  std::uint64_t value() const { return value_; }

  template <class T>
  void bytes(const T& v)
  {
    unsigned char b[sizeof(T)];
    std::memcpy(b, &v, sizeof(T));
    for (unsigned char c : b)
      value_ = (value_ ^ c) * 1099511628211ull;
  }

  void add(double v) { bytes(v == 0 ? 0.0 : v); }
  void add(int v)
  {
    if (rules_.as_double)
      add(static_cast<double>(v));
    else
      bytes(v);
  }
  void add(bool v) { add(v ? 1 : 0); }
  void add(const Vec3d& v)
  {
    add(v.x);
    add(v.y);
    add(v.z);
  }
  void add(const std::optional<double>& v) { add(v.value_or(-1)); }
  template <class T, std::size_t N>
  void add(const std::array<T, N>& values)
  {
    for (const T& v : values)
      add(v);
  }
  template <class T>
  void add(const std::vector<T>& values)
  {
    for (const T& v : values)
      add(v);
  }
  template <class T>
  void add(const T& v)
  {
    if constexpr (IsDescribed<T>::value)
      addRows(v);
    else
    {
      static_assert(std::is_enum_v<T>, "a type that no fingerprint knows");
      add(static_cast<int>(v));
    }
  }

  /// Adds the members in the order of their rows, except those with property `skipped`.
  template <class Owner>
  void addRows(const Owner& owner, const char* skipped = nullptr)
  {
    forHashed<Owner>([&](const auto& row) {
      if ((rules_.all_rows || !row.applies || row.applies(owner)) &&
        !(skipped && std::strcmp(row.property, skipped) == 0))
        addRow(row, owner);
    });
  }

  /// Adds only members that Row::inFingerprintUnlessDefault() has added to a format whose other
  /// members stand in an order of their own.
  template <class Owner>
  void addLaterRows(const Owner& owner)
  {
    forHashed<Owner>([&](const auto& row) {
      if (row.hashed_unless_default)
        addRow(row, owner);
    });
  }

private:
  template <class Owner, class Visit>
  static void forHashed(const Visit& visit)
  {
    forRows<Owner>([&](const auto& row) {
      using Value = typename std::decay_t<decltype(row)>::Value;
      if constexpr (IsHashable<Value>::value)
        if (row.in_fingerprint)
          visit(row);
    });
  }

  template <class RowT, class Owner>
  void addRow(const RowT& row, const Owner& owner)
  {
    if (row.hashed_unless_default)
    {
      if (hasSameHash(owner.*row.member, Owner{}.*row.member))
        return;
      for (const char* c = row.key; *c; ++c)
        bytes(*c);
    }
    add(owner.*row.member);
  }

  template <class T>
  static bool hasSameHash(const T& a, const T& b)
  {
    RowHash of_a, of_b;
    of_a.add(a);
    of_b.add(b);
    return of_a.value() == of_b.value();
  }

  HashRules rules_;
  std::uint64_t value_ = 1469598103934665603ull;
};

} // namespace dem

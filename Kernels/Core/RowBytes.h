// Values and structs as bytes, member by member, by their rows. Used to send scenes to other
// processes of the same program: the bytes have no version.
#pragma once

#include "Core/Bytes.h"
#include "Core/Event.h"
#include "Core/Row.h"

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace dem
{

/// Types that are left out: readers keep the default. Specialized for such types.
template <class T>
struct HasNoBytes : std::false_type
{
};

/// Types without rows whose members are written one by one. A specialization derives from
/// std::true_type and has a function visit(value, act), which calls act(member) for each.
template <class T>
struct HasMemberBytes : std::false_type
{
};

/// Writes to `out`, or reads from it, with the same calls.
class RowBytes
{
public:
  explicit RowBytes(SnapshotWriter& out)
    : out_(&out)
  {
  }
  explicit RowBytes(SnapshotReader& in)
    : in_(&in)
  {
  }

  template <class T>
  void value(T& v)
  {
    if constexpr (HasNoBytes<T>::value)
      return;
    else if constexpr (IsDescribed<T>::value)
      forRows<T>([&](const auto& row) { value(v.*row.member); });
    else if constexpr (HasMemberBytes<T>::value)
      HasMemberBytes<T>::visit(v, [this](auto& member) { value(member); });
    else if constexpr (std::is_trivially_copyable_v<T>)
    {
      if (out_)
        out_->value(v);
      else
        v = in_->template value<T>();
    }
    else
      list(v);
  }

private:
  void list(std::string& text)
  {
    std::vector<char> letters(text.begin(), text.end());
    list(letters);
    text.assign(letters.begin(), letters.end());
  }
  void list(Event& event)
  {
    value(event.time);
    value(event.property);
    value(event.value);
  }
  void list(std::vector<bool>& values)
  {
    std::vector<std::uint8_t> bytes(values.begin(), values.end());
    list(bytes);
    values.assign(bytes.begin(), bytes.end());
  }
  template <class T>
  void list(std::vector<T>& values)
  {
    if constexpr (std::is_trivially_copyable_v<T> && !IsDescribed<T>::value)
    {
      if (out_)
        out_->array(values);
      else
        values = in_->template array<T>();
    }
    else
    {
      std::uint64_t size = values.size();
      value(size);
      if (in_)
        values.assign(size, T{});
      for (T& v : values)
        value(v);
    }
  }

  SnapshotWriter* out_ = nullptr;
  SnapshotReader* in_ = nullptr;
};

} // namespace dem

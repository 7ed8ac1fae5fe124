// Writer and reader of saved states. Little endian; every array is preceded by its element count
// (u64).
#pragma once

#include "Core/Error.h"
#include "Core/Event.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace dem
{

/// The whole state of a run. Each method documents its layout: State/SnapshotFormat.h,
/// MaterialPoint/MpmState.h.
using SnapshotBytes = std::vector<std::uint8_t>;

/// Appends values and arrays of trivially copyable types to `bytes`.
class SnapshotWriter
{
public:
  template <class T>
  void value(const T& v)
  {
    const auto* p = reinterpret_cast<const std::uint8_t*>(&v);
    bytes.insert(bytes.end(), p, p + sizeof(T));
  }
  template <class T>
  void array(const T* data, std::size_t n)
  {
    const auto* p = reinterpret_cast<const std::uint8_t*>(data);
    value<std::uint64_t>(n);
    bytes.insert(bytes.end(), p, p + n * sizeof(T));
  }
  /// Reserves an array of n elements and returns its address, which is not aligned and is valid
  /// until the next call.
  template <class T>
  std::uint8_t* room(std::size_t n)
  {
    value<std::uint64_t>(n);
    bytes.resize(bytes.size() + n * sizeof(T));
    return bytes.data() + (bytes.size() - n * sizeof(T));
  }
  template <class T>
  void array(const std::vector<T>& v)
  {
    array(v.data(), v.size());
  }

  std::vector<std::uint8_t> bytes;
};

/// Reads values and arrays in the order of writing. Every length is checked; a broken state throws
/// dem::Error with the offset.
class SnapshotReader
{
public:
  explicit SnapshotReader(const std::vector<std::uint8_t>& bytes)
    : bytes_(bytes)
  {
  }
  template <class T>
  T value()
  {
    T v;
    need(sizeof(T));
    std::memcpy(&v, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return v;
  }
  template <class T>
  std::vector<T> array()
  {
    const std::uint64_t n = value<std::uint64_t>();
    if (n > (bytes_.size() - at_) / sizeof(T))
      fail("an array of " + std::to_string(n) + " entries runs past the end");
    std::vector<T> v(n);
    if (n)
      std::memcpy(v.data(), bytes_.data() + at_, n * sizeof(T));
    at_ += n * sizeof(T);
    return v;
  }
  // Also checks the element count; `what` names the array in the message.
  template <class T>
  std::vector<T> array(std::size_t expected, const char* what)
  {
    std::vector<T> v = array<T>();
    if (v.size() != expected)
      fail(std::string(what) + " has " + std::to_string(v.size()) + " entries, " +
        std::to_string(expected) + " were expected");
    return v;
  }
  [[noreturn]] void fail(const std::string& what) const
  {
    throw Error("The saved state is broken at offset " + std::to_string(at_) + ": " + what + ".");
  }
  bool atEnd() const { return at_ == bytes_.size(); }

private:
  void need(std::size_t n) const
  {
    if (bytes_.size() - at_ < n)
      fail("it ends too early");
  }
  const std::vector<std::uint8_t>& bytes_;
  std::size_t at_ = 0;
};

/// Writes and reads the events of a state: their count (u64), and of each the time (f64), property
/// (string) and values (f64).
inline void writeEvents(SnapshotWriter& out, const std::vector<Event>& events)
{
  out.value<std::uint64_t>(events.size());
  for (const Event& e : events)
  {
    out.value(e.time);
    out.array(e.property.data(), e.property.size());
    out.array(e.value);
  }
}
inline std::vector<Event> readEvents(SnapshotReader& in)
{
  std::vector<Event> events;
  for (auto left = in.value<std::uint64_t>(); left > 0; --left)
  {
    Event e;
    e.time = in.value<double>();
    const auto property = in.array<char>();
    e.property.assign(property.begin(), property.end());
    e.value = in.array<double>();
    events.push_back(std::move(e));
  }
  return events;
}

} // namespace dem

// The layout of a saved state, format version 5. Little endian; every array is preceded by its element count (u64).
//
//   u32 'PGSS', u32 version, u32 bytes per Real (4 or 8), u32 history columns, u32 integrator (IntegratorKind), u64 particles, u64 step,
//   f64 time step,
//   u64 x 6 fingerprints of the scene (see SceneFingerprints.h), u64 lost particles,
//   energies dissipated, of stiffness changes, of walls (EnergyBooks.cuh): i32 unit (2^unit J), 3 x (u64 low, u64 high),
//   events: u64 count, each f64 time, string property, f64 array value,
//   then in ascending Id: position (4 f64), velocity, spin, velocity rest, spin rest (4 Real), orientation (4 f64), force, torque
//   (4 Real), what the integrator keeps (Gear: 6 arrays of 4 Real), id (i64),
//   pair contacts, each once, in the row of its lower Id: row starts (u32, particles + 1), neighbour Id (i64), flags (u8), history
//   (Real, column after column); wall contacts likewise with the element number (u32),
//   averages of the run (u8; none in a scene without): u64 fingerprint of grid and times, u64 samples, then for each field the sums of
//   TimeAverage: weight, weight^2 (f64), count (i32), a cell; first, linear, squared, product (f64), a component,
//   rigid bodies that are not one sphere each, dead ones too (none in a scene of spheres; else the particles above are their parts, whose
//   Ids count them): id (i64), shape (i32), then 4 f64 each: centre and radius (x = 1e150: gone), orientation, velocity and mass, angular
//   momentum and material, principal moments of inertia and scale.
#pragma once

#include "Core/Error.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace dem
{

constexpr std::uint32_t kSnapshotMagic = 0x53534750; // "PGSS"
constexpr std::uint32_t kSnapshotVersion = 5;
constexpr std::uint32_t kSnapshotVersionSpheres = 4; // it has neither bodies nor a fingerprint of shapes
// The energies of lost particles (unit 2^-80 J) stand where the totals stand now, those of the others behind the integrator's: 3 f64 each.
constexpr std::uint32_t kSnapshotVersionAccounts = 3;
constexpr std::uint32_t kSnapshotVersionNoAverages = 2; // it ends before the averages
constexpr std::uint32_t kSnapshotVersionVerletOnly = 1; // nor is an integrator in it: Velocity Verlet

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
  /// Where an array of n elements is to be written, before anything else is added. Not aligned.
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

/// Reads with every length checked against what is there.
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
  template <class T>
  std::vector<T> array(std::size_t expected, const char* what)
  {
    std::vector<T> v = array<T>();
    if (v.size() != expected)
      fail(std::string(what) + " has " + std::to_string(v.size()) + " entries, " + std::to_string(expected) + " were expected");
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

} // namespace dem

// Hashes the members of a scene by the rows of Scene/Describe.h.
#include "State/SceneFingerprints.h"

#include "Scene/Describe.h"
#include "Scene/detail/BodySet.h"

#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

namespace dem
{
namespace
{

// FNV-1a hash of the bytes of values.
class Hash
{
public:
  std::uint64_t value() const { return value_; }

  template <class T>
  void bytes(const T& v)
  {
    unsigned char b[sizeof(T)];
    std::memcpy(b, &v, sizeof(T));
    for (unsigned char c : b)
      value_ = (value_ ^ c) * 1099511628211ull;
  }

  void add(double v) { bytes(v == 0 ? 0.0 : v); } // -0 counts as 0
  void add(int v) { bytes(v); }
  void add(bool v) { bytes(v ? 1 : 0); }
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
    forRows<Owner>([&](const auto& row) {
      using Value = typename std::decay_t<decltype(row)>::Value;
      if constexpr (isHashable<Value>())
        if (row.in_fingerprint && (!row.applies || row.applies(owner)) &&
          !(skipped && std::strcmp(row.property, skipped) == 0))
          addRow(row, owner);
    });
  }

private:
  template <class Value>
  static constexpr bool isHashable()
  {
    return !std::is_same_v<Value, std::string>;
  }

  template <class RowT, class Owner>
  void addRow(const RowT& row, const Owner& owner)
  {
    if (row.hashed_unless_default)
    {
      if (sameBytes(owner.*row.member, Owner{}.*row.member))
        return;
      for (const char* c = row.key; *c; ++c)
        bytes(*c);
    }
    add(owner.*row.member);
  }

  // True if two values have the same fingerprint.
  template <class T>
  static bool sameBytes(const T& a, const T& b)
  {
    Hash of_a, of_b;
    of_a.add(a);
    of_b.add(b);
    return of_a.value() == of_b.value();
  }

  std::uint64_t value_ = 1469598103934665603ull;
};

std::uint64_t ofShapes(const Scene& scene)
{
  Hash shapes;
  if (usesBodies(scene))
    for (std::uint8_t byte : shapesAsBytes(scene))
      shapes.bytes(byte);
  return shapes.value();
}

} // namespace

const char* SceneFingerprints::name(std::size_t part)
{
  static const char* const names[kParts] = { "its number of particles", "its materials",
    "its contact model", "its walls", "its domain", "its shapes" };
  return names[part];
}

std::array<std::uint64_t, SceneFingerprints::kParts> SceneFingerprints::of(const Scene& scene)
{
  Hash materials, law, walls;
  materials.add(scene.materials);
  materials.add(scene.pairs);
  law.add(scene.contact);
  walls.add(scene.walls);
  return { scene.particles.size(), materials.value(), law.value(), walls.value(),
    ofDomain(scene.domain, false), ofShapes(scene) };
}

std::uint64_t SceneFingerprints::ofDomain(const Domain& domain, bool borders)
{
  Hash hash;
  hash.addRows(domain, borders ? nullptr : "Domain");
  return hash.value();
}

std::uint64_t SceneFingerprints::spheres() { return Hash{}.value(); }

} // namespace dem

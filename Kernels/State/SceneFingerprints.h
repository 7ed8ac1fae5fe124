// Fingerprints of a scene, which show whether a saved state belongs to it. Used by StateWriter.cuh
// and StateReader.cuh.
#pragma once

#include "Scene/Scene.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace dem
{

/// One number for each part of a scene that must not change between save and restore. It is an
/// FNV-1a hash of the members whose rows in Scene/Describe.h are in the fingerprint. The numbers
/// are part of the format of saved states, so they must stay the same in later versions.
struct SceneFingerprints
{
  static constexpr std::size_t kParts = 6, kDomain = 4, kShapes = 5;

  /// Name of a part in messages, such as "its materials".
  static const char* name(std::size_t part);

  /// All fingerprints of a scene; that of the domain without its borders.
  static std::array<std::uint64_t, kParts> of(const Scene& scene);

  /// Fingerprint of a domain. `borders`: include the borders, as for states before format 7, which
  /// do not store them.
  static std::uint64_t ofDomain(const Domain& domain, bool borders);

  /// Fingerprint of the shapes if all grains are spheres.
  static std::uint64_t spheres();
};

} // namespace dem

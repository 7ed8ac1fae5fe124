// One instant of a run as the analysis reads it, kept in the memory of the device that computed it.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Immutable. What grains() and contacts() point to lives as long as this does.
class DeviceFrame
{
public:
  virtual ~DeviceFrame() = default;

  std::uint64_t run = 0; ///< tells the runs of this process apart
  std::uint64_t step = 0;
  double time = 0; ///< s
  Device device;

  /// Values that the run does not show are null. Radii, masses, velocities and forces are the
  /// floats that it shows, as doubles.
  virtual Grains grains() const = 0;
  /// Without contacts where the run shows none. Contact points of spheres are left to the analysis.
  virtual GrainContacts contacts() const = 0;
  /// Memory that it takes on the device: none on the CPU, where most arrays are those that are
  /// shown.
  virtual std::size_t bytes() const = 0;

  /// Does `other` reach the same memory?
  bool reachableBy(const Device& other) const
  {
    return other.kind == device.kind &&
      (device.kind == DeviceKind::CPU || other.ordinal == device.ordinal);
  }
};

} // namespace dem

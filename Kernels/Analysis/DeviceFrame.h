// One instant of a run as input of the analysis, kept in the memory of the device that computed it.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Immutable. The arrays of grains() and contacts() live as long as this object.
class DeviceFrame
{
public:
  virtual ~DeviceFrame() = default;

  std::uint64_t run = 0; ///< identifies the run within this process
  std::uint64_t step = 0;
  double time = 0; ///< s
  Device device;   ///< on which the arrays lie

  /// Arrays that the run does not show are null. Radii, masses, velocities and forces are the
  /// single-precision values that the run shows, converted to double.
  virtual Grains grains() const = 0;
  /// Size 0 if the run shows no contacts. Contact points of spheres are null.
  virtual GrainContacts contacts() const = 0;
  /// Device memory of this frame. 0 on the CPU, where most arrays are shared with the shown frame.
  virtual std::size_t bytes() const = 0;

  /// True if `other` can read the arrays in place.
  bool reachableBy(const Device& other) const
  {
    return other.kind == device.kind &&
      (device.kind == DeviceKind::CPU || other.ordinal == device.ordinal);
  }
};

} // namespace dem

// What the kernels of a sub-step report to the host: a fault, speeds, and the number of points that
// left.
#pragma once

#include "Core/Array.h"
#include "Core/HostDevice.h"
#include "MaterialPoint/FaultKind.h"

#include <cstdint>
#include <cstring>

namespace mpm
{

DEM_HD unsigned bitsOf(float x)
{
#if defined(__CUDA_ARCH__)
  return __float_as_uint(x);
#else
  unsigned b;
  std::memcpy(&b, &x, sizeof b);
  return b;
#endif
}

/// What the host reads after each sub-step. Speeds are the bits of non-negative floats, which have
/// the order of their values.
struct Control
{
  unsigned long long fault; // lowest of (rank of the Id << 8 | FaultKind)
  unsigned speed;           // |v| + sound, m/s
  unsigned point_speed;     // |v|, m/s
  unsigned gone;            // number of points that left
};

struct ClearControl
{
  Control* control;
  DEM_HD void operator()(unsigned) const { *control = { ~0ull, 0, 0, 0 }; }
};

/// The report in the memory of a device, and its last values on the host.
template <class Exec>
class StepReport
{
public:
  explicit StepReport(Exec& exec)
    : exec_(exec)
  {
  }
  void setUp() { control_.resize(1); }

  Control* data() { return control_.data(); }
  /// Queues a reset on the device.
  void clear() { exec_.forEach(1, ClearControl{ control_.data() }); }
  /// Waits for the queued kernels and reads their report.
  void read() { last_ = control_.host()[0]; }

  bool failed() const { return last_.fault != ~0ull; }
  FaultKind fault() const { return static_cast<FaultKind>(last_.fault & 255); }
  std::uint64_t faultyPoint() const { return last_.fault >> 8; }  ///< rank of the Id
  float speed() const { return floatOf(last_.speed); }            ///< m/s, |v| + sound
  float pointSpeed() const { return floatOf(last_.point_speed); } ///< m/s, |v|
  unsigned gone() const { return last_.gone; }

private:
  static float floatOf(unsigned bits)
  {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }

  Exec& exec_;
  dem::Array<Control, Exec> control_{ exec_ };
  Control last_{ ~0ull, 0, 0, 0 };
};

} // namespace mpm

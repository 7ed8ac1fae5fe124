// Stands in for Kernels/Core/Ptx.cuh where the device is emulated.
#pragma once

#include "../Threads.h"

namespace dem::ptx
{
inline void awaitGrids() {}
inline void launchDependents() {}
inline unsigned laneOfWarp()
{
  return emulated::lane();
}
inline void prefetch(const void*) {}
inline void addRelease(unsigned* address)
{
  ++*address;
}
template <class T>
T loadAcquire(const T* address)
{
  return *static_cast<const volatile T*>(address);
}
template <class T>
T loadRelaxed(const T* address)
{
  return *static_cast<const volatile T*>(address);
}
template <class T>
T loadOfRun(const T* address)
{
  T value;
  std::memcpy(&value, address, sizeof value); // it may lie there as another type
  return value;
}
inline float nearestFloat(double x)
{
  return static_cast<float>(x);
}
} // namespace dem::ptx

// Replaces Kernels/Core/Ptx.cuh when device threads run on the CPU.
#pragma once

#include "../Threads.h"

namespace dem::ptx
{
inline void awaitGrids() {}
inline void launchDependents() {}
template <class Shared>
void beginBlock(Shared& shared)
{
  emulated::undefined(shared);
}
inline bool isOneCluster() { return false; } // so gridSync() waits as for any grid
inline void clusterSync() {}
inline unsigned laneOfWarp() { return emulated::lane(); }
template <class T>
T* elementAnywhere(T* base, unsigned i)
{
  return base + i;
}
template <class Half, class T>
Half halfOf(const T* from, unsigned which)
{
  return reinterpret_cast<const Half*>(from)[which];
}
inline void prefetch(const void*) {}
inline void addRelease(unsigned* address) { ++*address; }
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
  return *address;
}
inline float nearestFloat(double x) { return emulated::nearestFloat(x); }
} // namespace dem::ptx

// Integer atomics with the same meaning on host and device. There are none for floating-point
// numbers, because their order would not be fixed.
#pragma once

#include "Core/HostDevice.h"

namespace dem
{

/// *address = min(*address, value).
DEM_HD void atomicLower(unsigned long long* address, unsigned long long value)
{
#if defined(__CUDA_ARCH__)
  atomicMin(address, value);
#else
  unsigned long long seen = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (value < seen &&
    !__atomic_compare_exchange_n(address, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
  {
  }
#endif
}

/// *address = max(*address, value).
template <class T>
DEM_HD void atomicRaise(T* address, T value)
{
#if defined(__CUDA_ARCH__)
  atomicMax(address, value);
#else
  T seen = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (value > seen &&
    !__atomic_compare_exchange_n(address, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
  {
  }
#endif
}

/// *address = max(*address, value), for an address that all threads raise: on CUDA the lanes of a
/// warp that call it together write once, and only if the value is larger.
DEM_HD void atomicRaiseOften(unsigned long long* address, unsigned long long value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned lanes = __activemask();
  const auto mine = static_cast<unsigned>(value >> 32);
  const unsigned high = __reduce_max_sync(lanes, mine);
  const unsigned low = __reduce_max_sync(lanes, mine == high ? static_cast<unsigned>(value) : 0u);
  if ((lanes & (0u - lanes)) != 1u << threadIdx.x % 32)
    return; // the first lane writes
  value = static_cast<unsigned long long>(high) << 32 | low;
#endif
  if (value > *static_cast<const volatile unsigned long long*>(address))
    atomicRaise(address, value);
}

/// Reads a value that other threads may write at the same time.
DEM_HD unsigned atomicSeen(const unsigned* address)
{
#if defined(__CUDA_ARCH__)
  return *static_cast<const volatile unsigned*>(address);
#else
  return __atomic_load_n(address, __ATOMIC_RELAXED);
#endif
}

/// Stores `value` and returns the old one. Relaxed order: other writes become visible with the next
/// kernel.
DEM_HD unsigned atomicSwap(unsigned* address, unsigned value)
{
#if defined(__CUDA_ARCH__)
  return atomicExch(address, value);
#else
  return __atomic_exchange_n(address, value, __ATOMIC_RELAXED);
#endif
}

/// Stores `value`, while other threads may store the same value.
DEM_HD void atomicPut(unsigned* address, unsigned value)
{
#if defined(__CUDA_ARCH__)
  *address = value;
#else
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
#endif
}

/// Adds `value` and returns the old one. Relaxed order.
DEM_HD unsigned atomicGrow(unsigned* address, unsigned value)
{
#if defined(__CUDA_ARCH__)
  return atomicAdd(address, value);
#else
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
#endif
}

/// Adds `value`. Relaxed order.
DEM_HD void atomicSum(long long* address, long long value)
{
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
#else
  __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
#endif
}

/// Sets or clears bits.
DEM_HD void atomicSetBits(unsigned* address, unsigned bits)
{
#if defined(__CUDA_ARCH__)
  atomicOr(address, bits);
#else
  __atomic_fetch_or(address, bits, __ATOMIC_RELAXED);
#endif
}
DEM_HD void atomicClearBits(unsigned* address, unsigned bits)
{
#if defined(__CUDA_ARCH__)
  atomicAnd(address, ~bits);
#else
  __atomic_fetch_and(address, ~bits, __ATOMIC_RELAXED);
#endif
}

/// Adds 1 and returns the old value, with acquire and release order.
DEM_HD unsigned atomicNext(unsigned* address)
{
#if defined(__CUDA_ARCH__)
  __threadfence();
  const unsigned old = atomicAdd(address, 1u);
  __threadfence();
  return old;
#else
  return __atomic_fetch_add(address, 1u, __ATOMIC_ACQ_REL);
#endif
}

} // namespace dem

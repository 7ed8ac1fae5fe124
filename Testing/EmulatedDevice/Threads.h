// CUDA threads, warps and blocks on a CPU, for tests of device code on machines without a GPU. The
// threads of a block are fibers of the calling host thread. They synchronize only where CUDA
// guarantees it, so code that relies on lockstep lanes fails. Blocks run one after the other: a
// block may wait for an earlier block, but not for a later one.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
// Memory of one block at a time. The shared memory of all kernels takes a few MB in each host
// thread.
#define __shared__ thread_local

struct dim3
{
  unsigned x, y, z;

  constexpr dim3(unsigned x_ = 1)
    : x(x_)
    , y(1)
    , z(1)
  {
  }
};
struct alignas(16) float4
{
  float x, y, z, w;
};
struct alignas(16) double2
{
  double x, y;
};
struct alignas(16) uint4
{
  unsigned x, y, z, w;
};

// ---- threads, warps and blocks ----

namespace emulated
{

struct Index
{
  unsigned x; // the only dimension that kernels here use
};
constexpr unsigned char kRubbish = 0xcb;

/// Runs `thread(context)` for each thread of each block. Code that would deadlock a device, or use
/// an undefined value, ends the program with a message that names `kernel`. `flushes`: subnormal
/// numbers are zero, as with nvcc's --ftz=true; this also affects double precision here.
void run(const char* kernel, unsigned blocks, unsigned threads, std::size_t shared_bytes,
  bool flushes, void (*thread)(void*), void* context);
template <class Thread>
void run(unsigned blocks, unsigned threads, Thread&& thread)
{
  using Call = std::remove_reference_t<Thread>;
  run(
    __PRETTY_FUNCTION__, blocks, threads, 0, false,
    [](void* context) { (*static_cast<Call*>(context))(); }, &thread);
}

enum class Operation : unsigned char
{
  Shuffle,
  Ballot,
  Match,
  Add,
  Max,
  Or,
  Sync
};
/// Collective operation of the lanes in `mask` that have not ended; each contributes a value.
/// Returns the combined value. A shuffle returns the value of lane `from`, or rubbish if that lane
/// has ended or is not in the mask.
std::uint64_t exchange(Operation operation, unsigned mask, std::uint64_t value, unsigned from = 0);
/// The active mask: the lanes of the warp that called from the same address `where`.
unsigned activeLanes(const void* where);
/// Barrier of all threads of the block that have not ended.
void awaitBlock();
/// The same barrier; returns whether `value` is true for all of these threads.
bool allOfBlock(bool value);
void pause(); ///< lets the other threads of the block run
/// Fills shared memory with rubbish, once for each block.
void fillOnce(void* shared, std::size_t bytes);
/// Initial contents of a block's shared memory: rubbish. Each thread calls this first.
template <class Shared>
void undefined(Shared& shared)
{
  fillOnce(&shared, sizeof shared);
}

/// Rounds `x` to the nearest float, or to the next float not below or not above it. Independent of
/// flushing.
float nearestFloat(double x);
float floatAbove(double x);
float floatBelow(double x);

unsigned lane();

template <class T>
std::uint64_t toBits(T value)
{
  static_assert(sizeof(T) <= 8, "");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
T fromBits(std::uint64_t bits)
{
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
} // namespace emulated

extern thread_local emulated::Index threadIdx, blockIdx;
extern thread_local dim3 blockDim, gridDim;

inline void __syncthreads() { emulated::awaitBlock(); }
inline int __syncthreads_and(int value) { return emulated::allOfBlock(value != 0); }
inline void __syncwarp(unsigned mask = 0xffffffffu)
{
  emulated::exchange(emulated::Operation::Sync, mask, 0);
}
__attribute__((noinline)) inline unsigned __activemask()
{
  return emulated::activeLanes(__builtin_return_address(0));
}
inline unsigned __ballot_sync(unsigned mask, int predicate)
{
  return static_cast<unsigned>(
    emulated::exchange(emulated::Operation::Ballot, mask, predicate != 0));
}
inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
  const unsigned from =
    (emulated::lane() & ~unsigned(width - 1)) | (unsigned(source) & unsigned(width - 1));
  return emulated::fromBits<T>(
    emulated::exchange(emulated::Operation::Shuffle, mask, emulated::toBits(value), from));
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int with)
{
  return emulated::fromBits<T>(emulated::exchange(emulated::Operation::Shuffle, mask,
    emulated::toBits(value), (emulated::lane() ^ unsigned(with)) & 31));
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32)
{
  const unsigned own = emulated::lane(), first = own & ~unsigned(width - 1);
  return emulated::fromBits<T>(emulated::exchange(emulated::Operation::Shuffle, mask,
    emulated::toBits(value), own >= first + by ? own - by : own));
}
template <class T>
unsigned __match_any_sync(unsigned mask, T value)
{
  return static_cast<unsigned>(
    emulated::exchange(emulated::Operation::Match, mask, emulated::toBits(value)));
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned value)
{
  return static_cast<unsigned>(emulated::exchange(emulated::Operation::Add, mask, value));
}
inline int __reduce_add_sync(unsigned mask, int value)
{
  return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned>(value)));
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned value)
{
  return static_cast<unsigned>(emulated::exchange(emulated::Operation::Max, mask, value));
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value)
{
  return static_cast<unsigned>(emulated::exchange(emulated::Operation::Or, mask, value));
}
inline void __nanosleep(unsigned) { emulated::pause(); }
inline void __threadfence() {}

// ---- numbers ----

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clzll(long long x)
{
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
inline unsigned __float_as_uint(float x)
{
  return emulated::fromBits<unsigned>(emulated::toBits(x));
}
inline float __uint_as_float(unsigned x) { return emulated::fromBits<float>(emulated::toBits(x)); }
inline long long __double_as_longlong(double x)
{
  return emulated::fromBits<long long>(emulated::toBits(x));
}
inline double __longlong_as_double(long long x)
{
  return emulated::fromBits<double>(emulated::toBits(x));
}
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline float __double2float_ru(double x) { return emulated::floatAbove(x); }
inline float __double2float_rd(double x) { return emulated::floatBelow(x); }
using std::fma;

// ---- memory ----

template <class T>
T __ldcg(const T* address)
{
  return *address;
}
namespace emulated
{
template <class T, class Change>
T replace(T* address, const Change& change)
{
  const T old = *address;
  *address = change(old);
  return old;
}
} // namespace emulated
template <class T>
T atomicAdd(T* address, std::common_type_t<T> value)
{
  return emulated::replace(address, [&](T old) { return old + value; });
}
template <class T>
T atomicOr(T* address, std::common_type_t<T> value)
{
  return emulated::replace(address, [&](T old) { return old | value; });
}
template <class T>
T atomicAnd(T* address, std::common_type_t<T> value)
{
  return emulated::replace(address, [&](T old) { return old & value; });
}
template <class T>
T atomicMax(T* address, std::common_type_t<T> value)
{
  return emulated::replace(address, [&](T old) { return old > value ? old : value; });
}
template <class T>
T atomicMin(T* address, std::common_type_t<T> value)
{
  return emulated::replace(address, [&](T old) { return old < value ? old : value; });
}
template <class T>
T atomicExch(T* address, std::common_type_t<T> value)
{
  return emulated::replace(address, [&](T) { return value; });
}

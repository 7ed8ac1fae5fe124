// Replaces the header of the CUDA Toolkit, so that the C++ compiler builds the device sources
// unchanged. Queued work is executed at once. Device memory is host memory, initially filled with
// rubbish. Not emulated: races between blocks or streams, the device's rounding of single-precision
// quotients and roots, and time. All kernels treat subnormal numbers as zero.
#pragma once

#include "../Threads.h"

#define __CUDACC__ 1
#define __CUDA_ARCH__ 900

enum cudaError_t
{
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorPeerAccessAlreadyEnabled = 704
};
enum cudaMemcpyKind
{
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice
};
enum
{
  cudaStreamNonBlocking = 1,
  cudaEventDisableTiming = 2,
  cudaHostAllocPortable = 1
};
enum cudaDeviceAttr
{
  cudaDevAttrMemoryPoolsSupported,
  cudaDevAttrMultiProcessorCount
};
enum cudaFuncAttribute
{
  cudaFuncAttributeMaxDynamicSharedMemorySize
};
enum cudaMemPoolAttr
{
  cudaMemPoolAttrReleaseThreshold
};
enum
{
  cudaMemAllocationTypePinned,
  cudaMemLocationTypeDevice
};
enum cudaLaunchAttributeID
{
  cudaLaunchAttributeClusterDimension,
  cudaLaunchAttributeCooperative,
  cudaLaunchAttributeProgrammaticStreamSerialization
};
using cudaStream_t = struct emulated_stream*;
using cudaEvent_t = struct emulated_event*;
using cudaMemPool_t = struct emulated_pool*;
struct cudaMemPoolProps
{
  int allocType;
  struct
  {
    int type, id;
  } location;
};
struct cudaFuncAttributes
{
  int ptxVersion;
};
struct cudaDeviceProp
{
  char name[256];
};
struct cudaLaunchAttribute
{
  cudaLaunchAttributeID id;
  struct
  {
    int programmaticStreamSerializationAllowed;
    int cooperative;
    struct
    {
      unsigned x, y, z;
    } clusterDim;
  } val;
};
struct cudaLaunchConfig_t
{
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

namespace emulated
{
constexpr std::size_t kMemory = std::size_t(8) << 30;
} // namespace emulated

inline cudaError_t cudaMalloc(void** p, std::size_t bytes)
{
  *p = bytes <= emulated::kMemory ? std::aligned_alloc(256, (bytes + 255) / 256 * 256) : nullptr;
  if (!*p)
    return cudaErrorMemoryAllocation;
  std::memset(*p, emulated::kRubbish, bytes);
  return cudaSuccess;
}
template <class T>
cudaError_t cudaMalloc(T** p, std::size_t bytes)
{
  return cudaMalloc(reinterpret_cast<void**>(p), bytes);
}
inline cudaError_t cudaFree(void* p)
{
  std::free(p);
  return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes)
{
  *free_bytes = *total_bytes = emulated::kMemory;
  return cudaSuccess;
}
inline cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned)
{
  *p = std::malloc(bytes);
  return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaFreeHost(void* p) { return cudaFree(p); }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int)
{
  std::strcpy(properties->name, "emulated");
  return cudaSuccess;
}

inline const char* cudaGetErrorString(cudaError_t status)
{
  return status == cudaSuccess            ? "no error"
    : status == cudaErrorMemoryAllocation ? "out of memory"
                                          : "invalid argument";
}
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaGetDeviceCount(int* count)
{
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int)
{
  *value = 1;
  return cudaSuccess;
}
// Blocks run one after the other, so a kernel whose blocks wait for each other may have one.
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel, int, std::size_t)
{
  *blocks = 1;
  return cudaSuccess;
}
inline cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*)
{
  *pool = reinterpret_cast<cudaMemPool_t>(1);
  return cudaSuccess;
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*)
{
  return cudaSuccess;
}
inline cudaError_t cudaMallocFromPoolAsync(void** p, std::size_t bytes, cudaMemPool_t, cudaStream_t)
{
  return cudaMalloc(p, bytes);
}
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return cudaFree(p); }
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int)
{
  *stream = reinterpret_cast<cudaStream_t>(1);
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned)
{
  *stream = reinterpret_cast<cudaStream_t>(1);
  return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned)
{
  *event = reinterpret_cast<cudaEvent_t>(1);
  return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event)
{
  return cudaEventCreateWithFlags(event, 0);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t)
{
  *milliseconds = 1e-3f;
  return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(
  void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t)
{
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpyPeerAsync(
  void* to, int, const void* from, int, std::size_t bytes, cudaStream_t)
{
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int, int)
{
  *can = 1;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaSuccess; }
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind)
{
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t)
{
  std::memset(to, value, bytes);
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel)
{
  attributes->ptxVersion = __CUDA_ARCH__ / 10;
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel, cudaFuncAttribute, int)
{
  return cudaSuccess;
}

template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, Kernel, const cudaLaunchConfig_t*)
{
  *blocks = 0; // without clusters
  return cudaSuccess;
}

template <class... Parameters, class... Given>
cudaError_t cudaLaunchKernelEx(
  const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), const Given&... given)
{
  auto call = [&] { kernel(given...); };
  using Call = decltype(call);
  emulated::run(
    __PRETTY_FUNCTION__, config->gridDim.x, config->blockDim.x, config->dynamicSmemBytes, true,
    [](void* context) { (*static_cast<Call*>(context))(); }, &call);
  return cudaSuccess;
}

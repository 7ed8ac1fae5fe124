#include "Core/HostArray.h"

#include "Core/Error.h"
#include "Core/detail/CudaRuntime.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace dem
{
namespace
{

// Free blocks by size, thread-safe. The deleters of the blocks share ownership of the pool, so
// arrays may outlive all other objects.
struct Pool
{
  struct Key
  {
    bool pinned;
    std::size_t bytes;
    bool operator<(const Key& o) const
    {
      return pinned != o.pinned ? pinned < o.pinned : bytes < o.bytes;
    }
  };
  // Most bytes of free memory kept for reuse: pageable, pinned. Allocating pinned memory takes 0.1
  // ms a MiB, longer than the GPU takes to fill it.
  static constexpr std::size_t kKeep[2] = { std::size_t(512) << 20, std::size_t(2) << 30 };

  std::mutex mutex;
  std::multimap<Key, void*> idle;
  std::size_t idle_bytes[2] = { 0, 0 };

  ~Pool()
  {
    // At process exit the CUDA driver may have shut down, so pinned blocks are not freed.
    for (auto& [key, p] : idle)
      if (!key.pinned)
        std::free(p);
  }

  void* take(Key key)
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = idle.lower_bound(key);
    if (it == idle.end() || it->first.pinned != key.pinned || it->first.bytes != key.bytes)
      return nullptr;
    void* p = it->second;
    idle.erase(it);
    idle_bytes[key.pinned] -= key.bytes;
    return p;
  }

  void give(Key key, void* p)
  {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (idle_bytes[key.pinned] + key.bytes <= kKeep[key.pinned])
      {
        idle.emplace(key, p);
        idle_bytes[key.pinned] += key.bytes;
        return;
      }
    }
    release(key, p);
  }

  static void release(Key key, void* p)
  {
#if defined(PARAGRAIN_HAVE_CUDA)
    if (key.pinned)
    {
      detail::cudaFreePinned(p);
      return;
    }
#endif
    (void)key;
    std::free(p);
  }
};

} // namespace

std::shared_ptr<void> acquireHostBlock(std::size_t bytes, bool pinned)
{
  static const std::shared_ptr<Pool> pool = std::make_shared<Pool>();
#if !defined(PARAGRAIN_HAVE_CUDA)
  pinned = false;
#endif
  // Sizes are rounded so that a run with a slowly falling particle count reuses its blocks.
  std::size_t rounded = 4096;
  while (rounded < bytes)
    rounded += rounded < (std::size_t(1) << 20) ? rounded : rounded / 4 / 4096 * 4096;
  Pool::Key key{ pinned, rounded };
  void* p = pool->take(key);
#if defined(PARAGRAIN_HAVE_CUDA)
  if (!p && pinned)
  {
    p = detail::cudaAllocatePinned(rounded);
    if (!p)
      key.pinned = false; // pageable memory is slower, but works
  }
#endif
  if (!p)
    p = std::aligned_alloc(64, rounded);
  if (!p)
    throw Error(
      "Out of host memory: " + std::to_string(bytes >> 20) + " MiB more were needed for a frame.");
  return std::shared_ptr<void>(p, [key, keep = pool](void* block) { keep->give(key, block); });
}

} // namespace dem

// Host memory that frames pass to VTK without a copy. Blocks are pinned if a CUDA device is in use.
// They return to a pool when their last owner releases them, so a block is never rewritten while an
// array refers to it.
#pragma once

#include <cstddef>
#include <memory>

namespace dem
{

/// Allocates `bytes` of recycled host memory, uninitialized. Thread-safe. `pinned` requests
/// page-locked memory (CUDA builds only); pageable memory is returned if there is none. Throws
/// dem::Error if out of memory.
std::shared_ptr<void> acquireHostBlock(std::size_t bytes, bool pinned);

/// An array of fixed size in such a block. Copies share the memory.
template <class T>
class HostArray
{
public:
  HostArray() = default;
  explicit HostArray(std::size_t size, bool pinned = false)
    : block_(acquireHostBlock(size * sizeof(T), pinned))
    , size_(size)
  {
  }

  T* data() { return static_cast<T*>(block_.get()); }
  const T* data() const { return static_cast<const T*>(block_.get()); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  /// The first n values, in the same memory.
  HostArray first(std::size_t n) const
  {
    HostArray part = *this;
    part.size_ = n;
    return part;
  }

  /// Shared ownership of the memory, for users that outlive this object.
  std::shared_ptr<void> block() const { return block_; }

private:
  std::shared_ptr<void> block_;
  std::size_t size_ = 0;
};

} // namespace dem

// A growable array in the memory of an execution policy. Used for all data of the solvers on a
// device. Capacity never shrinks.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace dem
{

/// Owns size() values of type T, which is trivially copyable. Not copyable. The policy must outlive
/// the array.
template <class T, class Exec>
class Array
{
public:
  explicit Array(Exec& exec)
    : exec_(&exec)
  {
  }
  ~Array() { free(); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  Array(Array&& other) noexcept { *this = std::move(other); }
  Array& operator=(Array&& other) noexcept
  {
    std::swap(exec_, other.exec_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

  /// Sets the size. If the capacity must grow, contents become undefined and the new capacity is
  /// size * slack.
  void resize(std::size_t size, double slack = 1.0)
  {
    if (size > capacity_)
    {
      free();
      const std::size_t capacity = static_cast<std::size_t>(static_cast<double>(size) * slack);
      data_ = static_cast<T*>(exec_->allocate(capacity * sizeof(T)));
      capacity_ = capacity;
    }
    size_ = size;
  }

  /// Sets the size and keeps the contents; new values are undefined. If the capacity must grow, it
  /// is size * slack.
  void extend(std::size_t size, double slack = 1.0)
  {
    if (size <= capacity_)
    {
      size_ = size;
      return;
    }
    Array larger(*exec_);
    larger.resize(size, slack);
    exec_->copy(larger.data_, data_, size_ * sizeof(T));
    *this = std::move(larger);
  }

  /// Exchanges memory with an array of another element type. Returns false and does nothing if the
  /// element sizes differ.
  template <class U>
  bool lendTo(Array<U, Exec>& other)
  {
    if constexpr (sizeof(U) == sizeof(T))
    {
      T* const data = data_;
      data_ = reinterpret_cast<T*>(other.data_);
      other.data_ = reinterpret_cast<U*>(data);
      std::swap(size_, other.size_);
      std::swap(capacity_, other.capacity_);
    }
    return sizeof(U) == sizeof(T);
  }

  /// Sets all bytes to zero, on the stream.
  void zero() { exec_->zero(data_, size_ * sizeof(T)); }

  /// Copies from the host; waits.
  void assign(const std::vector<T>& host)
  {
    resize(host.size());
    exec_->toDevice(data_, host.data(), host.size() * sizeof(T));
    exec_->synchronize();
  }
  /// Copies to the host; waits.
  std::vector<T> host() const
  {
    std::vector<T> out(size_);
    exec_->toHost(out.data(), data_, size_ * sizeof(T));
    exec_->synchronize();
    return out;
  }

private:
  template <class U, class Other>
  friend class Array;

  void free()
  {
    if (data_)
      // Waits for kernels that use the memory; does not throw.
      exec_->release(data_, capacity_ * sizeof(T));
    data_ = nullptr;
    capacity_ = size_ = 0;
  }

  Exec* exec_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

} // namespace dem

// Means of averaged fields over outputs of a run, with their standard errors, on the CPU or a CUDA
// device. Outputs are taken in the order in which they come, each place by itself: the same bits on
// any number of threads.
#pragma once

#include "Analysis/Averages.h"
#include "Analysis/Grains.h"
#include "Core/Device.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dem
{

class TimeAverageEngine;

/// A density counts alike in every output; a field with a weight W (AveragedField::weight) has the
/// mean of W x over the mean of W, so that an output without grains in a cell does not count there.
/// The standard error of the mean is that of independent outputs; for a weighted one that of a
/// ratio, SE^2 = n / (n - 1) sum of W^2 (x - mean)^2 / (sum of W)^2 (Cochran, Sampling Techniques,
/// 1977, eq. 2.39), n counting outputs with W > 0. Outputs that follow each other closely are not
/// independent: then the true error is larger.
class TimeAverage
{
public:
  /// `places`: cells or points. The values of an output and the sums lie in the memory of the
  /// device.
  TimeAverage(std::vector<AveragedField> fields, std::size_t places, const Device& device = {});
  ~TimeAverage();
  TimeAverage(TimeAverage&&) noexcept;
  TimeAverage& operator=(TimeAverage&&) noexcept;

  /// Where the values of the next output go, `components` a place, and whose memory that is. Other
  /// streams of the device may write there.
  double* next(std::size_t field);
  MemoryPlace memory() const;
  /// Every value of a field of the next output.
  void fill(std::size_t field, double value);
  /// One output: what stands in next() of each field.
  void add();
  /// The same, of values in host memory.
  void add(const std::vector<const double*>& values);

  std::size_t outputs() const { return outputs_; }
  /// Where there were no outputs (with W > 0) the mean is 0; with fewer than two the error is not
  /// known: NaN. Into host memory.
  void finish(std::size_t field, double* mean, double* error) const;
  /// Outputs in which the weight of `field` was above 0.
  void counts(std::size_t field, std::int32_t* counts) const;

  /// Sums of a field over outputs, of differences d from the first value that counted: what is
  /// nearly constant does not cancel.
  struct Sums
  {
    std::vector<double> weight, weight_squared;          // a place
    std::vector<std::int32_t> count;                     // a place
    std::vector<double> first, linear, squared, product; // a component: of W d, W^2 d^2, W^2 d

    /// use(array) for each array in a fixed order.
    template <class Use>
    void eachArray(Use&& use)
    {
      use(weight);
      use(weight_squared);
      use(count);
      use(first);
      use(linear);
      use(squared);
      use(product);
    }
  };
  /// All that add() has gathered, a field; and the way back.
  std::vector<Sums> sums() const;
  void use(const std::vector<Sums>& sums, std::size_t outputs);
  /// The sizes of sums().
  static std::vector<Sums> noSums(const std::vector<AveragedField>& fields, std::size_t places);

  /// Bytes that it holds, the values of an output included.
  static double bytes(const std::vector<AveragedField>& fields, double places);

private:
  std::vector<AveragedField> fields_;
  std::size_t places_;
  std::size_t outputs_ = 0;
  std::unique_ptr<TimeAverageEngine> engine_;
};

} // namespace dem

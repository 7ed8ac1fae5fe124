// Means of averaged fields over outputs of a run, with their standard errors, on the CPU or a CUDA
// device. Each place (cell or point) adds its outputs in the order in which they are given: equal
// bits for any number of threads.
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

/// Mean and standard error of each value over outputs.
///
/// A field without a weight has the plain mean. A field x with a weight W (AveragedField::weight)
/// has the mean of W x over the mean of W: outputs without grains in a cell do not count there.
/// The standard error assumes independent outputs. For a weighted field it is that of a ratio,
/// SE^2 = n / (n - 1) sum of W^2 (x - mean)^2 / (sum of W)^2 over the n outputs with W > 0
/// (Cochran, Sampling Techniques, 1977, eq. 2.39). Outputs close in time are correlated: then the
/// true error is larger.
class TimeAverage
{
public:
  /// `places`: number of cells or points. Sums and the values of the next output lie in the memory
  /// of the device.
  TimeAverage(std::vector<AveragedField> fields, std::size_t places, const Device& device = {});
  ~TimeAverage();
  TimeAverage(TimeAverage&&) noexcept;
  TimeAverage& operator=(TimeAverage&&) noexcept;

  /// Buffer for the next output of a field, `components` numbers per place, in memory().
  /// Kernels on other streams of the device may write to it.
  double* next(std::size_t field);
  MemoryPlace memory() const;
  /// Sets every value of a field of the next output.
  void fill(std::size_t field, double value);
  /// Adds one output: the contents of next() of each field.
  void add();
  /// Adds one output whose values lie in host memory, one array per field.
  void add(const std::vector<const double*>& values);

  std::size_t outputs() const { return outputs_; } ///< number of outputs added
  /// Writes the mean and its standard error to host memory. Where no output counted (W > 0) the
  /// mean is 0; where fewer than two counted the error is NaN.
  void finish(std::size_t field, double* mean, double* error) const;
  /// Writes the number of outputs with W > 0 at each place to host memory.
  void counts(std::size_t field, std::int32_t* counts) const;

  /// Sums of a field over outputs. d is the difference from the first value that counted: so nearly
  /// constant values lose no digits.
  struct Sums
  {
    std::vector<double> weight, weight_squared; // per place
    std::vector<std::int32_t> count;            // per place
    // per component: the first value, and the sums of W d, W^2 d^2, W^2 d
    std::vector<double> first, linear, squared, product;

    /// Calls use(array) for each array, in a fixed order.
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
  /// The sums of each field, in host memory.
  std::vector<Sums> sums() const;
  /// Replaces the sums and the number of outputs, for instance by those of a saved state.
  void use(const std::vector<Sums>& sums, std::size_t outputs);
  /// Zero sums in the sizes of sums().
  static std::vector<Sums> noSums(const std::vector<AveragedField>& fields, std::size_t places);

  /// Memory of the sums and of the values of one output, in bytes.
  static double bytes(const std::vector<AveragedField>& fields, double places);

private:
  std::vector<AveragedField> fields_;
  std::size_t places_;
  std::size_t outputs_ = 0;
  std::unique_ptr<TimeAverageEngine> engine_;
};

} // namespace dem

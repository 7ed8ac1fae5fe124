// Means of averaged fields over outputs of a run, with their standard errors. On the host, in the order in which outputs come.
#pragma once

#include "Analysis/Averages.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dem
{

/// A density counts alike in every output; a field with a weight W (AveragedField::weight) has the mean of W x over the mean of W, so that an
/// output without grains in a cell does not count there. The standard error of the mean is that of independent outputs; for a weighted one
/// that of a ratio, SE^2 = n / (n - 1) sum of W^2 (x - mean)^2 / (sum of W)^2 (Cochran, Sampling Techniques, 1977, eq. 2.39), n counting outputs
/// with W > 0. Outputs that follow each other closely are not independent: then the true error is larger.
class TimeAverage
{
public:
  /// `places`: cells or points.
  TimeAverage(std::vector<AveragedField> fields, std::size_t places);

  /// One output: for each field its values, `components` a place.
  void add(const std::vector<const double*>& values);

  std::size_t outputs() const { return outputs_; }
  /// Where there were no outputs (with W > 0) the mean is 0; with fewer than two the error is not known: NaN.
  void finish(std::size_t field, double* mean, double* error) const;
  /// Outputs in which the weight of `field` was above 0.
  void counts(std::size_t field, std::int32_t* counts) const;

  /// All that add() has gathered, for saving and restoring: use(array) for each of its arrays in a fixed order, and the number of outputs.
  template <class Use>
  void eachArray(Use&& use)
  {
    visit(*this, use);
  }
  template <class Use>
  void eachArray(Use&& use) const
  {
    visit(*this, use);
  }
  void setOutputs(std::size_t outputs) { outputs_ = outputs; }

  /// Bytes that it holds.
  static double bytes(const std::vector<AveragedField>& fields, double places);

private:
  // Sums of differences from the first value that counted: what is nearly constant does not cancel.
  struct Sums
  {
    std::vector<double> weight, weight_squared;          // a place
    std::vector<std::int32_t> count;                     // a place
    std::vector<double> first, linear, squared, product; // a component: of W d, W^2 d^2, W^2 d
  };
  template <class Self, class Use>
  static void visit(Self& self, Use& use)
  {
    for (auto& s : self.sums_)
    {
      use(s.weight);
      use(s.weight_squared);
      use(s.count);
      use(s.first);
      use(s.linear);
      use(s.squared);
      use(s.product);
    }
  }

  std::vector<AveragedField> fields_;
  std::size_t places_;
  std::size_t outputs_ = 0;
  std::vector<Sums> sums_;
};

} // namespace dem

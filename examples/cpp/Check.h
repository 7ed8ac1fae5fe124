// Comparison of measured with expected numbers, for the examples of this folder.
#pragma once

#include <cmath>
#include <cstdio>

/// Prints each measured number beside the expected one. status() is the exit status of the program.
class Checks
{
public:
  /// `tolerance`: largest relative deviation that is accepted.
  void near(const char* name, double measured, double expected, double tolerance)
  {
    const double deviation = measured / expected - 1;
    const bool good = std::abs(deviation) <= tolerance; // false for NaN
    std::printf("%-40s %12.6g   expected %12.6g   %+9.3g %% (within %g %%)%s\n", name, measured,
      expected, 100 * deviation, 100 * tolerance, good ? "" : "   DISAGREES");
    failed_ = failed_ || !good;
  }

  void isTrue(const char* name, bool good)
  {
    std::printf("%-40s %s\n", name, good ? "yes" : "no   DISAGREES");
    failed_ = failed_ || !good;
  }

  int status() const { return failed_ ? 1 : 0; }

private:
  bool failed_ = false;
};

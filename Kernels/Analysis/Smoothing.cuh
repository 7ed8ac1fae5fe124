// The smoothing kernels of coarse graining and their integrals along a line, in closed form, for
// host and device. Used by CoarseGrainingOn.cuh.
#pragma once

#include "Analysis/CoarseGraining.h"
#include "Core/Vec.h"

namespace dem
{

/// A kernel phi(r) whose integral over space is 1; see SmoothingKernel.
struct Smoothing
{
  SmoothingKernel kind;
  double reach;  // m
  double width;  // m
  double factor; // normalisation, 1/m^3

  static Smoothing make(SmoothingKernel kind, double w)
  {
    constexpr double pi = 3.14159265358979323846;
    const double c = smoothingReach(kind, w);
    double factor = 0;
    switch (kind)
    {
      case SmoothingKernel::Heaviside:
        factor = 3 / (4 * pi * c * c * c);
        break;
      case SmoothingKernel::Gauss:
        factor = 1 /
          (std::pow(2 * pi, 1.5) * w * w * w * std::erf(c / (std::sqrt(2.) * w)) -
            4 * pi * w * w * c * std::exp(-c * c / (2 * w * w)));
        break;
      case SmoothingKernel::Lucy:
        factor = 105 / (16 * pi * c * c * c);
        break;
    }
    return { kind, c, w, factor };
  }

  /// phi at the squared distance d2 < reach^2, 1/m^3.
  DEM_HD double operator()(double d2) const
  {
    switch (kind)
    {
      case SmoothingKernel::Heaviside:
        return factor;
      case SmoothingKernel::Gauss:
        return factor * std::exp(-d2 / (2 * width * width));
      default:
      {
        const double q2 = d2 / (reach * reach), q = std::sqrt(q2);
        return factor * (1 + q2 * (-6 + q * (8 - 3 * q)));
      }
    }
  }

  /// Mean of phi on the line from d to d + size * direction, 1/m^3. `direction`: unit vector.
  DEM_HD double alongLine(const Vec3d& d, const Vec3d& direction, double size) const
  {
    const double c2 = reach * reach, d2 = dot(d, d);
    // measured from the foot of the perpendicular, the line extends from `along` to along + size
    const double along = dot(d, direction);
    const Vec3d foot = d - along * direction;
    const double h2 = dot(foot, foot);
    if (h2 >= c2 || along >= reach || along + size <= -reach)
      return 0;
    if (!(size > 1e-6 * reach)) // short enough to be a point
      return d2 < c2 ? (*this)(d2) : 0;
    const double half = std::sqrt(c2 - h2); // the line is within reach from -half to half
    const double from = along > -half ? along : -half,
                 to = along + size < half ? along + size : half;
    if (!(from < to))
      return 0;
    switch (kind)
    {
      case SmoothingKernel::Heaviside:
        return factor * (to - from) / size;
      case SmoothingKernel::Gauss:
      {
        const double scale = 1 / (std::sqrt(2.) * width);
        return factor * std::exp(-h2 * scale * scale) * 0.88622692545275801365 / scale *
          (std::erf(to * scale) - std::erf(from * scale)) / size;
      }
      default:
      {
        const double inverse = 1 / reach;
        return factor * reach * lucy(from * inverse, to * inverse, h2 * inverse * inverse) / size;
      }
    }
  }

private:
  /// Integral over u from a to b of 1 - 6 q^2 + 8 q^3 - 3 q^4, with q^2 = h + u^2. The integral of
  /// q^3 is u q^3 / 4 + 3/8 h u q + 3/8 h^2 asinh(u / sqrt(h)).
  DEM_HD static double lucy(double a, double b, double h)
  {
    const double qa = std::sqrt(h + a * a), qb = std::sqrt(h + b * b);
    double cubes = cubeOf(b, qb, h) - cubeOf(a, qa, h);
    if (h > 1e-20) // asinh as the logarithm of a quotient without cancellation
      cubes += 0.375 * h * h *
        std::log((b >= 0 ? b + qb : h / (qb - b)) / (a >= 0 ? a + qa : h / (qa - a)));
    return powersOf(b, h) - powersOf(a, h) + 8 * cubes;
  }
  DEM_HD static double cubeOf(double u, double q, double h)
  {
    return u * q * (0.25 * q * q + 0.375 * h);
  }
  DEM_HD static double powersOf(double u, double h)
  {
    const double u2 = u * u;
    return u * (1 - 6 * (h + u2 * (1. / 3)) - 3 * (h * h + h * u2 * (2. / 3) + u2 * u2 * 0.2));
  }
};

} // namespace dem

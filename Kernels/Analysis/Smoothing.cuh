// The smoothing kernels of coarse graining and their integrals along a line, all in closed form.
#pragma once

#include "Analysis/CoarseGraining.h"
#include "Core/Vec.h"

namespace dem
{

struct Smoothing
{
  SmoothingKernel kind;
  double reach;  // m
  double width;  // m
  double factor; // of the shape below, 1/m^3

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
        factor = 1 / (std::pow(2 * pi, 1.5) * w * w * w * std::erf(c / (std::sqrt(2.) * w)) - 4 * pi * w * w * c * std::exp(-c * c / (2 * w * w)));
        break;
      case SmoothingKernel::Lucy:
        factor = 105 / (16 * pi * c * c * c);
        break;
    }
    return { kind, c, w, factor };
  }

  /// phi at the squared distance d2 < reach^2.
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

  /// Integral of phi(d + s l) for s from 0 to 1.
  DEM_HD double alongLine(const Vec3d& d, const Vec3d& l) const
  {
    const double length2 = dot(l, l), size = std::sqrt(length2);
    const double c2 = reach * reach;
    if (!(size > 1e-12 * reach)) // no line: a point
    {
      const double d2 = dot(d, d);
      return d2 < c2 ? (*this)(d2) : 0;
    }
    const double along = dot(d, l) / size;      // the line runs from here to along + size, measured from the foot of the perpendicular
    const Vec3d foot = d - (along / size) * l;
    const double h2 = dot(foot, foot);
    if (h2 >= c2)
      return 0;
    const double half = std::sqrt(c2 - h2);     // inside the reach
    const double from = along > -half ? along : -half, to = along + size < half ? along + size : half;
    if (!(from < to))
      return 0;
    switch (kind)
    {
      case SmoothingKernel::Heaviside:
        return factor * (to - from) / size;
      case SmoothingKernel::Gauss:
      {
        const double scale = 1 / (std::sqrt(2.) * width);
        return factor * std::exp(-h2 * scale * scale) * 0.88622692545275801365 / scale * (std::erf(to * scale) - std::erf(from * scale)) / size;
      }
      default:
      {
        const double inverse = 1 / reach, h = h2 * inverse * inverse;
        return factor * reach * (lucyPrimitive(to * inverse, h) - lucyPrimitive(from * inverse, h)) / size;
      }
    }
  }

private:
  /// Integral over u of 1 - 6 q^2 + 8 q^3 - 3 q^4 with q^2 = h + u^2.
  DEM_HD static double lucyPrimitive(double u, double h)
  {
    const double u2 = u * u, q = std::sqrt(h + u2);
    // of q^3: u q^3 / 4 + 3/8 h u q + 3/8 h^2 asinh(u / sqrt(h))
    double cube = u * q * (0.25 * (h + u2) + 0.375 * h);
    if (h > 1e-30)
      cube += 0.375 * h * h * std::asinh(u / std::sqrt(h));
    return u * (1 - 6 * (h + u2 / 3) - 3 * (h * h + h * u2 * (2. / 3) + u2 * u2 / 5)) + 8 * cube;
  }
};

} // namespace dem

// Drag laws against the published formulas, evaluated per volume of a bed in another program.
#include "Physics/Drag/DragLaws.cuh"

#include <gtest/gtest.h>

#include <cmath>

TEST(Drag, Coefficients)
{
  // in the order of DragLaw
  struct
  {
    double diameter, void_fraction, density, viscosity, slip, coefficient[6];
  } const known[] = {
    { 0.003, 0.42, 1.2, 1.8e-05, 2,
      { 2.185001941e-05, 2.404506834e-05, 2.564886002e-05, 2.290967775e-05, 5.190290684e-06,
        5.089380099e-07 } },
    { 0.003, 0.7, 1.2, 1.8e-05, 0.5,
      { 4.700831022e-06, 4.528608021e-06, 6.765644179e-06, 5.772397095e-06, 2.315097703e-06,
        5.089380099e-07 } },
    { 0.001, 0.9, 1000, 0.001, 0.01,
      { 2.594271969e-05, 2.202066009e-05, 2.091667647e-05, 2.665791888e-05, 1.630119783e-05,
        9.424777961e-06 } },
    { 0.0005, 0.85, 1.2, 1.8e-05, 20,
      { 2.866426474e-06, 2.047165771e-06, 1.6551704e-06, 2.635678726e-06, 1.193053763e-06,
        8.482300165e-08 } },
    { 0.0001, 0.6, 1.2, 1.8e-05, 0.001,
      { 1.131028376e-07, 6.575283492e-08, 9.425877518e-08, 1.202380058e-07, 1.704600704e-08,
        1.696460033e-08 } },
  };
  for (const auto& k : known)
    for (int law = 0; law < 6; ++law)
      EXPECT_NEAR(dem::dragCoefficient(static_cast<dem::DragLaw>(law),
                    { k.diameter, k.void_fraction, k.density, k.viscosity, k.slip }) /
          k.coefficient[law],
        1, 1e-9)
        << "law " << law << ", void fraction " << k.void_fraction;
}

// A lone grain at rest has Stokes' drag in all laws; the fit of Di Felice has 23.04 / 24 of it.
TEST(Drag, LoneGrainAtRest)
{
  const dem::DragState s{ 1e-3, 1, 1.2, 1.8e-5, 0 };
  const double stokes = 3 * M_PI * s.viscosity * s.diameter;
  for (const dem::DragLaw law : { dem::DragLaw::KochHill, dem::DragLaw::Gidaspow,
         dem::DragLaw::Beetstra, dem::DragLaw::SchillerNaumann, dem::DragLaw::Stokes })
    EXPECT_NEAR(dem::dragCoefficient(law, s) / stokes, 1, 1e-12) << static_cast<int>(law);
  EXPECT_NEAR(dem::dragCoefficient(dem::DragLaw::DiFelice, s) / stokes, 0.96, 1e-4);
}

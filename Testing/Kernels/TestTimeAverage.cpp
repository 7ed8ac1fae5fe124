// Means over time and their standard errors, against two passes over all values.
#include "TestSupport.h"

#include "Analysis/TimeAverage.h"

using namespace test;

TEST(TimeAverage, AgreesWithTwoPasses)
{
  const std::vector<dem::AveragedField> fields{ { "W", 1, -1 }, { "X", 2, 0 } };
  constexpr std::size_t places = 5, outputs = 9;
  std::mt19937 random(2);
  std::vector<std::vector<double>> w(outputs), x(outputs);
  dem::TimeAverage average(fields, places);
  for (std::size_t t = 0; t < outputs; ++t)
  {
    for (std::size_t c = 0; c < places; ++c)
    {
      // place 0 is never filled, place 1 once, place 2 now and then
      const bool filled = c > 2 || (c == 1 && t == 4) || (c == 2 && t % 2);
      w[t].push_back(filled ? 1 + random() / 4294967296.0 : 0);
      x[t].push_back(filled ? 1e6 + random() / 4294967296.0 : 0); // a mean far above the spread
      x[t].push_back(filled ? random() / 4294967296.0 : 0);
    }
    average.add({ w[t].data(), x[t].data() });
  }
  EXPECT_EQ(average.outputs(), outputs);
  std::vector<double> mean(places * 2), error(places * 2);
  std::vector<std::int32_t> counts(places);
  average.finish(1, mean.data(), error.data());
  average.counts(1, counts.data());
  const int expected_counts[places] = { 0, 1, 4, 9, 9 };
  for (std::size_t c = 0; c < places; ++c)
  {
    EXPECT_EQ(counts[c], expected_counts[c]);
    for (std::size_t k = 0; k < 2; ++k)
    {
      double sw = 0, swx = 0, squares = 0;
      int n = 0;
      for (std::size_t t = 0; t < outputs; ++t)
      {
        sw += w[t][c];
        swx += w[t][c] * x[t][2 * c + k];
        n += w[t][c] > 0;
      }
      const double m = n ? swx / sw : 0;
      for (std::size_t t = 0; t < outputs; ++t)
      {
        squares += std::pow(w[t][c] * (x[t][2 * c + k] - m), 2);
      }
      EXPECT_NEAR(mean[2 * c + k], m, 1e-9);
      if (n < 2)
      {
        EXPECT_TRUE(std::isnan(error[2 * c + k]));
      }
      else
      {
        EXPECT_NEAR(error[2 * c + k], std::sqrt(squares * n / (n - 1)) / sw, 1e-8);
      }
    }
  }
  // without a weight: the textbook's s / sqrt(n)
  average.finish(0, mean.data(), error.data());
  for (std::size_t c = 0; c < places; ++c)
  {
    double sum = 0, squares = 0;
    for (std::size_t t = 0; t < outputs; ++t)
    {
      sum += w[t][c] / outputs;
    }
    for (std::size_t t = 0; t < outputs; ++t)
    {
      squares += std::pow(w[t][c] - sum, 2);
    }
    EXPECT_NEAR(mean[c], sum, 1e-13);
    EXPECT_NEAR(error[c], std::sqrt(squares / (outputs - 1) / outputs), 1e-13);
  }
}

TEST(TimeAverage, WhatDoesNotChangeHasNoError)
{
  dem::TimeAverage average({ { "X", 1, -1 } }, 1);
  const double x = 0.1;
  for (int t = 0; t < 7; ++t)
  {
    average.add({ &x });
  }
  double mean = 0, error = 1;
  average.finish(0, &mean, &error);
  EXPECT_EQ(mean, 0.1);
  EXPECT_EQ(error, 0);
}

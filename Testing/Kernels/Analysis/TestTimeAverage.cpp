// Means over time and their standard errors against two passes over all values.
#include "AnalysisSupport.h"

#include "Analysis/TimeAverage.h"

using namespace test;

class TimeAverage : public AnalysisTest
{
};

TEST_P(TimeAverage, AgreesWithTwoPasses)
{
  const std::vector<dem::AveragedField> fields{ { "W", 1, -1 }, { "X", 2, 0 } };
  constexpr std::size_t places = 5, outputs = 9;
  std::mt19937 random(2);
  std::vector<std::vector<double>> w(outputs), x(outputs);
  dem::TimeAverage average(fields, places, device());
  for (std::size_t t = 0; t < outputs; ++t)
  {
    for (std::size_t c = 0; c < places; ++c)
    {
      // place 0 is never filled, place 1 once, place 2 in every second output
      const bool filled = c > 2 || (c == 1 && t == 4) || (c == 2 && t % 2);
      w[t].push_back(filled ? 1 + uniform(random, 0, 1) : 0);
      x[t].push_back(filled ? 1e6 + uniform(random, 0, 1) : 0); // a mean far above the spread
      x[t].push_back(filled ? uniform(random, 0, 1) : 0);
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
  // without a weight the error is s / sqrt(n)
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

TEST_P(TimeAverage, ConstantValuesHaveNoError)
{
  dem::TimeAverage average({ { "X", 1, -1 } }, 1, device());
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

// Sums passed from one object to another continue with the same bits. Values may be written to the
// memory of the next output.
TEST_P(TimeAverage, ContinuesFromItsSums)
{
  const std::vector<dem::AveragedField> fields{ { "W", 1, -1 }, { "X", 2, 0 } };
  std::mt19937 random(4);
  dem::TimeAverage whole(fields, 3, device()), first(fields, 3, device()),
    second(fields, 3, device());
  for (int t = 0; t < 8; ++t)
  {
    std::vector<double> w, x;
    for (int c = 0; c < 3; ++c)
      w.push_back(random() % 3);
    for (int c = 0; c < 6; ++c)
      x.push_back(uniform(random, 0, 1));
    whole.add({ w.data(), x.data() });
    if (t == 4)
      second.use(first.sums(), first.outputs());
    (t < 4 ? first : second).add({ w.data(), x.data() });
  }
  EXPECT_EQ(second.outputs(), 8u);
  double mean[2][6], error[2][6];
  std::int32_t count[2][3];
  whole.finish(1, mean[0], error[0]);
  second.finish(1, mean[1], error[1]);
  whole.counts(1, count[0]);
  second.counts(1, count[1]);
  for (int k = 0; k < 6; ++k)
  {
    EXPECT_EQ(mean[0][k], mean[1][k]);
    EXPECT_EQ(error[0][k], error[1][k]);
    EXPECT_EQ(count[0][k / 2], count[1][k / 2]);
  }
  dem::TimeAverage filled({ { "X", 1, -1 } }, 5, device());
  for (const double value : { 2., 4. })
  {
    filled.fill(0, value);
    filled.add();
  }
  double means[5], errors[5];
  filled.finish(0, means, errors);
  EXPECT_EQ(means[4], 3);
  EXPECT_EQ(errors[4], 1);
  EXPECT_EQ(
    filled.memory(), device().kind == dem::DeviceKind::CUDA ? device().ordinal : dem::kHostMemory);
}

PARAGRAIN_ON_ALL_BACKENDS(TimeAverage);

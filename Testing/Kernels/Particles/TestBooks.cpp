// The totals of EnergyBooks against 128-bit integers and closed forms.
#include "Particles/EnergyTotals.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace
{

constexpr dem::BookedEnergy kKind = dem::BookedEnergy::StiffnessWork;
constexpr unsigned kIndex = static_cast<unsigned>(kKind);

/// Books in host memory.
struct Books
{
  explicit Books(double scale)
    : unit(dem::EnergyTotals::unitFor(scale))
    , words(dem::EnergyTotals(unit).stripes())
    , view{ words.data(), dem::EnergyTotals(unit).perJoule() }
  {
  }
  void book(unsigned stripe, const std::vector<double>& joule) const
  {
    dem::EnergySum sum;
    for (double j : joule)
      sum.add(j * view.per_joule);
    view.book(stripe, kKind, sum);
  }
  dem::EnergyTotals totals() const { return { unit, words }; }

  int unit;
  std::vector<unsigned long long> words;
  dem::EnergyBooks view;
};

/// Terms of both signs over fifty binary orders, none smaller than a unit's last bits allow to be
/// exact.
std::vector<double> terms(std::size_t n, int unit, unsigned seed)
{
  std::mt19937_64 random(seed);
  std::vector<double> t(n);
  for (double& x : t)
  {
    const auto mantissa =
      static_cast<double>(static_cast<std::int64_t>(random() >> 40) - (1 << 23));
    x = std::ldexp(mantissa, unit + static_cast<int>(random() % 50));
  }
  return t;
}

} // namespace

// What is a multiple of the unit is booked exactly: compared with integers that are shifted, not
// converted.
TEST(Books, AreExactSums)
{
  const Books books(12.5);
  std::mt19937_64 random(5);
  __int128 expected = 0;
  for (int k = 0; k < 20000; ++k)
  {
    const std::int64_t mantissa =
      static_cast<std::int64_t>(random() >> 12) - (std::int64_t(1) << 51);
    const int shift = static_cast<int>(random() % 34); // up to 2^85 units: an eighth of the scale
    books.book(static_cast<unsigned>(random()),
      { std::ldexp(static_cast<double>(mantissa), books.unit + shift) });
    expected += static_cast<__int128>(mantissa) * (static_cast<__int128>(1) << shift);
  }
  const dem::EnergyTotals totals = books.totals();
  EXPECT_EQ(
    totals.low(kIndex), static_cast<std::uint64_t>(static_cast<unsigned __int128>(expected)));
  EXPECT_EQ(totals.high(kIndex),
    static_cast<std::uint64_t>(static_cast<unsigned __int128>(expected) >> 64));
  EXPECT_EQ(totals.joule(dem::BookedEnergy::Dissipated), 0.);
  EXPECT_EQ(totals.joule(dem::BookedEnergy::WallWork), 0.);
}

TEST(Books, DoNotDependOnTheOrderOrOnWhoBooks)
{
  const Books one(3e-4);
  std::vector<double> all = terms(4000, one.unit, 11);
  one.book(0, all);
  for (unsigned seed = 1; seed < 6; ++seed)
  {
    std::mt19937_64 random(seed);
    std::shuffle(all.begin(), all.end(), random);
    const Books other(3e-4);
    for (std::size_t begin = 0; begin < all.size();)
    {
      const std::size_t end = std::min(all.size(), begin + 1 + random() % 97);
      other.book(static_cast<unsigned>(random()), { all.begin() + begin, all.begin() + end });
      begin = end;
    }
    EXPECT_EQ(one.totals().low(kIndex), other.totals().low(kIndex));
    EXPECT_EQ(one.totals().high(kIndex), other.totals().high(kIndex));
  }
}

// Grains of 13 J at most: 1e-18 J at a time beside a total of 1,000 J, of which a double would see
// nothing.
TEST(Books, SmallTermsCountInALargeTotal)
{
  const Books books(13);
  for (int k = 0; k < 1000; ++k)
    books.book(3, { 1. });
  for (int k = 0; k < 100000; ++k)
    books.book(static_cast<unsigned>(k), { 1e-18, -0.25e-18 });
  EXPECT_NEAR(books.totals().joule(kKind), 1000., 1e-9);
  for (int k = 0; k < 1000; ++k)
    books.book(7, { -1. });
  EXPECT_NEAR(books.totals().joule(kKind), 100000 * 0.75e-18, 1e-7 * 100000 * 0.75e-18);
}

// A sum may hold 2^14 of the largest terms there are, and each total 2^39 of the scale, of either
// sign.
TEST(Books, HoldWhatASceneCanHave)
{
  for (double sign : { 1., -1. })
  {
    const Books books(8.); // the scale is 16 J
    std::vector<double> largest(dem::EnergySum::kTerms, sign * (16 * 256 - 1e-3));
    for (int k = 0; k < 100; ++k)
      books.book(k, largest);
    EXPECT_NEAR(
      books.totals().joule(kKind) / (sign * 100 * (1 << 14) * (16 * 256 - 1e-3)), 1., 1e-13);
  }
  dem::EnergySum beyond;
  beyond.add(1e300);
  beyond.add(-1e300);
  beyond.add(-std::numeric_limits<double>::infinity());
  EXPECT_EQ(beyond.high, -(1ll << 48)); // is held at the limit
}

TEST(Books, HoldNoEnergyBeyondTheirRange)
{
  dem::EnergyTotals totals(-80);
  for (const double joule : { std::nan(""), HUGE_VAL, -HUGE_VAL, 1e13, -1e13 })
    EXPECT_FALSE(totals.holds(joule)) << joule;
  for (const double joule : { 0., 1e12, -5e11 })
  {
    ASSERT_TRUE(totals.holds(joule)) << joule;
    totals.add(kKind, joule);
  }
  EXPECT_EQ(totals.joule(kKind), 5e11);
}

TEST(Books, ComeBackFromTheirStripes)
{
  const Books books(1e-9);
  books.book(40, { -3e-10, 1e-12 });
  books.book(41, { -5e-10 });
  const dem::EnergyTotals saved = books.totals();
  const dem::EnergyTotals back(saved.unit(), saved.stripes());
  EXPECT_EQ(back.low(kIndex), saved.low(kIndex));
  EXPECT_EQ(back.high(kIndex), saved.high(kIndex));
  EXPECT_NEAR(back.joule(kKind), -7.99e-10, 1e-22);
  dem::EnergyTotals sum(saved.unit());
  sum.add(kKind, -7.99e-10);
  EXPECT_NEAR(sum.joule(kKind), -7.99e-10, 1e-22);
}

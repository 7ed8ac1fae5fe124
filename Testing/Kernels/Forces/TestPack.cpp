// The contact law on a pack of contacts against the same law on one contact at a time: equal bits,
// for every option.
#include "Core/PackRows.h"
#include "Forces/PairContact.cuh"
#include "Forces/WallForces.cuh"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <vector>

using namespace dem;

namespace
{

constexpr int kContacts = 4096;
constexpr int kSides = 17, kHistory = 9, kCoefficients = 7;

// One contact as plain numbers, in the order of the structs' members.
template <class Real>
struct Contact
{
  std::array<Real, kSides> sides;
  std::array<Real, kHistory> history;
  std::array<Real, kCoefficients> coefficients;
  bool begins;
};

template <class Real, class Number>
PairSides<Number> sidesOf(const Number* s)
{
  return { { s[0], s[1], s[2] }, s[3], s[4], s[5], s[6], s[7], { s[8], s[9], s[10] },
    { s[11], s[12], s[13] }, { s[14], s[15], s[16] }, { s[15], s[16], s[14] } };
}

template <class Number>
ContactHistory<Number> historyOf(const Number* h)
{
  ContactHistory<Number> out;
  out.xi = { h[0], h[1], h[2] };
  out.roll = { h[3], h[4], h[5] };
  out.age = h[6];
  out.slip = h[7];
  out.dissipated = h[8];
  return out;
}

// All that the law gives, as numbers.
template <class Number>
std::vector<Number> numbers(const PairContact<Number>& c, const ContactHistory<Number>& h)
{
  return { c.on_a.x, c.on_a.y, c.on_a.z, c.torque_a.x, c.torque_a.y, c.torque_a.z, c.torque_b.x,
    c.torque_b.y, c.torque_b.z, c.force.normal, c.force.elastic_energy, c.force.dissipated,
    c.force.stiffness_work, h.xi.x, h.xi.y, h.xi.z, h.roll.x, h.roll.y, h.roll.z, h.age, h.slip,
    h.dissipated };
}

template <class Real>
std::vector<Contact<Real>> randomContacts()
{
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1), positive(0.1, 1);
  std::vector<Contact<Real>> contacts(kContacts);
  for (Contact<Real>& c : contacts)
  {
    Vec3d n = normalized(Vec3d{ unit(random), unit(random), unit(random) });
    c.sides = { Real(n.x), Real(n.y), Real(n.z), Real(1e-5 * positive(random)),
      Real(2e-3 * positive(random)), Real(2e-3 * positive(random)), Real(1e-4 * positive(random)),
      Real(1e-4 * positive(random)) };
    for (int k = 8; k < kSides; ++k)
      c.sides[k] = random() % 8 ? Real(unit(random)) : Real(0);
    c.begins = random() % 4 == 0;
    const double size = random() % 8 ? 1e-6 * positive(random) : 0; // springs of nothing too
    for (Real& h : c.history)
      h = c.begins ? Real(0) : Real(size * unit(random));
    c.coefficients = { Real(1e7 * positive(random)), Real(4e6 * positive(random)),
      Real(0.5 * positive(random)), random() % 8 ? Real(positive(random)) : Real(0),
      Real(0.1 * positive(random)), Real(10 * positive(random)),
      random() % 3 ? Real(positive(random)) : Real(0) };
  }
  return contacts;
}

template <bool kAdvance, class Real>
void compare(const LawParameters<Real>& law)
{
  using Reals = Pack<Real>;
  constexpr int kLanes = Reals::kLanes;
  static const std::vector<Contact<Real>> contacts = randomContacts<Real>();
  const Real dt = Real(1e-5);
  for (int first = 0; first + kLanes <= kContacts; first += kLanes)
  {
    const auto gather = [&](auto member, int k) {
      Real lanes[kLanes];
      for (int lane = 0; lane < kLanes; ++lane)
        lanes[lane] = (contacts[first + lane].*member)[k];
      return Reals::load(lanes);
    };
    Reals sides[kSides], history[kHistory], coefficients[kCoefficients];
    for (int k = 0; k < kSides; ++k)
      sides[k] = gather(&Contact<Real>::sides, k);
    for (int k = 0; k < kHistory; ++k)
      history[k] = gather(&Contact<Real>::history, k);
    for (int k = 0; k < kCoefficients; ++k)
      coefficients[k] = gather(&Contact<Real>::coefficients, k);
    typename Reals::Lane begins[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
      begins[lane] = contacts[first + lane].begins;

    ContactHistory<Reals> packed_history = historyOf(history);
    const auto packed = pairContact<kAdvance>(law,
      PairCoefficients<Reals>{ coefficients[0], coefficients[1], coefficients[2], coefficients[3],
        coefficients[4], coefficients[5], coefficients[6] },
      sidesOf<Real>(sides), dt, Reals::Mask::load(begins), packed_history);
    const std::vector<Reals> got = numbers(packed, packed_history);
    typename Reals::Lane sliding[kLanes];
    packed_history.sliding.store(sliding);

    for (int lane = 0; lane < kLanes; ++lane)
    {
      const Contact<Real>& one = contacts[first + lane];
      const auto& q = one.coefficients;
      ContactHistory<Real> h = historyOf(one.history.data());
      const auto c = pairContact<kAdvance>(law,
        PairCoefficients<Real>{ q[0], q[1], q[2], q[3], q[4], q[5], q[6] },
        sidesOf<Real>(one.sides.data()), dt, one.begins, h);
      const std::vector<Real> wanted = numbers(c, h);
      ASSERT_EQ(h.sliding, sliding[lane] != 0) << "contact " << first + lane;
      for (std::size_t k = 0; k < wanted.size(); ++k)
      {
        Real lanes[kLanes];
        got[k].store(lanes);
        // zeros may differ in sign: nothing that is added to can show it
        ASSERT_EQ(wanted[k], lanes[lane]) << "number " << k << " of contact " << first + lane;
      }
    }
  }
}

template <class Real>
void compareAllLaws()
{
  for (int option = 0; option < 2 * 2 * 3 * 2 * 2; ++option)
  {
    int rest = option;
    const auto choose = [&rest](int choices) {
      const int chosen = rest % choices;
      rest /= choices;
      return chosen;
    };
    LawParameters<Real> law{};
    law.law = static_cast<NormalLaw>(choose(2));
    law.friction_limit = static_cast<FrictionLimit>(choose(2));
    law.rolling = static_cast<RollingModel>(choose(3));
    law.history = choose(2);
    law.clamp = choose(2);
    law.statistics = true;
    law.collision_time = Real(1e-3);
    law.stiffness_ratio = Real(0.8);
    law.rolling_damping = Real(0.3);
    SCOPED_TRACE(option);
    compare<true>(law);
    compare<false>(law);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

} // namespace

TEST(Pack, TheLawOnAPackMixed) { compareAllLaws<float>(); }

// Rows to columns and back, and lanes set down side by side: numbers that name their place come out
// where they belong.
template <class Real>
void rowsAndColumns()
{
  constexpr int n = Pack<Real>::kLanes;
  Vec4<Real> rows[n];
  const auto name = [](int row, int column) { return Real(10 * row + column + 1); };
  for (int k = 0; k < n; ++k)
    rows[(5 * k + 3) % n] = { name(k, 0), name(k, 1), name(k, 2), name(k, 3) };
  const auto columns =
    loadRows<n>([&](int k) -> const Vec4<Real>& { return rows[(5 * k + 3) % n]; });
  const Rows<Real, n> back(columns);
  for (int k = 0; k < n; ++k)
  {
    EXPECT_EQ(columns.x.values()[k], name(k, 0));
    EXPECT_EQ(columns.y.values()[k], name(k, 1));
    EXPECT_EQ(columns.z.values()[k], name(k, 2));
    EXPECT_EQ(columns.w.values()[k], name(k, 3));
    EXPECT_EQ(std::memcmp(&back[k], &rows[(5 * k + 3) % n], sizeof back[k]), 0) << k;
  }
  for (unsigned ones = 0; ones < (1u << n) && ones < 4096; ++ones)
  {
    Real some[2 * n];
    std::uint32_t places[n], few[2 * n];
    for (int k = 0; k < n; ++k)
      places[k] = 100 + k;
    storeSome(columns.y, ones, some);
    storeSome<n>(places, ones, few);
    int to = 0;
    for (int k = 0; k < n; ++k)
      if (ones >> k & 1)
      {
        EXPECT_EQ(some[to], name(k, 1));
        EXPECT_EQ(few[to], 100u + k);
        ++to;
      }
    typename Pack<Real>::Lane lanes[n];
    for (int k = 0; k < n; ++k)
      lanes[k] = ones >> k & 1 ? 7 : 0;
    EXPECT_EQ(Pack<Real>::Mask::load(lanes).ones(), ones);
  }
}

TEST(Pack, RowsAndColumns)
{
  rowsAndColumns<float>();
  rowsAndColumns<double>();
}

TEST(Pack, TheLawOnAPackDouble) { compareAllLaws<double>(); }

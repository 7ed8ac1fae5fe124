// Force chains and strong networks in packings with known results, and against their definitions in
// plain loops with Eigen.
#include "AnalysisSupport.h"

#include "Analysis/ChainEvents.h"
#include "Analysis/ContactSearch.h"
#include "Analysis/ForceChains.h"
#include "Analysis/StrongNetwork.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <random>
#include <set>

using namespace test;

namespace
{

using Chains = std::vector<std::vector<std::int64_t>>;

// Grains, of radius 1/2 by default, and contacts whose forces mostly act along the line of centres.
struct Packing : Sample
{
  std::int64_t grain(const Vec3d& x, double r = 0.5) { return add(x, r); }
  void contact(
    std::int64_t a, std::int64_t b, const Vec3d& place, const Vec3d& fn, const Vec3d& ft = {})
  {
    const Vec3d p = at(a), d = place - p, middle = p + (radius[a] / length(d)) * d;
    Sample::contact(a, b, place, b < 0 ? place : middle, fn, ft);
  }
  // Contact of two grains that push each other.
  void push(std::int64_t a, std::int64_t b, double force)
  {
    const Vec3d d = at(b) - at(a);
    contact(a, b, at(b), (-force / length(d)) * d);
  }
  // Contact with a wall that pushes grain a along `n`, towards its centre.
  void wall(std::int64_t a, const Vec3d& n, double force)
  {
    contact(a, -1, at(a) - radius[a] * n, force * n);
  }
  // A row of grains that begins at x, `step` apart, pressed together by walls at both ends.
  std::vector<std::int64_t> row(const Vec3d& x, const Vec3d& step, int n, double force)
  {
    std::vector<std::int64_t> all;
    for (int k = 0; k < n; ++k)
      all.push_back(grain(x + double(k) * step));
    wall(all.front(), normalized(step), force);
    for (int k = 0; k + 1 < n; ++k)
      push(all[k], all[k + 1], force);
    wall(all.back(), -1. * normalized(step), force);
    return all;
  }
};

// The members of each chain.
Chains listed(const dem::ForceChains& chains)
{
  Chains all;
  for (std::size_t k = 0; k < chains.size(); ++k)
    all.emplace_back(
      chains.grain.begin() + chains.start[k], chains.grain.begin() + chains.start[k + 1]);
  return all;
}

double degrees(double angle) { return angle * M_PI / 180; }

class AnalysisChains : public AnalysisTest
{
protected:
  dem::ForceChains find(
    const Packing& p, double factor = 1, double angle = 45, int threads = 0) const
  {
    return dem::findForceChains(
      p.grains(), p.contacts(), { factor, degrees(angle), 3 }, device(threads));
  }
};

} // namespace

// A column among rows that carry a tenth of its load is the only chain; its stress along the column
// is F 2r / V.
TEST_P(AnalysisChains, StraightColumn)
{
  Packing p;
  for (int k = 0; k < 6; ++k) // weak rows of the same length
    p.row({ 0, 3. + k, 0 }, { 1, 0, 0 }, 10, 0.1);
  const std::vector<std::int64_t> column = p.row({ 0, 0, 0 }, { 0.6, 0, 0.8 }, 10, 1);
  const dem::ForceChains chains = find(p);
  EXPECT_EQ(listed(chains), Chains{ column });
  const double stress = 1 / (M_PI / 6);
  for (const std::int64_t i : column)
  {
    EXPECT_NEAR(chains.load[i], stress, 1e-14);
    EXPECT_NEAR(chains.stress[6 * i], -0.36 * stress, 1e-14);     // compression is negative
    EXPECT_NEAR(chains.stress[6 * i + 5], -0.48 * stress, 1e-14); // xz
    EXPECT_NEAR(std::fabs(chains.direction[3 * i + 2]), 0.8, 1e-14);
    EXPECT_EQ(chains.chain[i], 0);
  }
  EXPECT_EQ(chains.chain[0], -1);
  EXPECT_NEAR(chains.mean_load, stress * (10 + 0.1 * 60) / 70, 1e-14);
  EXPECT_FALSE(chains.ring(0));
  EXPECT_TRUE(listed(find(p, 5)).empty()); // no load is above five times the mean
  EXPECT_EQ(find(p, 0).size(), 7u);        // every load is above 0
}

// The grain at the crossing belongs to the stronger column; the weaker one is cut in two.
TEST_P(AnalysisChains, TwoCrossingColumns)
{
  Packing p;
  const std::vector<std::int64_t> up = p.row({ 0, 0, -5 }, { 0, 0, 1 }, 11, 2);
  std::vector<std::int64_t> left, right;
  for (int k = 5; k > 0; --k)
    left.push_back(p.grain({ -double(k), 0, 0 }));
  for (int k = 1; k <= 5; ++k)
    right.push_back(p.grain({ double(k), 0, 0 }));
  std::vector<std::int64_t> across = left;
  across.push_back(up[5]);
  across.insert(across.end(), right.begin(), right.end());
  p.wall(across.front(), { 1, 0, 0 }, 1);
  for (std::size_t k = 0; k + 1 < across.size(); ++k)
    p.push(across[k], across[k + 1], 1);
  p.wall(across.back(), { -1, 0, 0 }, 1);
  EXPECT_EQ(listed(find(p, 0.5)), (Chains{ up, left, right }));
  EXPECT_EQ(listed(find(p)), Chains{ up }); // the weaker column is below the mean
}

// Thrust along a half circle: successive links turn by 180 / 12 degrees, so each is half of that
// from the direction of its grains.
TEST_P(AnalysisChains, Arch)
{
  Packing p;
  const int n = 13;
  const double turn = M_PI / (n - 1), big = 0.5 / std::sin(turn / 2);
  std::vector<std::int64_t> arch;
  for (int k = 0; k < n; ++k)
    arch.push_back(p.grain({ -big * std::cos(k * turn), 0, big * std::sin(k * turn) }));
  for (int k = 0; k + 1 < n; ++k)
    p.push(arch[k], arch[k + 1], 1);
  p.wall(arch.front(), { 0, 0, 1 }, 1);
  p.wall(arch.back(), { 0, 0, 1 }, 1);
  // a grain that rests on the key stone with a small force
  p.push(arch[6], p.grain(p.at(arch[6]) + Vec3d{ 0, 0, 1 }), 0.001);
  EXPECT_EQ(listed(find(p, 0.9)), Chains{ arch });
  EXPECT_EQ(listed(find(p, 0.9, 8)), Chains{ arch });
  EXPECT_TRUE(listed(find(p, 0.9, 7)).empty()); // half a turn is 7.5 degrees
}

// A hexagonal packing loaded along a close-packed direction: the columns carry the load, the
// inclined contacts a twentieth of it.
TEST_P(AnalysisChains, HexagonalPackingUnderUniaxialLoad)
{
  Packing p;
  const int columns = 9, rows = 12;
  Chains expected;
  for (int c = 0; c < columns; ++c)
    expected.push_back(p.row({ c * std::sqrt(0.75), 0, c % 2 ? 0.5 : 0 }, { 0, 0, 1 }, rows, 1));
  for (int c = 0; c + 1 < columns; ++c)
    for (int k = 0; k < rows; ++k)
    {
      p.push(expected[c][k], expected[c + 1][k], 0.05);
      const int other = c % 2 ? k + 1 : k - 1;
      if (other >= 0 && other < rows)
        p.push(expected[c][k], expected[c + 1][other], 0.05);
    }
  EXPECT_EQ(listed(find(p, 0.95)), expected);
  EXPECT_EQ(listed(find(p, 0.95, 30)), expected);
}

TEST_P(AnalysisChains, ARingIsClosed)
{
  Packing p;
  const int n = 24;
  const double big = 0.5 / std::sin(M_PI / n);
  std::vector<std::int64_t> ring;
  for (int k = 0; k < n; ++k)
    ring.push_back(
      p.grain({ big * std::cos(2 * M_PI * k / n), big * std::sin(2 * M_PI * k / n), 0 }));
  for (int k = 0; k < n; ++k)
    p.push(ring[k], ring[(k + 1) % n], 1);
  const dem::ForceChains chains = find(p, 0.9);
  ASSERT_EQ(chains.size(), 1u);
  EXPECT_TRUE(chains.ring(0));
  std::vector<std::int64_t> members = listed(chains)[0];
  EXPECT_EQ(members.front(), 0);
  std::sort(members.begin(), members.end());
  EXPECT_EQ(members, ring);
  EXPECT_EQ(std::set<std::int64_t>(chains.link.begin(), chains.link.end()).size(), std::size_t(n));
}

namespace
{

// Random overlapping grains with random forces.
Packing randomPacking(int n, unsigned seed)
{
  Uniform uniform(seed);
  Packing p;
  for (int i = 0; i < n; ++i)
    p.grain({ uniform(0, 8), uniform(0, 8), uniform(0, 8) }, uniform(0.4, 0.7));
  const dem::FoundContacts found =
    dem::findContacts(p.grains(), {}, dem::chooseDevice(dem::DeviceKind::CPU, 1));
  for (std::size_t c = 0; c < found.size; ++c)
  {
    const std::int64_t a = found.first[c], b = found.second[c];
    const Vec3d nn = normalized(p.at(b) - p.at(a)),
                side = cross(nn, Vec3d{ uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) });
    const double f = -std::log(uniform(1e-3, 1));
    p.contact(a, b, p.at(b), -f * nn, uniform(0, 0.5) * f * side);
  }
  for (int i = 0; i < n; i += 17)
    p.contact(i, -2, p.at(i) + Vec3d{ 0, 0, -p.radius[i] }, { 0, 0, uniform(0, 5) });
  return p;
}

// Chains by the definition of ForceChains.h, step by step and without rings.
class SlowChains
{
public:
  SlowChains(const Packing& p, double factor, double angle)
    : p_(p)
    , angle_(angle)
  {
    computeStresses();
    double sum = 0;
    for (const double load : load_)
      sum += load;
    least_load_ = factor * sum / touching_;
    findPartners();
  }

  Chains chains() const
  {
    Chains chains;
    std::set<std::int64_t> seen;
    for (std::size_t i = 0; i < partners_.size(); ++i)
      if (partners_[i].size() == 1 && !seen.count(i))
      {
        std::vector<std::int64_t> chain{ std::int64_t(i) };
        for (bool on = true; on;)
        {
          seen.insert(chain.back());
          on = false;
          for (const std::int64_t j : partners_[chain.back()])
            if (!seen.count(j) && !on)
            {
              chain.push_back(j);
              on = true;
            }
        }
        if (chain.size() >= 3)
          chains.push_back(chain);
      }
    return chains;
  }

private:
  static Eigen::Vector3d vec(const std::vector<double>& v, std::size_t i)
  {
    return { v[3 * i], v[3 * i + 1], v[3 * i + 2] };
  }

  void computeStresses()
  {
    for (std::size_t i = 0; i < p_.size(); ++i)
    {
      Eigen::Matrix3d s = Eigen::Matrix3d::Zero();
      bool touches = false;
      for (std::size_t c = 0; c < p_.first.size(); ++c)
        for (const bool second : { false, true })
          if ((second ? p_.second[c] : p_.first[c]) == std::int64_t(i))
          {
            const Eigen::Vector3d f =
              (second ? -1 : 1) * (vec(p_.normal_force, c) + vec(p_.tangential_force, c));
            s += (vec(p_.point, c) - vec(p_.position, i)) * f.transpose();
            touches = true;
          }
      s = 0.5 * (s + s.transpose()).eval() / (4. / 3 * M_PI * std::pow(p_.radius[i], 3));
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> e(s);
      load_.push_back(std::max(0., -e.eigenvalues()[0]));
      direction_.push_back(e.eigenvectors().col(0));
      touching_ += touches;
    }
  }

  bool takesPart(std::int64_t i) const { return load_[i] > least_load_; }

  // The best link of grain i to its side `up`, or -1.
  std::int64_t best(std::int64_t i, bool up) const
  {
    std::int64_t found = -1;
    double score = -1;
    for (std::size_t c = 0; c < p_.first.size(); ++c)
    {
      if (p_.second[c] < 0 || (p_.first[c] != i && p_.second[c] != i) || !takesPart(p_.first[c]) ||
        !takesPart(p_.second[c]))
        continue;
      const std::int64_t j = p_.first[c] == i ? p_.second[c] : p_.first[c];
      const Eigen::Vector3d d = (vec(p_.position, j) - vec(p_.position, i)).normalized();
      const double own = d.dot(direction_[i]), theirs = d.dot(direction_[j]);
      const double rounded = std::floor(std::fabs(own) * std::pow(2., 30) + 0.5);
      if (std::acos(std::min(1., std::fabs(own))) > angle_ ||
        std::acos(std::min(1., std::fabs(theirs))) > angle_ || (own > 0) != up)
        continue;
      if (rounded > score)
      {
        score = rounded;
        found = c;
      }
    }
    return found;
  }

  bool takes(std::int64_t i, std::size_t c) const
  {
    return takesPart(i) && (best(i, true) == std::int64_t(c) || best(i, false) == std::int64_t(c));
  }

  void findPartners()
  {
    partners_.resize(p_.size());
    for (std::size_t c = 0; c < p_.first.size(); ++c)
      if (p_.second[c] >= 0 && takes(p_.first[c], c) && takes(p_.second[c], c))
      {
        partners_[p_.first[c]].insert(p_.second[c]);
        partners_[p_.second[c]].insert(p_.first[c]);
      }
  }

  const Packing& p_;
  double angle_, least_load_ = 0;
  int touching_ = 0; // grains with contacts
  std::vector<double> load_;
  std::vector<Eigen::Vector3d> direction_;
  std::vector<std::set<std::int64_t>> partners_; // grains linked with each grain
};

} // namespace

TEST_P(AnalysisChains, RandomPackingAgainstTheDefinition)
{
  for (unsigned seed : { 1u, 2u, 3u })
  {
    const Packing p = randomPacking(700, seed);
    for (const double angle : { 45., 25. })
    {
      const dem::ForceChains found = find(p, 0.8, angle);
      Chains chains = listed(found);
      const Chains expected = SlowChains(p, 0.8, degrees(angle)).chains();
      EXPECT_GT(expected.size(), 3u) << "nothing was compared";
      // the reference leaves out rings, which come last
      while (!chains.empty() && found.ring(chains.size() - 1))
        chains.pop_back();
      EXPECT_EQ(chains, expected);
    }
  }
}

TEST_P(AnalysisChains, TheSameBitsOnAnyThreads)
{
  const Packing p = randomPacking(1500, 9);
  const dem::ForceChains a = find(p, 0.8, 45, 1), b = find(p, 0.8, 45, 4);
  EXPECT_EQ(listed(a), listed(b));
  EXPECT_TRUE(std::equal(a.stress.begin(), a.stress.end(), b.stress.begin()));
  EXPECT_TRUE(std::equal(a.direction.begin(), a.direction.end(), b.direction.begin()));
}

TEST_P(AnalysisChains, EmptyAndWrong)
{
  EXPECT_EQ(find(Packing{}).size(), 0u);
  Packing p;
  p.row({}, { 1, 0, 0 }, 4, 1);
  EXPECT_HOLDS(errorOf([&] { find(p, -1); }), "-1");
  EXPECT_HOLDS(errorOf([&] { find(p, 1, 95); }), "95");
  dem::GrainContacts bare = p.contacts();
  bare.normal_force = nullptr;
  EXPECT_HOLDS(errorOf([&] { dem::findForceChains(p.grains(), bare, {}, device()); }), "no forces");
  bare = p.contacts();
  bare.point = nullptr;
  EXPECT_HOLDS(
    errorOf([&] { dem::findForceChains(p.grains(), bare, {}, device()); }), "no contact points");
  dem::ChainOptions options;
  options.fewest_grains = 2;
  EXPECT_HOLDS(errorOf([&] { dem::findForceChains(p.grains(), p.contacts(), options, device()); }),
    "2 grains");
}

// Of three rows one stays, one bends and one ends; a fourth row begins.
TEST_P(AnalysisChains, BirthsDeathsAndBuckling)
{
  const auto record = [&](const Packing& p, double time) {
    return dem::recordChains(find(p, 0.5), time);
  };
  Packing before, after;
  before.row({ 0, 0, 0 }, { 0, 0, 1 }, 5, 1);
  before.row({ 3, 0, 0 }, { 0, 0, 1 }, 5, 1);
  before.row({ 6, 0, 0 }, { 0, 0, 1 }, 4, 1);
  before.row({ 9, 0, 0 }, { 0, 0, 1 }, 3, 0.01);
  after.row({ 0, 0, 0 }, { 0, 0, 1 }, 5, 1);
  after.row({ 3, 0, 0 }, { 0, 0, 1 }, 5, 1);
  after.row({ 6, 0, 0 }, { 0, 0, 1 }, 4, 0.01);
  after.row({ 9, 0, 0 }, { 0, 0, 1 }, 3, 1);
  for (Packing* p : { &before, &after })
    for (std::int64_t& id : p->id)
      id += 100;
  // the middle of the second row moves: it bends by 4 degrees there, by 2 at its neighbours
  after.position[3 * 7] += std::tan(degrees(2));
  const std::vector<dem::ChainEvent> events =
    dem::compareChains(record(before, 0), record(after, 1), after.grains(), degrees(3));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, dem::ChainEventKind::Birth);
  EXPECT_EQ(events[0].grain, 114);
  EXPECT_EQ(events[0].grains, 3);
  EXPECT_EQ(events[1].kind, dem::ChainEventKind::Death);
  EXPECT_EQ(events[1].grain, 110);
  EXPECT_EQ(events[1].chain, 2);
  EXPECT_EQ(events[2].kind, dem::ChainEventKind::Buckling);
  EXPECT_EQ(events[2].grain, 107);
  EXPECT_NEAR(events[2].angle, degrees(4), 1e-12);
  EXPECT_NEAR(events[2].place[0], 3, 1e-15);
  EXPECT_EQ(
    dem::compareChains(record(before, 0), record(before, 0), before.grains(), 0).size(), 0u);
  EXPECT_EQ(
    dem::compareChains(record(before, 0), record(after, 1), after.grains(), degrees(1)).size(), 5u);
}

// Two strong pieces joined by weak contacts, and a third grain with a strong wall contact.
TEST_P(AnalysisChains, ClustersOfStrongContacts)
{
  Packing p;
  const auto grain = [&](int k) { return p.grain({ double(k), 0, 0 }); };
  for (int k = 0; k < 8; ++k)
    grain(k);
  for (int k = 0; k + 1 < 8; ++k)
    p.push(k, k + 1, k == 3 || k == 6 ? 0.1 : 1); // 0 1 2 3 | 4 5 6 | 7
  p.wall(7, { -1, 0, 0 }, 2);
  const dem::StrongNetwork strong = dem::findStrongNetwork(p.grains(), p.contacts(), 1, device());
  const auto listed = [](const auto& array) {
    return std::vector<std::int64_t>(array.begin(), array.end());
  };
  using Numbers = std::vector<std::int64_t>;
  EXPECT_NEAR(strong.mean_force, 7.2 / 8, 1e-15);
  EXPECT_EQ(listed(strong.contact), (Numbers{ 0, 1, 2, 4, 5, 7 }));
  EXPECT_EQ(listed(strong.cluster), (Numbers{ 0, 0, 0, 1, 1, 2 }));
  EXPECT_EQ(listed(strong.cluster_grains), (Numbers{ 4, 4, 4, 3, 3, 1 }));
  EXPECT_EQ(listed(strong.grain), (Numbers{ 0, 0, 0, 0, 1, 1, 1, 2 }));
  EXPECT_EQ(listed(strong.id), (Numbers{ 0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 7, -1 }));
  EXPECT_EQ(strong.force[5], 2);
  EXPECT_EQ(strong.length[0], 1);
  EXPECT_EQ(strong.place[6 * 4], 5);
  EXPECT_EQ(strong.place[6 * 4 + 3], 6);
  EXPECT_EQ(dem::findStrongNetwork(p.grains(), p.contacts(), 2, device()).contact.size(), 1u);
  EXPECT_EQ(dem::findStrongNetwork(p.grains(), p.contacts(), 9, device()).contact.size(), 0u);
  EXPECT_EQ(dem::findStrongNetwork({}, {}, 1, device()).grain.size(), 0u);
  EXPECT_HOLDS(
    errorOf([&] { dem::findStrongNetwork(p.grains(), p.contacts(), -0.5, device()); }), "-0.5");
}

// Random graphs, from sparse to dense, against a walk from grain to grain.
TEST_P(AnalysisChains, ClustersOfRandomGraphs)
{
  std::mt19937 random(5);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (const std::size_t many : { 300u, 900u, 1500u })
  {
    constexpr std::size_t n = 1000;
    Packing p;
    for (std::size_t k = 0; k < n; ++k)
      p.grain({ double(k), double(k % 7), double(k % 3) });
    for (std::size_t c = 0; c < many; ++c)
    {
      const std::size_t a = below(n), b = below(n);
      if (a != b)
        p.push(static_cast<int>(std::min(a, b)), static_cast<int>(std::max(a, b)),
          1 + static_cast<double>(below(1000)) / 1000);
    }
    const dem::GrainContacts contacts = p.contacts();
    const dem::StrongNetwork strong = dem::findStrongNetwork(p.grains(), contacts, 0.95, device());
    std::vector<std::vector<std::size_t>> beside(n);
    double mean = 0;
    const auto force = [&](std::size_t c) {
      const double* f = contacts.normal_force + 3 * c;
      return std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    };
    for (std::size_t c = 0; c < contacts.size; ++c)
      mean += force(c) / static_cast<double>(contacts.size);
    std::vector<std::int64_t> kept;
    for (std::size_t c = 0; c < contacts.size; ++c)
      if (force(c) > 0.95 * mean)
      {
        kept.push_back(static_cast<std::int64_t>(c));
        beside[contacts.first[c]].push_back(contacts.second[c]);
        beside[contacts.second[c]].push_back(contacts.first[c]);
      }
    ASSERT_EQ(std::vector<std::int64_t>(strong.contact.begin(), strong.contact.end()), kept);
    std::vector<int> number(n, -1);
    std::vector<int> sizes;
    for (std::size_t k = 0; k < kept.size(); ++k)
    {
      const std::size_t start = contacts.first[kept[k]];
      if (number[start] < 0)
      {
        std::vector<std::size_t> open{ start };
        number[start] = static_cast<int>(sizes.size());
        sizes.push_back(0);
        while (!open.empty())
        {
          const std::size_t i = open.back();
          open.pop_back();
          ++sizes.back();
          for (const std::size_t j : beside[i])
            if (number[j] < 0)
            {
              number[j] = number[start];
              open.push_back(j);
            }
        }
      }
      ASSERT_EQ(strong.cluster[k], number[start]) << k << " of " << kept.size();
    }
    for (std::size_t k = 0; k < kept.size(); ++k)
      ASSERT_EQ(strong.cluster_grains[k], sizes[strong.cluster[k]]);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(strong.grain[i], number[i]) << i;
    EXPECT_GT(sizes.size(), 10u);
  }
}

PARAGRAIN_ON_ALL_BACKENDS(AnalysisChains);

// Cell averages: single grains, pairs and lattices against closed forms; a random cloud against
// plain loops.
#include "AnalysisSupport.h"
#include "AveragedFields.h"

using namespace test;

namespace
{

using Averages = AveragedFields;

Averages average(dem::CellAverage& engine, const Sample& s, const dem::CellGrid& grid,
  const dem::CellAverageOptions& options)
{
  return cellAverages(engine, s.grains(), s.contacts(), grid, options);
}

dem::CellGrid grid(const Vec3d& lower, const Vec3d& upper, int nx, int ny, int nz)
{
  const double a[3] = { lower.x, lower.y, lower.z }, b[3] = { upper.x, upper.y, upper.z };
  const int n[3] = { nx, ny, nz };
  return dem::uniformGrid(a, b, n);
}

class CellAverageOn : public DeviceTest
{
protected:
  Averages of(
    const Sample& s, const dem::CellGrid& g, dem::CellAverageOptions options = {}, int threads = 0)
  {
    dem::CellAverage engine(device(threads));
    return average(engine, s, g, options);
  }
};

} // namespace

PARAGRAIN_ON_ALL_DEVICES(CellAverageOn);

TEST_P(CellAverageOn, ASingleGrainOnACorner)
{
  Sample s;
  s.add({ 1, 1, 1 }, 0.3, 8, { 1, 2, 3 }, { 4, 5, 6 }, 1);
  dem::CellAverageOptions options;
  options.species = 2;
  const Averages a = of(s, grid({ 0, 0, 0 }, { 2, 2, 2 }, 2, 2, 2), options);
  for (std::size_t c = 0; c < 8; ++c)
  {
    EXPECT_NEAR(a["MassDensity"][c], 1, 1e-13);
    EXPECT_NEAR(a["NumberDensity"][c], 0.125, 1e-14);
    EXPECT_NEAR(a["SolidFraction"][c], 4. / 3 * M_PI * 0.027 / 8, 1e-14);
    for (int k = 0; k < 3; ++k)
    {
      EXPECT_NEAR(a["Velocity"][3 * c + k], 1 + k, 1e-13);
      EXPECT_NEAR(a["AngularVelocity"][3 * c + k], 4 + k, 1e-13);
    }
    EXPECT_NEAR(a["GranularTemperature"][c], 0, 1e-25);
    EXPECT_NEAR(a["SpeciesFraction"][2 * c], 0, 0);
    EXPECT_NEAR(a["SpeciesFraction"][2 * c + 1], 1, 1e-15);
    EXPECT_EQ(a["CoordinationNumber"][c], 0);
  }
  options.share = dem::GrainShare::Centre;
  const Averages b = of(s, grid({ 0, 0, 0 }, { 2, 2, 2 }, 2, 2, 2), options);
  for (std::size_t c = 0; c < 8; ++c)
  {
    EXPECT_EQ(b["MassDensity"][c], c == 7 ? 8 : 0); // a cell includes its lower planes
  }
}

TEST_P(CellAverageOn, TwoGrainsInOneCell)
{
  Sample s;
  s.add({ 0.25, 0.5, 0.5 }, 0.25, 1, { 1, 0, 0 }, { 0, 0, 2 });
  s.add({ 0.75, 0.5, 0.5 }, 0.25, 3, { -1, 2, 0 }, { 0, 0, -2 });
  s.touch(0, 1, { -7, 0, 0 }, { 0, 2, 0 });
  const Averages a = of(s, grid({ 0, 0, 0 }, { 1, 1, 2 }, 1, 1, 1));
  const double v = 2, ux = (1 - 3) / 4., uy = 6 / 4.;
  EXPECT_NEAR(a["MassDensity"][0], 4 / v, 1e-14);
  EXPECT_NEAR(a["Velocity"][0], ux, 1e-14);
  EXPECT_NEAR(a["Velocity"][1], uy, 1e-14);
  EXPECT_NEAR(a["AngularVelocity"][2], (2 - 6) / 4., 1e-14);
  const double xx = (1 - ux) * (1 - ux) + 3 * (-1 - ux) * (-1 - ux),
               yy = uy * uy + 3 * (2 - uy) * (2 - uy);
  const double xy = (1 - ux) * -uy + 3 * (-1 - ux) * (2 - uy);
  EXPECT_NEAR(a["GranularTemperature"][0], (xx + yy) / 12, 1e-14);
  EXPECT_NEAR(a["KineticStress"][0], -xx / v, 1e-14);
  EXPECT_NEAR(a["KineticStress"][1], -yy / v, 1e-14);
  EXPECT_NEAR(a["KineticStress"][3], -xy / v, 1e-14);
  EXPECT_NEAR(a["ContactStress"][0], -7 * 0.5 / v, 1e-14); // compression is negative
  EXPECT_NEAR(a["ContactStress"][3], 0.5 * 2 * 0.5 / v, 1e-14);
  EXPECT_NEAR(a["ContactStress"][1], 0, 1e-14);
  EXPECT_NEAR(a["CoordinationNumber"][0], 1, 1e-14);
}

TEST_P(CellAverageOn, ABranchIsSharedOutAlongItsLength)
{
  // A branch from x = 0.5 to 2.25 in cells of length 1 has fractions of length 0.5, 1 and 0.25. The
  // branch of the wall's contact ends at the wall.
  Sample s;
  s.add({ 0.5, 0.5, 0.5 }, 1, 1);
  s.add({ 2.25, 0.5, 0.5 }, 1, 1);
  s.touch(0, 1, { -4, 0, 0 });
  s.touchWall(1, 0, { 3, 0.5, 0.5 }, { -4, 0, 0 });
  const Averages a = of(s, grid({ 0, 0, 0 }, { 4, 1, 1 }, 4, 1, 1));
  const double expected[4] = { -2, -4, -1 - 3, 0 };
  for (int c = 0; c < 4; ++c)
  {
    EXPECT_NEAR(a["ContactStress"][6 * c], expected[c], 1e-13);
  }
}

TEST_P(CellAverageOn, StressOfALatticeIsTheWeightAbove)
{
  const double r = 0.01, m = 0.01, g = 9.81;
  const int nx = 6, nz = 12;
  const Sample s = latticeUnderGravity(nx, nz, r, m, g);
  const double width = 2 * r * nx, height = 2 * r * nz,
               rho = m * nx * nx * nz / (width * width * height);
  for (int cells : { nz, nz / 2, nz / 3 })
  {
    const Averages a = of(s, grid({ 0, 0, 0 }, { width, width, height }, 1, 1, cells));
    for (int c = 0; c < cells; ++c)
    {
      const double z = height * (c + 0.5) / cells, weight = rho * g * (height - z);
      EXPECT_NEAR(a["ContactStress"][6 * c + 2], -weight, 0.01 * weight);
      EXPECT_NEAR(a["MassDensity"][c], rho, 1e-10 * rho);
      EXPECT_NEAR(a["SolidFraction"][c], M_PI / 6, 1e-10);
      EXPECT_NEAR(a["ContactStress"][6 * c], 0, 1e-9 * weight);
    }
    EXPECT_NEAR(a["CoordinationNumber"][1], 2, 1e-12);
  }
}

namespace
{

/// One cell of a random sample by plain loops over all grains and contacts.
class PlainCell
{
public:
  PlainCell(const Sample& s, const Vec3d& lower, const Vec3d& upper, dem::GrainShare share)
    : s_(s)
    , lower_(lower)
    , upper_(upper)
  {
    const Vec3d h = upper - lower;
    volume = h.x * h.y * h.z;
    addGrains(share);
    addFluctuations();
    addContacts();
  }

  double volume, mass = 0, count = 0, solid = 0, contacts = 0, species[3] = { 0, 0, 0 };
  Vec3d momentum, spin; // weighed by mass
  double temperature = 0, kinetic_stress[6] = { 0, 0, 0, 0, 0, 0 };
  double force_times_branch[6] = { 0, 0, 0, 0, 0, 0 };

private:
  bool contains(const Vec3d& x) const
  {
    return x.x >= lower_.x && x.y >= lower_.y && x.z >= lower_.z && x.x < upper_.x &&
      x.y < upper_.y && x.z < upper_.z;
  }

  void addGrains(dem::GrainShare share)
  {
    std::vector<int> touching(s_.size());
    for (std::size_t k = 0; k < s_.first.size(); ++k)
    {
      ++touching[s_.first[k]];
      if (s_.second[k] >= 0)
      {
        ++touching[s_.second[k]];
      }
    }
    shares_.resize(s_.size());
    for (std::size_t i = 0; i < s_.size(); ++i)
    {
      const Vec3d x = s_.at(i);
      const double r = s_.radius[i], v = 4. / 3 * M_PI * r * r * r;
      const double f = share == dem::GrainShare::Centre
        ? contains(x)
        : overlapByRaster(r, lower_ - x, upper_ - x, 300) / v;
      shares_[i] = f;
      count += f;
      solid += f * v;
      mass += f * s_.mass[i];
      momentum += f * s_.mass[i] * s_.at(s_.velocity, i);
      spin += f * s_.mass[i] * s_.at(s_.angular_velocity, i);
      contacts += f * touching[i];
      species[s_.material[i]] += f * v;
    }
  }

  void addFluctuations()
  {
    const Vec3d u = (1 / mass) * momentum;
    for (std::size_t i = 0; i < s_.size(); ++i)
    {
      const Vec3d d = s_.at(s_.velocity, i) - u;
      const double m = shares_[i] * s_.mass[i];
      temperature += m * dot(d, d) / mass / 3;
      const double parts[6] = { d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.y * d.z, d.x * d.z };
      for (int k = 0; k < 6; ++k)
      {
        kinetic_stress[k] -= m * parts[k] / volume;
      }
    }
  }

  /// Divides each branch into many short pieces.
  void addContacts()
  {
    constexpr int pieces = 4000;
    for (std::size_t k = 0; k < s_.first.size(); ++k)
    {
      const Vec3d from = s_.at(s_.first_place, k), l = s_.at(s_.second_place, k) - from;
      int in = 0;
      for (int q = 0; q < pieces; ++q)
      {
        in += contains(from + ((q + 0.5) / pieces) * l);
      }
      const Vec3d f = s_.at(s_.normal_force, k) + s_.at(s_.tangential_force, k);
      const double w = in / double(pieces);
      const double parts[6] = { f.x * l.x, f.y * l.y, f.z * l.z, (f.x * l.y + f.y * l.x) / 2,
        (f.y * l.z + f.z * l.y) / 2, (f.x * l.z + f.z * l.x) / 2 };
      for (int j = 0; j < 6; ++j)
      {
        force_times_branch[j] += w * parts[j];
      }
    }
  }

  const Sample& s_;
  Vec3d lower_, upper_;
  std::vector<double> shares_;
};

/// Compares cell c. `eps`: error of a grain's share.
void expectPlainCell(const Averages& a, int c, const PlainCell& cell, double eps)
{
  EXPECT_NEAR(a["NumberDensity"][c] * cell.volume, cell.count, eps * 5);
  EXPECT_NEAR(a["MassDensity"][c] * cell.volume, cell.mass, eps * 8);
  EXPECT_NEAR(a["SolidFraction"][c] * cell.volume, cell.solid, eps * 0.01);
  if (cell.count < 0.02)
  {
    return; // the quotients of two small sums of the raster are inexact
  }
  const double e = 10 * eps / cell.count;
  EXPECT_NEAR(a["GranularTemperature"][c], cell.temperature, 10 * e);
  EXPECT_NEAR(a["CoordinationNumber"][c], cell.contacts / cell.count, 5 * e);
  for (int k = 0; k < 3; ++k)
  {
    EXPECT_NEAR(a["Velocity"][3 * c + k], (1 / cell.mass) * cell.momentum[k], 8 * e);
    EXPECT_NEAR(a["AngularVelocity"][3 * c + k], (1 / cell.mass) * cell.spin[k], 20 * e);
    EXPECT_NEAR(a["SpeciesFraction"][3 * c + k], cell.species[k] / cell.solid, 5 * e);
  }
  for (int k = 0; k < 6; ++k)
  {
    EXPECT_NEAR(
      a["KineticStress"][6 * c + k] * cell.volume, cell.kinetic_stress[k] * cell.volume, 100 * eps);
    EXPECT_NEAR(a["ContactStress"][6 * c + k] * cell.volume, cell.force_times_branch[k], 0.01);
  }
}

} // namespace

TEST_P(CellAverageOn, AgreesWithPlainLoops)
{
  const Sample s = randomSample(40, 0.03, 0.12, 11);
  const int nx = 3, ny = 4, nz = 5;
  const Vec3d lower{ -0.05, 0.1, 0 }, upper{ 0.9, 1.2, 0.8 }; // some grains lie outside
  const Vec3d h{ (upper.x - lower.x) / nx, (upper.y - lower.y) / ny, (upper.z - lower.z) / nz };
  dem::CellAverageOptions options;
  options.species = 3;
  for (const dem::GrainShare share : { dem::GrainShare::Overlap, dem::GrainShare::Centre })
  {
    options.share = share;
    const Averages a = of(s, grid(lower, upper, nx, ny, nz), options);
    const double eps = share == dem::GrainShare::Centre ? 1e-12 : 3e-4; // of the raster
    for (int c = 0; c < nx * ny * nz; ++c)
    {
      const Vec3d low{ lower.x + (c % nx) * h.x, lower.y + (c / nx % ny) * h.y,
        lower.z + (c / nx / ny) * h.z };
      expectPlainCell(a, c, PlainCell(s, low, low + h, share), eps);
    }
  }
}

TEST_P(CellAverageOn, NothingIsLost)
{
  const Sample s = randomSample(3000, 0.004, 0.06, 5);
  for (const bool periodic : { false, true })
  {
    for (const dem::GrainShare share : { dem::GrainShare::Overlap, dem::GrainShare::Centre })
    {
      dem::CellAverageOptions options;
      options.species = 3;
      options.share = share;
      // periodic: the period is smaller than the cloud, and the planes along x have unequal
      // distances
      dem::CellGrid g = periodic ? grid({ 0.2, 0.3, 0.1 }, { 0.9, 0.8, 0.7 }, 9, 2, 1)
                                 : grid({ -0.1, -0.1, -0.1 }, { 1.1, 1.1, 1.1 }, 17, 16, 15);
      if (periodic)
      {
        g.periodic = { true, true, true };
        g.edges[0] = { 0.2, 0.21, 0.4, 0.75, 0.9 };
      }
      const Averages a = of(s, g, options);
      double mass = 0, momentum[3] = { 0, 0, 0 }, stress[6] = { 0, 0, 0, 0, 0, 0 }, solid = 0;
      for (std::size_t c = 0; c < g.cells(); ++c)
      {
        const std::size_t nx = g.edges[0].size() - 1, ny = g.edges[1].size() - 1;
        const std::size_t at[3] = { c % nx, c / nx % ny, c / nx / ny };
        double v = 1;
        for (int k = 0; k < 3; ++k)
        {
          v *= g.edges[k][at[k] + 1] - g.edges[k][at[k]];
        }
        mass += v * a["MassDensity"][c];
        solid += v * a["SolidFraction"][c];
        for (int k = 0; k < 3; ++k)
        {
          momentum[k] += v * a["MassDensity"][c] * a["Velocity"][3 * c + k];
        }
        for (int k = 0; k < 6; ++k)
        {
          stress[k] += v * a["ContactStress"][6 * c + k];
        }
      }
      double expected = 0, expected_solid = 0, love = 0, love_size = 0;
      Vec3d p;
      for (std::size_t i = 0; i < s.size(); ++i)
      {
        expected += s.mass[i];
        expected_solid += 4. / 3 * M_PI * std::pow(s.radius[i], 3);
        p += s.mass[i] * s.at(s.velocity, i);
      }
      for (std::size_t k = 0; k < s.first.size(); ++k)
      {
        const double part = (s.normal_force[3 * k] + s.tangential_force[3 * k]) *
          (s.second_place[3 * k] - s.first_place[3 * k]);
        love += part;
        love_size += std::abs(part);
      }
      EXPECT_NEAR(mass, expected, 1e-13 * expected);
      EXPECT_NEAR(solid, expected_solid, 1e-13 * expected_solid);
      EXPECT_NEAR(stress[0], love, 1e-13 * love_size);
      for (int k = 0; k < 3; ++k)
      {
        EXPECT_NEAR(momentum[k], p[k], 1e-12 * std::abs(p.x));
      }
    }
  }
}

TEST_P(CellAverageOn, APeriodicGridSeesTheImages)
{
  // The part of a grain beyond the border counts at the other end.
  Sample s;
  s.add({ 0.02, 0.5, 0.5 }, 0.1, 1);
  dem::CellGrid g = grid({ 0, 0, 0 }, { 1, 1, 1 }, 4, 1, 1);
  g.periodic = { true, false, false };
  const Averages a = of(s, g);
  const double h = 0.12, cap = M_PI * h * h * (0.3 - h) / 3, all = 4. / 3 * M_PI * 1e-3;
  EXPECT_NEAR(a["NumberDensity"][0], 4 * cap / all, 1e-12);
  EXPECT_NEAR(a["NumberDensity"][3], 4 * (1 - cap / all), 1e-12);
  EXPECT_EQ(a["NumberDensity"][1], 0);
}

TEST_P(CellAverageOn, TheSameBits)
{
  Sample s = randomSample(2000, 0.01, 0.05, 6);
  const dem::CellGrid g = grid({ 0, 0, 0 }, { 1, 1, 1 }, 10, 11, 12);
  dem::CellAverageOptions options;
  options.species = 3;
  const Averages a = of(s, g, options, 1);
  const Averages b = of(s, g, options, 2);
  for (std::size_t k = 0; k < a.values.size(); ++k)
  {
    EXPECT_EQ(a.values[k], b.values[k]) << a.info[k].name;
  }
  // the same grains in another order: sums run in ascending Id
  std::vector<std::size_t> order(s.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(1);
  std::shuffle(order.begin(), order.end(), random);
  Sample t;
  std::vector<std::int64_t> place(s.size());
  for (std::size_t i : order)
  {
    place[i] = static_cast<std::int64_t>(t.size());
    t.add(s.at(s.position, i), s.radius[i], s.mass[i], s.at(s.velocity, i),
      s.at(s.angular_velocity, i), s.material[i]);
    t.id.back() = static_cast<std::int64_t>(i) - 1000; // including negative Ids
  }
  for (std::size_t k = 0; k < s.first.size(); ++k)
  {
    const Vec3d f = s.at(s.normal_force, k), q = s.at(s.tangential_force, k);
    if (s.second[k] >= 0)
    {
      t.touch(place[s.first[k]], place[s.second[k]], f, q);
    }
    else
    {
      t.touchWall(
        place[s.first[k]], static_cast<int>(-1 - s.second[k]), s.at(s.second_place, k), f);
    }
  }
  const Averages c = of(t, g, options);
  for (std::size_t k = 0; k < a.values.size(); ++k)
  {
    EXPECT_EQ(a.values[k], c.values[k]) << a.info[k].name;
  }
  dem::CellAverage cpu(dem::chooseDevice(dem::DeviceKind::CPU));
  const Averages d = average(cpu, s, g, options);
  for (std::size_t k = 0; k < a.values.size(); ++k)
  {
    for (std::size_t i = 0; i < a.values[k].size(); ++i)
    {
      ASSERT_NEAR(a.values[k][i], d.values[k][i], 1e-11 * (1 + std::abs(d.values[k][i])))
        << a.info[k].name;
    }
  }
}

// A cell whose grains and contacts are divided into parts, and a cell with few grains, against
// plain sums.
TEST_P(CellAverageOn, ManyInOneCell)
{
  Sample s = randomSample(3000, 0.002, 0.004, 11);
  for (int i = 0; i < 40; ++i)
  {
    s.position[3 * i] += 1; // to the other cell
  }
  s.first.clear();
  s.second.clear();
  s.first_place.clear();
  s.second_place.clear();
  s.point.clear();
  s.normal_force.clear();
  s.tangential_force.clear();
  std::mt19937 random(4);
  for (int k = 0; k < 4000; ++k)
  {
    const int a = static_cast<int>(random() % 2960) + 40,
              b = static_cast<int>(random() % 2960) + 40;
    s.touch(a, b, { std::sin(k), std::cos(k), 0.5 }, { 0.1, 0, std::sin(2 * k) });
  }
  dem::CellAverageOptions options;
  options.share = dem::GrainShare::Centre;
  options.species = 3;
  const dem::CellGrid g = grid({ 0, 0, 0 }, { 2, 1, 1 }, 2, 1, 1);
  const Averages a = of(s, g, options);
  for (int cell = 0; cell < 2; ++cell)
  {
    const int begin = cell == 1 ? 0 : 40, end = cell == 1 ? 40 : 3000;
    long double mass = 0, solid = 0, momentum[3] = { 0, 0, 0 }, of_species[3] = { 0, 0, 0 },
                square = 0, stress = 0;
    for (int i = begin; i < end; ++i)
    {
      const long double volume =
        4. / 3 * M_PIl * std::pow(static_cast<long double>(s.radius[i]), 3);
      mass += s.mass[i];
      solid += volume;
      of_species[s.material[i]] += volume;
      for (int k = 0; k < 3; ++k)
      {
        momentum[k] += static_cast<long double>(s.mass[i]) * s.velocity[3 * i + k];
      }
    }
    for (int i = begin; i < end; ++i)
    {
      for (int k = 0; k < 3; ++k)
      {
        const long double d = s.velocity[3 * i + k] - momentum[k] / mass;
        square += s.mass[i] * d * d;
      }
    }
    for (std::size_t c = 0; cell == 0 && c < s.first.size(); ++c)
    {
      stress += (static_cast<long double>(s.normal_force[3 * c]) + s.tangential_force[3 * c]) *
        (s.second_place[3 * c] - s.first_place[3 * c]);
    }
    EXPECT_NEAR(a["MassDensity"][cell], static_cast<double>(mass), 1e-12 * mass);
    EXPECT_NEAR(a["NumberDensity"][cell], end - begin, 1e-9);
    EXPECT_NEAR(a["SolidFraction"][cell], static_cast<double>(solid), 1e-12 * solid);
    for (int k = 0; k < 3; ++k)
    {
      EXPECT_NEAR(a["Velocity"][3 * cell + k], static_cast<double>(momentum[k] / mass), 1e-12);
      EXPECT_NEAR(
        a["SpeciesFraction"][3 * cell + k], static_cast<double>(of_species[k] / solid), 1e-12);
    }
    EXPECT_NEAR(a["GranularTemperature"][cell], static_cast<double>(square / (3 * mass)), 1e-11);
    EXPECT_NEAR(a["ContactStress"][6 * cell], static_cast<double>(stress), 1e-10);
  }
  const Averages one = of(s, g, options, 1);
  for (std::size_t k = 0; k < a.values.size(); ++k)
  {
    EXPECT_EQ(a.values[k], one.values[k]) << a.info[k].name;
  }
}

TEST_P(CellAverageOn, NoGrainsGiveZeros)
{
  const Sample s;
  const Averages a = of(s, grid({ 0, 0, 0 }, { 1, 1, 1 }, 3, 3, 3));
  for (const auto& values : a.values)
  {
    for (double v : values)
    {
      EXPECT_EQ(v, 0);
    }
  }
}

TEST_P(CellAverageOn, UnwantedFieldsAreLeftOut)
{
  const Sample s = randomSample(50, 0.05, 0.1, 3);
  const dem::CellGrid g = grid({ 0, 0, 0 }, { 1, 1, 1 }, 3, 3, 3);
  dem::CellAverageOptions options;
  options.species = 3;
  const Averages all = of(s, g, options);
  std::vector<double> stress(6 * 27), velocity(3 * 27);
  dem::CellAverageFields fields;
  fields.contact_stress = stress.data();
  fields.velocity = velocity.data();
  dem::CellAverage engine(device());
  const dem::GrainContacts contacts = s.contacts();
  engine.compute(s.grains(), &contacts, g, options, fields);
  EXPECT_EQ(stress, all["ContactStress"]);
  EXPECT_EQ(velocity, all["Velocity"]);
}

TEST_P(CellAverageOn, BadInputIsNamed)
{
  const auto error = [&](
                       const auto& change, dem::CellGrid g, dem::CellAverageOptions options = {}) {
    Sample s = randomSample(10, 0.05, 0.1, 3);
    options.species = 3;
    change(s);
    return ::errorOf([&] { of(s, g, options); });
  };
  const dem::CellGrid g = grid({ 0, 0, 0 }, { 1, 1, 1 }, 2, 2, 2);
  const auto none = [](Sample&) {};
  EXPECT_HOLDS(error([](Sample& s) { s.position[4] = NAN; }, g), "position of grain 1");
  EXPECT_HOLDS(error([](Sample& s) { s.radius[2] = 0; }, g), "radius of grain 2");
  EXPECT_HOLDS(error([](Sample& s) { s.normal_force[7] = NAN; }, g), "normal force of contact 2");
  EXPECT_HOLDS(error([](Sample& s) { s.second[3] = 10; }, g), "Contact 3");
  EXPECT_HOLDS(error([](Sample& s) { s.material[5] = 3; }, g), "material 3");
  dem::CellGrid plane = g;
  plane.edges[2] = { 0.5 };
  EXPECT_HOLDS(error(none, plane), "no cells along z");
  plane.edges[2] = { 0.5, 0.5 };
  EXPECT_HOLDS(error(none, plane), "must ascend");
  dem::CellAverageOptions options;
  options.memory_limit = 1e6;
  const std::string text = error(none, grid({ 0, 0, 0 }, { 1, 1, 1 }, 100, 100, 100), options);
  EXPECT_HOLDS(text, "100 x 100 x 100");
  EXPECT_HOLDS(text, "MiB");
  // the grid fits into the limit, the entries of grains do not
  options.memory_limit = dem::CellAverage::bytes(64000, 3) + 5e4;
  EXPECT_HOLDS(
    error(none, grid({ 0, 0, 0 }, { 1, 1, 1 }, 40, 40, 40), options), "entries of grains");
}

// Constitutive models on host and device: Kirchhoff stress, return mapping and energy. For elastic
// kinds also the derivatives of the energy by the singular values, from which the first
// Piola-Kirchhoff stress and its differential follow. Stresses are in Pa, energies are per volume
// at rest. F is the elastic part of the deformation gradient.
//
// Isotropic stresses need only the left vectors and the singular values of F = U diag(s) V^T: tau =
// P F^T = U diag(s_i dpsi/ds_i) U^T.
#pragma once

#include "MaterialPoint/PlasticReturn.cuh"

namespace mpm
{

/// The first Piola-Kirchhoff stress of LinearElastic: 2 mu e + lambda tr(e), e = sym(F) - 1 (Meyer
/// 2019, eq. 36 and 38).
template <class T>
DEM_HD Matrix3<T> linearStress(const MaterialParameters<T>& m, const Matrix3<T>& f)
{
  const T xx = f.c[0].x - 1, yy = f.c[1].y - 1, zz = f.c[2].z - 1,
          xy = m.mu * (f.c[0].y + f.c[1].x), yz = m.mu * (f.c[1].z + f.c[2].y),
          xz = m.mu * (f.c[0].z + f.c[2].x), volume = m.lambda * (xx + yy + zz), n = 2 * m.mu;
  return { { { n * xx + volume, xy, xz }, { xy, n * yy + volume, yz },
    { xz, yz, n * zz + volume } } };
}

/// Energy per volume at rest of LinearElastic (Meyer 2019, eq. 37).
template <class T>
DEM_HD double linearEnergy(const MaterialParameters<T>& m, const Matrix3<T>& f)
{
  const T xx = f.c[0].x - 1, yy = f.c[1].y - 1, zz = f.c[2].z - 1, xy = f.c[0].y + f.c[1].x,
          yz = f.c[1].z + f.c[2].y, xz = f.c[0].z + f.c[2].x, volume = xx + yy + zz;
  return static_cast<double>(
    m.mu * (xx * xx + yy * yy + zz * zz + (xy * xy + yz * yz + xz * xz) / 2) +
    m.lambda / 2 * volume * volume);
}

namespace detail
{
template <class T>
DEM_HD Vec3<T> mapLog(const Vec3<T>& s)
{
  using std::log;
  return { log(s.x), log(s.y), log(s.z) };
}
template <class T>
DEM_HD Vec3<T> mapExp(const Vec3<T>& s)
{
  using std::exp;
  return { exp(s.x), exp(s.y), exp(s.z) };
}
template <class T>
DEM_HD T greatest(T a, T b)
{
  return a > b ? a : b;
}

/// The rotation next to F by Newton's iteration R <- (R + R^-T) / 2 (Higham 1986, SIAM J. Sci.
/// Stat. Comput. 7, 1160). It takes three or four rounds for moderate strains. Returns false if it
/// does not converge.
template <class T>
DEM_HD bool nearRotation(const Matrix3<T>& f, T j, Matrix3<T>& r)
{
  constexpr T kEnough =
    sizeof(T) == 4 ? T(1e-7) : T(1e-15); // the next round would change r by half of this
  if (!(j > T(0.1) && j < T(10)))
    return false;
  r = f;
  for (int round = 0; round < 6; ++round)
  {
    const Matrix3<T> c = cofactor(r);
    const T half = T(0.5) / dot(r.c[0], c.c[0]);
    T change = 0;
    for (int k = 0; k < 3; ++k)
    {
      const Vec3<T> next = multiplyAdd(half, c.c[k], T(0.5) * r.c[k]), d = next - r.c[k];
      change = change + dot(d, d);
      r.c[k] = next;
    }
    if (change < kEnough)
      return true;
  }
  return false;
}

/// An upper bound of the greatest eigenvalue, at most 0.08 of the deviator's norm above it: m + 2 p
/// x with 4 x^3 - 3 x = det(dev) / (2 p^3), by Newton's method from x = 1, which approaches the
/// root from above.
template <class T>
DEM_HD T greatestEigenvalue(const Symmetric3<T>& b)
{
  using std::sqrt;
  const T m = (b.xx + b.yy + b.zz) / 3, x = b.xx - m, y = b.yy - m, z = b.zz - m;
  const T p = sqrt((x * x + y * y + z * z + 2 * (b.xy * b.xy + b.yz * b.yz + b.xz * b.xz)) / 6);
  if (!(p > T(1e-6) * m))
    return m + 2 * p;
  const T q = 1 / p, u = q * x, v = q * y, w = q * z, xy = q * b.xy, yz = q * b.yz, xz = q * b.xz;
  const T r = (u * (v * w - yz * yz) - xy * (xy * w - yz * xz) + xz * (xy * yz - v * xz)) / 2;
  T c = 1;
  for (int k = 0; k < 4; ++k)
  {
    const T c2 = c * c, slope = 12 * c2 - 3;
    c = c - (slope > T(1e-3) ? (c * (4 * c2 - 3) - r) / slope : T(0));
  }
  return m + 2 * p * (c < 1 ? c : T(1));
}

} // namespace detail

/// The response of a point to its deformation.
template <class T>
struct PointStress
{
  Symmetric3<T> tau; ///< Kirchhoff, Pa
  T stiffness;       ///< Pa: density at rest times the squared speed of the fastest wave in space
  bool good; ///< false: the point is not finite, or inverted while its kind allows no inversion
};

namespace detail
{
// The kinds of material, one function each. They are parts of respond().

/// p = K / gamma (J^-gamma - 1) (Cole 1948; Tampubolon et al. 2017, eq. 7), tau = -J p + J 2 eta
/// dev(sym L).
template <class T>
DEM_HD void respondFluid(const MaterialParameters<T>& m, const Matrix3<T>& velocity_gradient,
  const Matrix3<T>& f, PointStress<T>& out)
{
  using std::pow;
  const T j = f.c[0].x;
  out.good = j > 0 && j < T(1e30);
  if (!out.good)
    return;
  const T power = pow(j, -m.gamma);
  const T pressure = m.bulk / m.gamma * (power - 1);
  const Matrix3<T>& l = velocity_gradient;
  const T eta = j * m.viscosity, mean = T(2) / 3 * trace(l), p = -j * pressure;
  out.tau = { p + eta * (2 * l.c[0].x - mean), p + eta * (2 * l.c[1].y - mean),
    p + eta * (2 * l.c[2].z - mean), eta * (l.c[0].y + l.c[1].x), eta * (l.c[1].z + l.c[2].y),
    eta * (l.c[0].z + l.c[2].x) };
  out.stiffness = m.bulk * power * j;
}

/// tau = mu (F F^T - 1) + lambda ln J (Bonet and Wood 2008, eq. 6.28-6.29).
template <class T>
DEM_HD void respondNeoHookean(
  const MaterialParameters<T>& m, const Matrix3<T>& f, PointStress<T>& out)
{
  using std::log;
  const T j = determinant(f);
  out.good = j > 0 && j < T(1e30);
  if (!out.good)
    return;
  const T volume = m.lambda * log(j) - m.mu;
  const Vec3<T> x{ f.c[0].x, f.c[1].x, f.c[2].x }, y{ f.c[0].y, f.c[1].y, f.c[2].y },
    z{ f.c[0].z, f.c[1].z, f.c[2].z };
  const T xx = dot(x, x), yy = dot(y, y), zz = dot(z, z);
  out.tau = { m.mu * xx + volume, m.mu * yy + volume, m.mu * zz + volume, m.mu * dot(x, y),
    m.mu * dot(y, z), m.mu * dot(x, z) };
  out.stiffness = m.mu * (xx + yy + zz) + 2 * m.mu + m.lambda - m.lambda * log(j);
}

/// b = F F^T.
template <class T>
DEM_HD Symmetric3<T> leftCauchyGreen(const Matrix3<T>& f)
{
  const Vec3<T> x{ f.c[0].x, f.c[1].x, f.c[2].x }, y{ f.c[0].y, f.c[1].y, f.c[2].y },
    z{ f.c[0].z, f.c[1].z, f.c[2].z };
  return { dot(x, x), dot(y, y), dot(z, z), dot(x, y), dot(y, z), dot(x, z) };
}

/// The symmetric part of P F^T with P of linearStress().
template <class T>
DEM_HD void respondLinear(const MaterialParameters<T>& m, const Matrix3<T>& f, PointStress<T>& out)
{
  const Matrix3<T> t = timesTransposed(linearStress(m, f), f);
  out.tau = { t.c[0].x, t.c[1].y, t.c[2].z, (t.c[0].y + t.c[1].x) / 2, (t.c[1].z + t.c[2].y) / 2,
    (t.c[0].z + t.c[2].x) / 2 };
  const T s2 = greatestEigenvalue(leftCauchyGreen(f));
  out.stiffness = (m.lambda + 2 * m.mu) * s2;
  out.good = s2 < T(1e30);
}

/// tau = F S F^T with S = 2 mu E + lambda tr(E), E = (F^T F - 1) / 2, so tau = b (mu (b - 1) +
/// lambda tr(E)) with b = F F^T.
template <class T>
DEM_HD void respondStVenantKirchhoff(
  const MaterialParameters<T>& m, const Matrix3<T>& f, PointStress<T>& out)
{
  const T j = determinant(f);
  const Symmetric3<T> b = leftCauchyGreen(f);
  const T volume = m.lambda / 2 * ((b.xx - 1) + (b.yy - 1) + (b.zz - 1));
  const Symmetric3<T> s{ m.mu * (b.xx - 1) + volume, m.mu * (b.yy - 1) + volume,
    m.mu * (b.zz - 1) + volume, m.mu * b.xy, m.mu * b.yz, m.mu * b.xz };
  out.tau = { b.xx * s.xx + b.xy * s.xy + b.xz * s.xz, b.xy * s.xy + b.yy * s.yy + b.yz * s.yz,
    b.xz * s.xz + b.yz * s.yz + b.zz * s.zz, b.xx * s.xy + b.xy * s.yy + b.xz * s.yz,
    b.xy * s.xz + b.yy * s.yz + b.yz * s.zz, b.xx * s.xz + b.xy * s.yz + b.xz * s.zz };
  const T s2 = greatestEigenvalue(b), tension = m.mu * (s2 - 1) + volume;
  out.stiffness = ((m.lambda + 2 * m.mu) * s2 + greatest(T(0), tension)) * s2;
  out.good = j > 0 && s2 < T(1e15);
}

/// The corotated kinds by the rotation r next to F, without singular values: tau = 2 mu (F - R) F^T
/// + ...
template <class T>
DEM_HD void respondRotated(const MaterialParameters<T>& m, const Matrix3<T>& f, T j,
  const Matrix3<T>& r, PointStress<T>& out)
{
  const Matrix3<T> ft = transpose(f), rt = transpose(r);
  Vec3<T> d[3];
  for (int k = 0; k < 3; ++k)
    d[k] = (2 * m.mu) * (ft.c[k] - rt.c[k]);
  out.tau = { dot(d[0], ft.c[0]), dot(d[1], ft.c[1]), dot(d[2], ft.c[2]), dot(d[0], ft.c[1]),
    dot(d[1], ft.c[2]), dot(d[0], ft.c[2]) };
  const T s2 =
    detail::greatestEigenvalue(Symmetric3<T>{ dot(ft.c[0], ft.c[0]), dot(ft.c[1], ft.c[1]),
      dot(ft.c[2], ft.c[2]), dot(ft.c[0], ft.c[1]), dot(ft.c[1], ft.c[2]), dot(ft.c[0], ft.c[2]) });
  if (m.kind == MaterialKind::FixedCorotated)
  {
    const T volume = m.lambda * (j - 1) * j;
    out.tau.xx = out.tau.xx + volume;
    out.tau.yy = out.tau.yy + volume;
    out.tau.zz = out.tau.zz + volume;
    out.stiffness = 2 * m.mu * s2 + m.lambda * j * j;
  }
  else
  {
    const T volume = m.lambda * (inner(r, f) - 3);
    out.tau = { multiplyAdd(volume, dot(rt.c[0], ft.c[0]), out.tau.xx),
      multiplyAdd(volume, dot(rt.c[1], ft.c[1]), out.tau.yy),
      multiplyAdd(volume, dot(rt.c[2], ft.c[2]), out.tau.zz),
      multiplyAdd(volume, dot(rt.c[0], ft.c[1]), out.tau.xy),
      multiplyAdd(volume, dot(rt.c[1], ft.c[2]), out.tau.yz),
      multiplyAdd(volume, dot(rt.c[0], ft.c[2]), out.tau.xz) };
    out.stiffness = (2 * m.mu + m.lambda) * s2;
  }
}

/// Corotated, by the singular values s of F: the principal stresses.
template <class T>
DEM_HD void respondCorotated(
  const MaterialParameters<T>& m, const Vec3<T>& s, Vec3<T>& principal, PointStress<T>& out)
{
  const T volume = m.lambda * (s.x + s.y + s.z - 3);
  principal = { (2 * m.mu * (s.x - 1) + volume) * s.x, (2 * m.mu * (s.y - 1) + volume) * s.y,
    (2 * m.mu * (s.z - 1) + volume) * s.z };
  out.stiffness = (2 * m.mu + m.lambda) * s.x * s.x;
  out.good = s.x < T(1e15);
}

/// Fixed corotated, by the singular values s of F: the principal stresses.
template <class T>
DEM_HD void respondFixedCorotated(
  const MaterialParameters<T>& m, const Vec3<T>& s, Vec3<T>& principal, PointStress<T>& out)
{
  const T j = s.x * s.y * s.z, volume = m.lambda * (j - 1) * j;
  principal = { 2 * m.mu * (s.x - 1) * s.x + volume, 2 * m.mu * (s.y - 1) * s.y + volume,
    2 * m.mu * (s.z - 1) * s.z + volume };
  out.stiffness = 2 * m.mu * s.x * s.x + m.lambda * j * j;
  out.good = s.x < T(1e10);
}

/// The plastic kinds by F = U diag(s) V^T, which is returned to the yield surface: the principal
/// stresses. False if the point is inverted or not finite.
template <class T>
DEM_HD bool respondPlastic(const MaterialParameters<T>& m, const Svd3<T>& d, Matrix3<T>& f,
  T& plastic, T dt, T flowed, Vec3<T>& principal, PointStress<T>& out)
{
  const Vec3<T>& s = d.s;
  out.good = s.z > 0 && s.x < T(1e10);
  if (!out.good)
    return false;
  Vec3<T> strain = mapLog(s), elastic;
  bool flows;
  if (m.kind == MaterialKind::DruckerPrager)
    flows = returnSand(m, dt, strain, elastic, plastic, flowed);
  else
  {
    flows = returnVonMises(m, strain, plastic);
    elastic = strain;
  }
  if (flows)
  {
    // F = U S' V^T = U S' S^-1 U^T F
    const Vec3<T> e = mapExp(strain);
    f = turned(d.u, Vec3<T>{ e.x / s.x, e.y / s.y, e.z / s.z }).full() * f;
  }
  const T volume = m.lambda * (elastic.x + elastic.y + elastic.z);
  principal = { 2 * m.mu * elastic.x + volume, 2 * m.mu * elastic.y + volume,
    2 * m.mu * elastic.z + volume };
  const T low = -principal.z, high = principal.x;
  out.stiffness = m.lambda + 2 * m.mu + 2 * greatest(T(0), greatest(low, high));
  return true;
}
} // namespace detail

/// Kirchhoff stress of F. Plastic kinds first return F to the yield surface, after a step of dt (0:
/// at rest; `flowed` as in returnSand), and add to the plastic strain. A fluid keeps J in F(0, 0)
/// and ones in the rest of the diagonal.
template <class T>
DEM_HD PointStress<T> respond(const MaterialParameters<T>& m, const Matrix3<T>& velocity_gradient,
  Matrix3<T>& f, T& plastic, T dt = 0, T flowed = 0)
{
  PointStress<T> out;
  out.good = true;
  if (m.kind == MaterialKind::Fluid)
  {
    detail::respondFluid(m, velocity_gradient, f, out);
    return out;
  }
  if (m.kind == MaterialKind::NeoHookean)
  {
    detail::respondNeoHookean(m, f, out);
    return out;
  }
  if (m.kind == MaterialKind::LinearElastic)
  {
    detail::respondLinear(m, f, out);
    return out;
  }
  if (m.kind == MaterialKind::StVenantKirchhoff)
  {
    detail::respondStVenantKirchhoff(m, f, out);
    return out;
  }
  if (m.kind == MaterialKind::Corotated || m.kind == MaterialKind::FixedCorotated)
  {
    const T j = determinant(f);
    Matrix3<T> r;
    if (detail::nearRotation(f, j, r))
    {
      detail::respondRotated(m, f, j, r, out);
      return out;
    }
  }
  const Svd3<T> d = leftDecomposition(f);
  Vec3<T> principal;
  if (m.kind == MaterialKind::Corotated)
    detail::respondCorotated(m, d.s, principal, out);
  else if (m.kind == MaterialKind::FixedCorotated)
    detail::respondFixedCorotated(m, d.s, principal, out);
  else if (!detail::respondPlastic(m, d, f, plastic, dt, flowed, principal, out))
    return out;
  out.tau = turned(d.u, principal);
  return out;
}

/// Energy per volume at rest of the kinds that depend on singular values only.
template <class T>
DEM_HD double stretchEnergy(const MaterialParameters<T>& m, const Vec3<T>& s)
{
  Vec3<T> e{ s.x - 1, s.y - 1, s.z - 1 };
  T volume = e.x + e.y + e.z;
  if (m.kind == MaterialKind::FixedCorotated)
    volume = s.x * s.y * s.z - 1;
  else if (m.kind == MaterialKind::StVenantKirchhoff)
  {
    e = { e.x * (s.x + 1) / 2, e.y * (s.y + 1) / 2, e.z * (s.z + 1) / 2 }; // Green's strain
    volume = e.x + e.y + e.z;
  }
  else if (m.kind != MaterialKind::Corotated)
  {
    e = detail::mapLog(s);
    volume = e.x + e.y + e.z;
    if (m.kind == MaterialKind::DruckerPrager &&
      volume > m.tip) // expanded sand has the stress of the tip
    {
      e = { m.tip / 3, m.tip / 3, m.tip / 3 };
      volume = m.tip;
    }
  }
  return m.mu * dot(e, e) + m.lambda / 2 * volume * volume;
}

/// Energy per volume at rest. Differences of large numbers are computed in double precision.
template <class T>
DEM_HD double energyDensity(const MaterialParameters<T>& m, const Matrix3<T>& f)
{
  using std::log;
  using std::pow;
  if (m.kind == MaterialKind::Fluid)
  {
    const double j = f.c[0].x, bulk = m.bulk, gamma = m.gamma;
    if (gamma == 1)
      return bulk * (j - 1 - log(j));
    return bulk / gamma * (pow(j, 1 - gamma) / (gamma - 1) + j - gamma / (gamma - 1));
  }
  if (m.kind == MaterialKind::NeoHookean)
  {
    const Matrix3<double> g = f.template as<double>();
    const double l = log(determinant(g)), mu = m.mu, lambda = m.lambda;
    return mu / 2 * (inner(g, g) - 3) - mu * l + lambda / 2 * l * l;
  }
  if (m.kind == MaterialKind::LinearElastic)
    return linearEnergy(m, f);
  return stretchEnergy(m, leftDecomposition(f).s);
}

/// The first derivatives of psi by the singular values s of F = U diag(s) V^T, and its second
/// derivatives in those axes: for a change E = U^T dF V the stress changes by U X V^T, X_ii = sum_j
/// normal_ij E_jj, X_ij = same E_ij + other E_ji (Stomakhin et al. 2012, Energetically consistent
/// invertible elasticity, section 4 and its technical document). The quotients that are 0 / 0 at
/// equal s do not occur.
template <class T>
struct PrincipalTangent
{
  Vec3<T> first;
  Symmetric3<T> normal;
  Vec3<T> same, other; // of the pairs xy, yz, xz
};

namespace detail
{
/// Of LinearElastic, in any axes; `first` is not defined by singular values.
template <class T>
DEM_HD PrincipalTangent<T> linearTangent(const MaterialParameters<T>& m)
{
  PrincipalTangent<T> t;
  const T n = 2 * m.mu + m.lambda;
  t.first = {};
  t.normal = { n, n, n, m.lambda, m.lambda, m.lambda };
  t.same = t.other = { m.mu, m.mu, m.mu };
  return t;
}

/// Of StVenantKirchhoff: S_i = mu s_i^2 + a. The factors of stretch and turn are
/// mu (s_i^2 +- s_i s_j + s_j^2) + a.
template <class T>
DEM_HD PrincipalTangent<T> venantTangent(const MaterialParameters<T>& m, const Vec3<T>& s)
{
  PrincipalTangent<T> t;
  const T sxy = s.x * s.y, syz = s.y * s.z, sxz = s.x * s.z, n = 2 * m.mu + m.lambda;
  const Vec3<T> q{ s.x * s.x, s.y * s.y, s.z * s.z };
  const T a = m.lambda / 2 * ((q.x - 1) + (q.y - 1) + (q.z - 1)) - m.mu;
  const Vec3<T> second{ m.mu * q.x + a, m.mu * q.y + a, m.mu * q.z + a };
  t.first = { s.x * second.x, s.y * second.y, s.z * second.z };
  t.normal = { second.x + n * q.x, second.y + n * q.y, second.z + n * q.z, m.lambda * sxy,
    m.lambda * syz, m.lambda * sxz };
  t.same = { m.mu * (q.x + q.y) + a, m.mu * (q.y + q.z) + a, m.mu * (q.x + q.z) + a };
  t.other = { m.mu * sxy, m.mu * syz, m.mu * sxz };
  return t;
}
} // namespace detail

template <class T>
DEM_HD PrincipalTangent<T> principalTangent(const MaterialParameters<T>& m, const Vec3<T>& s)
{
  using std::log;
  using std::pow;
  PrincipalTangent<T> t;
  // factors of a symmetric E_ij = E_ji (stretch) and of an antisymmetric one (turn)
  Vec3<T> stretch, turn;
  // q / (s_i + s_j): 0, a fixed rotation, if F is inverted so far that the rotation has no
  // derivative
  const T least = T(1e-4) * (1 + s.x);
  const auto over = [least](T q, T a, T b) { return a + b > least ? q * (1 / (a + b)) : T(0); };
  const T sxy = s.x * s.y, syz = s.y * s.z, sxz = s.x * s.z, j = sxy * s.z;
  switch (m.kind)
  {
    case MaterialKind::Corotated:
    {
      const T volume = m.lambda * (s.x + s.y + s.z - 3);
      t.first = { 2 * m.mu * (s.x - 1) + volume, 2 * m.mu * (s.y - 1) + volume,
        2 * m.mu * (s.z - 1) + volume };
      const T n = 2 * m.mu + m.lambda;
      t.normal = { n, n, n, m.lambda, m.lambda, m.lambda };
      // stretch 2 mu, turn 2 mu - 2 (2 mu - volume) / (s_i + s_j)
      const T q = 2 * m.mu - volume;
      t.other = { over(q, s.x, s.y), over(q, s.y, s.z), over(q, s.x, s.z) };
      t.same = { 2 * m.mu - t.other.x, 2 * m.mu - t.other.y, 2 * m.mu - t.other.z };
      return t;
    }
    case MaterialKind::NeoHookean:
    {
      const T l = m.lambda * log(j), a = m.mu - l;
      const Vec3<T> q{ 1 / s.x, 1 / s.y, 1 / s.z };
      t.first = { m.mu * s.x - a * q.x, m.mu * s.y - a * q.y, m.mu * s.z - a * q.z };
      const T n = a + m.lambda;
      t.normal = { m.mu + n * q.x * q.x, m.mu + n * q.y * q.y, m.mu + n * q.z * q.z,
        m.lambda * q.x * q.y, m.lambda * q.y * q.z, m.lambda * q.x * q.z };
      const Vec3<T> pair{ a * q.x * q.y, a * q.y * q.z, a * q.x * q.z };
      stretch = { m.mu + pair.x, m.mu + pair.y, m.mu + pair.z };
      turn = { m.mu - pair.x, m.mu - pair.y, m.mu - pair.z };
      break;
    }
    case MaterialKind::Fluid:
    {
      const T power = pow(j, -m.gamma), p = -m.bulk / m.gamma * (power - 1), n = m.bulk * power / j;
      t.first = { p * syz, p * sxz, p * sxy };
      t.normal = { n * syz * syz, n * sxz * sxz, n * sxy * sxy, (n * j + p) * s.z,
        (n * j + p) * s.x, (n * j + p) * s.y };
      stretch = { -p * s.z, -p * s.x, -p * s.y };
      turn = -stretch;
      break;
    }
    case MaterialKind::LinearElastic:
      return detail::linearTangent(m);
    case MaterialKind::StVenantKirchhoff:
      return detail::venantTangent(m, s);
    default:
    {
      const T volume = m.lambda * (j - 1), n = 2 * m.mu;
      t.first = { n * (s.x - 1) + volume * syz, n * (s.y - 1) + volume * sxz,
        n * (s.z - 1) + volume * sxy };
      const T mixed = m.lambda * (2 * j - 1);
      t.normal = { n + m.lambda * syz * syz, n + m.lambda * sxz * sxz, n + m.lambda * sxy * sxy,
        mixed * s.z, mixed * s.x, mixed * s.y };
      // stretch n - volume s_k, turn n - 2 n / (s_i + s_j) + volume s_k
      const Vec3<T> r{ over(n, s.x, s.y), over(n, s.y, s.z), over(n, s.x, s.z) };
      t.same = { n - r.x, n - r.y, n - r.z };
      t.other = { r.x - volume * s.z, r.y - volume * s.x, r.z - volume * s.y };
      return t;
    }
  }
  t.same = T(0.5) * (stretch + turn);
  t.other = T(0.5) * (stretch - turn);
  return t;
}

/// X for a change E, both in the axes of the singular values.
template <class T>
DEM_HD Matrix3<T> change(const PrincipalTangent<T>& t, const Matrix3<T>& e)
{
  const Symmetric3<T>& n = t.normal;
  Matrix3<T> x;
  x.c[0].x = multiplyAdd(n.xz, e.c[2].z, multiplyAdd(n.xy, e.c[1].y, n.xx * e.c[0].x));
  x.c[1].y = multiplyAdd(n.yz, e.c[2].z, multiplyAdd(n.yy, e.c[1].y, n.xy * e.c[0].x));
  x.c[2].z = multiplyAdd(n.zz, e.c[2].z, multiplyAdd(n.yz, e.c[1].y, n.xz * e.c[0].x));
  x.c[1].x = multiplyAdd(t.other.x, e.c[0].y, t.same.x * e.c[1].x);
  x.c[0].y = multiplyAdd(t.other.x, e.c[1].x, t.same.x * e.c[0].y);
  x.c[2].y = multiplyAdd(t.other.y, e.c[1].z, t.same.y * e.c[2].y);
  x.c[1].z = multiplyAdd(t.other.y, e.c[2].y, t.same.y * e.c[1].z);
  x.c[2].x = multiplyAdd(t.other.z, e.c[0].z, t.same.z * e.c[2].x);
  x.c[0].z = multiplyAdd(t.other.z, e.c[2].x, t.same.z * e.c[0].z);
  return x;
}

} // namespace mpm

// Functors used by Core/Algorithms.h on both devices.
namespace dem
{
namespace
{

struct Box
{
  Vec3d lower, upper;
};
static_assert(sizeof(Box) == 2 * sizeof(Vec3d), "a box is read as its two corners");

struct PointToBox
{
  DEM_HD Box operator()(const Vec4<double>& p) const
  {
    return isGone(p.x) ? emptyBox() : Box{ p.xyz(), p.xyz() };
  }
  DEM_HD static Box emptyBox() { return { { 1e300, 1e300, 1e300 }, { -1e300, -1e300, -1e300 } }; }
};

struct JoinBoxes
{
  DEM_HD Box operator()(const Box& a, const Box& b) const
  {
    Box box;
    for (int k = 0; k < 3; ++k)
    {
      box.lower[k] = a.lower[k] < b.lower[k] ? a.lower[k] : b.lower[k];
      box.upper[k] = a.upper[k] > b.upper[k] ? a.upper[k] : b.upper[k];
    }
    return box;
  }
};

struct AddUpToLimit
{
  DEM_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const
  {
    return a + b < a ? 0xffffffffu : a + b;
  }
};

} // namespace
} // namespace dem

// The parts of Core/Algorithms.h that read the same for every policy; `policy(exec)` is the library's.
namespace dem
{
namespace
{

struct Box
{
  Vec3d lower, upper;
};

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

struct Widen
{
  DEM_HD std::uint64_t operator()(std::uint32_t x) const { return x; }
};

struct AddIntegers
{
  DEM_HD std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

void checkTotal(std::uint64_t total)
{
  // places a little past the end are computed too
  if (total > 0xffffffffull - 4096)
    throw Error("A list of " + std::to_string(total) + " entries passes the limit of 2^32 - 4097. Use fewer particles or a smaller Skin.");
}

} // namespace
} // namespace dem

#include "ErrorText.h"
#include "Texts.h"
#include "Scene/File/SceneFile.h"
#include "Scene/File/Stl.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace test;

namespace
{

struct Mesh
{
  std::vector<dem::Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
};

Mesh parse(const std::string& bytes)
{
  Mesh mesh;
  dem::parseStl(bytes, "part.stl", mesh.points, mesh.triangles);
  return mesh;
}

std::string failure(const std::string& bytes)
{
  return errorOf([&] { parse(bytes); });
}

using Facet = std::array<float, 9>;

std::string binary(const std::vector<Facet>& facets, std::uint32_t declared,
  const std::string& title = "made by a test")
{
  std::string out(80, ' ');
  out.replace(0, title.size(), title);
  for (int k = 0; k < 4; ++k)
  {
    out += static_cast<char>(declared >> (8 * k) & 0xff);
  }
  for (const Facet& f : facets)
  {
    out.append(12, '\0');
    for (const float v : f)
    {
      std::uint32_t bits;
      std::memcpy(&bits, &v, 4);
      for (int k = 0; k < 4; ++k)
      {
        out += static_cast<char>(bits >> (8 * k) & 0xff);
      }
    }
    out.append(2, '\0');
  }
  return out;
}

const std::vector<Facet> two_facets{ { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 1, 0, 0, 1, 1, 0, 0, 1, 0 } };

const std::string ascii = "solid two\n"
                          " facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   "
                          "vertex 0 1 0\n  endloop\n endfacet\n"
                          " facet normal 0 0 1\n  outer loop\n   vertex 1.0 0 -0\n   vertex +1e0 1 "
                          "0\n   vertex 0 1 0\n  endloop\n endfacet\n"
                          "endsolid two\n";

TEST(Stl, AsciiAndBinaryAgreeAndMergePoints)
{
  const Mesh a = parse(ascii), b = parse(binary(two_facets, 2));
  ASSERT_EQ(a.points.size(), 4u);
  ASSERT_EQ(a.triangles.size(), 2u);
  ASSERT_EQ(b.points.size(), 4u);
  EXPECT_EQ(a.triangles, b.triangles);
  for (std::size_t i = 0; i < 4; ++i)
  {
    EXPECT_TRUE(a.points[i] == b.points[i]);
  }
  EXPECT_EQ(a.triangles[1], (std::array<std::int32_t, 3>{ 1, 3, 2 }));
}

TEST(Stl, ReadsWhatExportersWrite)
{
  EXPECT_EQ(parse(binary(two_facets, 2, "solid but binary")).triangles.size(), 2u);
  std::string upper = ascii;
  for (char& c : upper)
  {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  }
  EXPECT_EQ(parse(upper).triangles.size(), 2u) << "upper case";
  EXPECT_EQ(parse(ascii + ascii).triangles.size(), 4u) << "two solids in a file";
  EXPECT_EQ(parse("  \r\n" + ascii).triangles.size(), 2u) << "leading space";
  EXPECT_EQ(parse(replaced(ascii, "normal 0 0 1", "normal nan -nan nan")).triangles.size(), 2u)
    << "normal of a sliver";
  EXPECT_EQ(
    parse(replaced(ascii, "solid two", "solid a name with facet in it \xc3\xa9")).triangles.size(),
    2u);
  EXPECT_EQ(parse("\xef\xbb\xbf" + ascii).triangles.size(), 2u) << "byte order mark";
  std::string words = ascii;
  for (const char* end : { "loop", "facet", "solid" })
  {
    for (std::size_t at; (at = words.find(std::string("end") + end)) != std::string::npos;)
    {
      words.insert(at + 3, " ");
    }
  }
  EXPECT_EQ(parse(words).triangles, parse(ascii).triangles) << "end loop, end facet, end solid";
  EXPECT_HOLDS(
    failure(replaced(ascii, "endloop", "end lop")), "found 'lop', expected 'loop' after 'end'");
  std::string dos;
  for (const char c : ascii)
  {
    dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  }
  EXPECT_EQ(parse(dos).triangles.size(), 2u) << "CRLF";
}

TEST(Stl, BadAsciiNamesTheLine)
{
  EXPECT_HOLDS(failure(replaced(ascii, "vertex 1 0 0", "vertex 1 x 0")),
    "part.stl: line 5: found 'x', expected a number");
  EXPECT_HOLDS(failure(replaced(ascii, "vertex 1 0 0", "vertex 1 nan 0")),
    "line 5: the coordinate 'nan' is not finite");
  EXPECT_HOLDS(failure(replaced(ascii, "vertex 1 0 0", "vertex 1 -inf 0")), "is not finite");
  EXPECT_HOLDS(failure(replaced(ascii, "vertex 1 0 0", "vertex 1 1e999 0")),
    "line 5: the coordinate '1e999' is outside the range");
  EXPECT_HOLDS(failure(replaced(ascii, "vertex 1 0 0", "vertex 1 0")),
    "line 6: found 'vertex', expected a number");
  EXPECT_HOLDS(failure(replaced(ascii, "vertex 1 0 0", "vertex 1 0 0x")), "found '0x'");
  EXPECT_HOLDS(failure(replaced(ascii, "  endloop", "  vertex 1 1 1\n  endloop")),
    "line 7: a facet has more than three corners");
  EXPECT_HOLDS(
    failure(replaced(ascii, "outer loop", "outer hoop")), "line 3: found 'hoop', expected 'loop'");
  EXPECT_HOLDS(failure(replaced(ascii, " endfacet\n facet", " facet")),
    "line 8: found 'facet', expected 'endfacet'");
  EXPECT_HOLDS(failure(replaced(ascii, "endsolid two\n", "")),
    "line 16: the ASCII STL file is cut off: expected 'facet' or 'endsolid'");
  EXPECT_HOLDS(failure(ascii.substr(0, 60)), "cut off");
  EXPECT_HOLDS(failure(ascii + "rubbish"),
    "line 17: found 'rubbish', expected 'solid' or the end of the file");
  EXPECT_HOLDS(failure("solid nothing\nendsolid nothing\n"), "holds no triangle");
  EXPECT_HOLDS(failure("solidify\n"), "expected 'solid'");
}

TEST(Stl, BadBinaryNamesTheOffset)
{
  const std::string good = binary(two_facets, 2);
  EXPECT_HOLDS(failure(good.substr(0, good.size() - 1)),
    "part.stl: the binary STL file is cut off at offset 183: it declares 2 triangles (184 bytes) "
    "and holds 1");
  EXPECT_HOLDS(failure(binary(two_facets, 4294967295u)),
    "declares 4294967295 triangles (214748364834 bytes) and holds 2");
  EXPECT_HOLDS(failure(good + "garbage"), "7 bytes too many from offset 184");
  EXPECT_HOLDS(failure(binary({}, 0)), "holds no triangle");
  EXPECT_HOLDS(failure(""), "the STL file is empty");
  EXPECT_HOLDS(failure("no mesh"), "neither begins with 'solid'");
  EXPECT_HOLDS(failure(good.substr(0, 83)), "ends at offset 83");
  std::vector<Facet> facets = two_facets;
  facets[1][4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_HOLDS(failure(binary(facets, 2)), "not finite at offset 162 (triangle 1)");
  facets[1][4] = -std::numeric_limits<float>::infinity();
  EXPECT_HOLDS(failure(binary(facets, 2, "solid")), "not finite at offset 162");
}

TEST(Stl, FilesThatAreNone)
{
  Mesh mesh;
  const auto read = [&](const std::string& path) {
    return errorOf([&] { dem::readStl(path, mesh.points, mesh.triangles); });
  };
  EXPECT_HOLDS(read("/nowhere/part.stl"), "/nowhere/part.stl: this STL file does not exist");
  EXPECT_HOLDS(read(std::filesystem::temp_directory_path().string()), "it is a folder");
#if defined(__unix__)
  EXPECT_HOLDS(read("/dev/zero"), "it is a device or a pipe");
#endif
}

TEST(Stl, ReadsFromDisk)
{
  const auto path = std::filesystem::temp_directory_path() / "paragrain-test-stl.stl";
  writeFile(path.string(), binary(two_facets, 2));
  Mesh mesh;
  dem::readStl(path.string(), mesh.points, mesh.triangles);
  EXPECT_EQ(mesh.triangles.size(), 2u);
  std::filesystem::remove(path);
}

} // namespace

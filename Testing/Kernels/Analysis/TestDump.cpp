// LAMMPS and LIGGGHTS dumps: files written in the tests, and files that the codes wrote
// (Data/Reference/OtherCodes).
#include "Analysis/DumpGrains.h"
#include "ErrorText.h"
#include "Texts.h"

#include <cmath>
#include <fstream>
#include <sstream>

using namespace test;

namespace
{

const std::string two_frames =
  "ITEM: TIMESTEP\n10\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp ff fs\n0 1\n0 2\n-1 3\n"
  "ITEM: ATOMS id type x y z radius \n"
  "7 2 0.5 0.25 -1 0.1 \n"
  "3 1 1e-1 +2 3 2e-1\n"
  "ITEM: TIMESTEP\n20\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp ff fs\n0 1\n0 2\n-1 3\n"
  "ITEM: ATOMS id type x y z radius \n"
  "3 1 0.1 2 3 0.2\n";

dem::DumpIndex indexOf(const std::string& text)
{
  std::istringstream in(text);
  return dem::indexDump(in, "a.dump");
}

dem::DumpGrains grainsOf(const std::string& text, std::size_t frame = 0, double radius = 0)
{
  std::istringstream in(text);
  const dem::DumpIndex index = dem::indexDump(in, "a.dump");
  return dem::readDumpGrains(in, index.frames.at(frame), "a.dump", radius);
}

/// The message of the error for a file with this text.
std::string failure(const std::string& text)
{
  return errorOf([&] { grainsOf(text); });
}

/// One frame of 2 rows with the given columns.
std::string frame(const std::string& columns, const std::string& rows)
{
  return "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS\n-1 3\n0 2\n5 5\nITEM: "
         "ATOMS " +
    columns + "\n" + rows;
}

TEST(Dump, FramesAndRows)
{
  const dem::DumpIndex index = indexOf(two_frames);
  EXPECT_EQ(index.incomplete, "");
  ASSERT_EQ(index.frames.size(), 2u);
  EXPECT_EQ(index.frames[0].step, 10);
  EXPECT_EQ(index.frames[1].step, 20);
  EXPECT_TRUE(index.frames[0].periodic(0));
  EXPECT_FALSE(index.frames[0].periodic(1));
  EXPECT_EQ(index.frames[0].boundary[2], "fs");
  EXPECT_EQ(index.frames[0].upper.z, 3);
  EXPECT_EQ(index.frames[0].rows_line, 10u);

  const dem::DumpGrains grains = grainsOf(two_frames);
  ASSERT_EQ(grains.size, 2u);
  EXPECT_EQ(grains.id, (std::vector<std::int64_t>{ 3, 7 })) << "sorted";
  EXPECT_EQ(grains.position, (std::vector<double>{ 0.1, 2, 3, 0.5, 0.25, -1 }));
  EXPECT_EQ(grains.radius.value(), (std::vector<double>{ 0.2, 0.1 }));
  EXPECT_EQ(grains.material.value(), (std::vector<std::int32_t>{ 0, 1 }));
  EXPECT_FALSE(grains.velocity || grains.force || grains.mass);
  ASSERT_EQ(grains.others.size(), 1u);
  EXPECT_EQ(grains.others[0].name, "type");
  EXPECT_EQ(grains.others[0].numbers, (std::vector<double>{ 1, 2 }));
  EXPECT_EQ(grainsOf(two_frames, 1).size, 1u);
}

TEST(Dump, HeadersOfOtherRuns)
{
  std::string with_times = "ITEM: UNITS\nsi\nITEM: TIME\n0.125\n" + two_frames;
  const dem::DumpIndex index = indexOf(with_times);
  EXPECT_EQ(index.frames[0].units, "si");
  EXPECT_EQ(index.frames[1].units, "si") << "a file gives its units once";
  EXPECT_TRUE(index.frames[0].has_time);
  EXPECT_EQ(index.frames[0].time, 0.125);
  EXPECT_FALSE(index.frames[1].has_time);
  std::string dos;
  for (const char c : two_frames)
  {
    dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  }
  EXPECT_EQ(grainsOf(dos).id, (std::vector<std::int64_t>{ 3, 7 })) << "CRLF";
  EXPECT_EQ(grainsOf(two_frames + "\n\n", 1).size, 1u) << "empty lines at the end";
  // a frame without rows has all arrays
  const dem::DumpGrains none = grainsOf(
    "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n0\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"
    "ITEM: ATOMS id x y z vx vy vz radius density\n");
  EXPECT_EQ(none.size, 0u);
  EXPECT_TRUE(none.velocity && none.radius && none.mass);
}

TEST(Dump, PositionsOfEveryKind)
{
  const auto positions = [](const std::string& columns, const std::string& rows) {
    return grainsOf(frame(columns, rows)).position;
  };
  const std::vector<double> expected{ 1, 0.5, 5, 3, 0, 5 };
  EXPECT_EQ(positions("id x y z", "1 1 .5 5\n2 3 0 5\n"), expected);
  EXPECT_EQ(positions("id xu yu zu", "1 1 .5 5\n2 3 0 5\n"), expected);
  EXPECT_EQ(positions("id xs ys zs", "1 .5 .25 .75\n2 1 0 0\n"), expected);
  EXPECT_EQ(positions("id xsu ysu zsu", "1 .5 .25 .75\n2 1 0 0\n"), expected);
  EXPECT_EQ(positions("xu id yu zu x y z", "9 1 9 9 1 .5 5\n9 2 9 9 3 0 5\n"), expected)
    << "wrapped coordinates are preferred";
  EXPECT_HOLDS(
    failure(frame("id x y", "1 1 1\n2 2 2\n")), "line 9: the frame has no column z, zu, zs or zsu");
}

TEST(Dump, ColumnsByTheirMeaning)
{
  const dem::DumpGrains g = grainsOf(
    frame("id id element x y z diameter density vx vy vz fx fy fz omegax omegay omegaz tqx tqy tqz "
          "quatw quati quatj quatk c_1[2] vx",
      "2 2 Si 0 0 0 0.5 3 1 2 3 4 5 6 7 8 9 10 11 12 1 0 0 0 42 -8\n1 1 O 0 0 0 1.0 6 -1 -2 -3 0 0 "
      "0 0 0 0 0 0 0 0 1 0 0 43 -9\n"));
  EXPECT_EQ(g.radius.value(), (std::vector<double>{ 0.5, 0.25 }));
  EXPECT_DOUBLE_EQ(g.mass.value()[0], 6 * 4 / 3. * 3.14159265358979323846 * 0.125);
  EXPECT_EQ(g.velocity.value(), (std::vector<double>{ -1, -2, -3, 1, 2, 3 }));
  EXPECT_EQ(g.force.value()[5], 6);
  EXPECT_EQ(g.angular_velocity.value()[3], 7);
  EXPECT_EQ(g.torque.value()[4], 11);
  EXPECT_EQ(g.orientation.value(), (std::vector<double>{ 0, 1, 0, 0, 1, 0, 0, 0 }));
  std::string names;
  for (const auto& column : g.others)
  {
    names += column.name + " ";
  }
  EXPECT_EQ(names, "element density c_1[2] ");
  EXPECT_EQ(g.others[0].words, (std::vector<std::string>{ "O", "Si" }));
  EXPECT_EQ(g.others[2].numbers, (std::vector<double>{ 43, 42 }));
  EXPECT_EQ(grainsOf(frame("id x y z", "1 1 .5 5\n2 3 0 5\n"), 0, 0.125).radius.value(),
    (std::vector<double>{ 0.125, 0.125 }));
  const dem::DumpGrains plain = grainsOf(frame("x y z", "1 1 .5\n2 3 0\n"));
  EXPECT_FALSE(plain.has_id);
  EXPECT_EQ(plain.id, (std::vector<std::int64_t>{ 1, 2 }));
}

TEST(Dump, AFrameThatIsCutOffIsLeftOut)
{
  const std::size_t first = two_frames.find("ITEM: TIMESTEP\n20");
  const std::size_t last_value = two_frames.find_last_of(' ', two_frames.find_last_not_of(" \n"));
  for (std::size_t length = first + 1; length <= last_value; ++length)
  {
    const dem::DumpIndex index = indexOf(two_frames.substr(0, length));
    ASSERT_EQ(index.frames.size(), 1u) << length;
    ASSERT_NE(index.incomplete, "") << length;
  }
  EXPECT_HOLDS(indexOf(two_frames.substr(0, last_value)).incomplete,
    "a.dump: the last frame, from line 12 on, is cut off at line 21");
  // some editors and scripts leave out the last line end
  const std::string unended = two_frames.substr(0, two_frames.find_last_not_of("\n") + 1);
  EXPECT_EQ(indexOf(unended).incomplete, "");
  EXPECT_EQ(grainsOf(unended, 1).position, grainsOf(two_frames, 1).position);
  EXPECT_EQ(grainsOf(unended, 1).radius, grainsOf(two_frames, 1).radius);
  EXPECT_HOLDS(failure(two_frames.substr(0, first - 3)), "only 1 of its 2 rows are there");
  EXPECT_HOLDS(failure(replaced(two_frames, "ATOMS\n2\n", "ATOMS\n18446744073709551615\n")),
    "line 12: the frame of step 10 declares 18446744073709551615 rows, but has only 2");
}

// Values that are not finite are refused in columns that a grain needs, and kept in other columns.
TEST(Dump, OtherColumnsMayHoldNanAndInf)
{
  const dem::DumpGrains g = grainsOf(frame("id x y z c_fn", "1 1 .5 5 -nan\n2 3 0 5 inf\n"));
  ASSERT_EQ(g.others.size(), 1u);
  EXPECT_TRUE(std::isnan(g.others[0].numbers[0]));
  EXPECT_TRUE(std::isinf(g.others[0].numbers[1]));
  for (const char* column :
    { "x", "radius", "vz", "omegax", "fy", "tqz", "mass", "density", "type", "id" })
  {
    SCOPED_TRACE(column);
    std::string columns, values, second;
    for (const char* name : { "id", "x", "y", "z", "radius", "vx", "vy", "vz", "omegax", "omegay",
           "omegaz", "fx", "fy", "fz", "tqx", "tqy", "tqz", "type" })
    {
      columns += std::string(name) + " ";
      values += std::string(name) == column ? "nan " : "1 ";
      second += "2 ";
    }
    if (std::string(column) == "mass" || std::string(column) == "density")
    {
      columns += column;
      values += "nan";
      second += "2";
    }
    EXPECT_HOLDS(failure(frame(columns, values + "\n" + second + "\n")),
      "the value of column '" + std::string(column) + "' is not finite: 'nan'");
  }
}

// Positions in a sheared box. Cartesian coordinates are used as they are; scaled ones are relative
// to the box, of which the file gives the bounds (LAMMPS documentation, "Howto triclinic").
// Calculated by hand for the box 0 to 2, 0 to 3, 0 to 4 with xy = 1, xz = -0.5, yz = 0.25.
TEST(Dump, ShearedBoxes)
{
  const std::string box = "ITEM: BOX BOUNDS xy xz yz pp pp ff\n-0.5 3 1\n0 3.25 -0.5\n0 4 0.25\n";
  const auto sheared = [&](const std::string& columns, const std::string& rows) {
    return "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n" + box + "ITEM: ATOMS " + columns + "\n" +
      rows;
  };
  const dem::DumpGrains plain = grainsOf(sheared("id x y z radius", "1 .1 .2 .3 .01\n"));
  EXPECT_EQ(plain.position, (std::vector<double>{ .1, .2, .3 }));
  const dem::DumpGrains scaled = grainsOf(sheared("id xs ys zs radius", "1 .5 .25 .75 .01\n"));
  EXPECT_NEAR(scaled.position[0], .5 * 2 + .25 * 1 + .75 * -.5, 1e-15);
  EXPECT_NEAR(scaled.position[1], .25 * 3 + .75 * .25, 1e-15);
  EXPECT_NEAR(scaled.position[2], .75 * 4, 1e-15);
  const dem::DumpIndex index = indexOf(sheared("id x y z", "1 0 0 0\n"));
  EXPECT_FALSE(index.frames[0].periodic(0)) << "its periods are not along the axes";
  const std::string straight = replaced(
    replaced(replaced(sheared("id x y z", "1 0 0 0\n"), "3 1\n", "3 0\n"), "3.25 -0.5", "3.25 0"),
    "4 0.25", "4 0");
  EXPECT_TRUE(indexOf(straight).frames[0].periodic(0));
}

TEST(Dump, BadFilesNameTheLine)
{
  EXPECT_HOLDS(failure(""), "a.dump: the file is empty");
  EXPECT_HOLDS(failure("solid part\n"),
    "a.dump: line 1: this is no LAMMPS or LIGGGHTS text dump: it begins with 'solid part'");
  EXPECT_HOLDS(failure("solid part"), "this is no LAMMPS or LIGGGHTS text dump");
  EXPECT_HOLDS(failure("\x1f\x8b\x08 rest\n"), "compressed (gzip)");
  EXPECT_HOLDS(failure(std::string(3000000, 'x')), "line 1: is longer than 1 MiB");
  EXPECT_HOLDS(failure(replaced(two_frames, "pp ff fs\n0 1", "abc origin pp ff fs\n0 1 0")),
    "line 5: the box is a general triclinic one");
  EXPECT_HOLDS(failure(replaced(two_frames, "pp ff fs\n0 1", "xy xz yz pp ff fs\n0 1")),
    "line 6: the line ends where the tilt factor xy");
  EXPECT_HOLDS(
    failure(replaced(two_frames, "\n0 1\n", "\n0 1 0.5\n")), "line 6: a third number for the box");
  EXPECT_HOLDS(
    failure(replaced(two_frames, "\n0 1\n", "\n1 0\n")), "line 6: the lower border of the box");
  EXPECT_HOLDS(failure(replaced(two_frames, "\n0 1\n", "\n0\n")),
    "line 6: the line ends where the upper border of the box should stand");
  EXPECT_HOLDS(
    failure(replaced(two_frames, "pp ff fs", "pp ff")), "line 5: BOX BOUNDS has 2 boundary flags");
  EXPECT_HOLDS(
    failure(replaced(two_frames, "pp ff fs", "pp ff fq")), "line 5: unknown boundary 'fq'");
  EXPECT_HOLDS(failure(replaced(two_frames, "\n10\n", "\n1x\n")),
    "line 2: found '1x' where the step should stand");
  EXPECT_HOLDS(failure(replaced(two_frames, "\n10\n", "\n10 11\n")),
    "line 2: found '11' where the line should end");
  EXPECT_HOLDS(failure(replaced(two_frames, "ATOMS\n2\n", "ATOMS\n-2\n")),
    "line 4: found '-2' where the number of rows should stand");
  EXPECT_HOLDS(failure(replaced(two_frames, "ATOMS\n2\n", "ATOMS\n1\n")),
    "line 11: found '3 1 1e-1 +2 3 2e-1' where a line with ITEM: should stand, behind the 1 rows");
  EXPECT_HOLDS(failure(replaced(two_frames, "ATOMS\n2\n", "ENTRIES\n2\n")),
    "line 3: this is a dump of 'ENTRIES'");
  EXPECT_HOLDS(
    failure(replaced(two_frames, "ITEM: NUMBER OF ATOMS\n2\n", "")), "no ITEM: NUMBER OF ATOMS");
  EXPECT_HOLDS(failure(replaced(two_frames, "ITEM: BOX", "ITEM: FOX")),
    "line 5: unknown 'ITEM: FOX BOUNDS pp ff fs'");
  EXPECT_HOLDS(failure(replaced(two_frames, "ATOMS id type x y z radius ", "ATOMS")),
    "line 9: ITEM: ATOMS names no columns");
  EXPECT_HOLDS(failure(replaced(two_frames, "0.25 -1", "0.25 nan")),
    "line 10: the value of column 'z' is not finite: 'nan'");
  EXPECT_HOLDS(failure(replaced(two_frames, "0.25 -1", "0.25 1e999")),
    "line 10: the value of column 'z' is outside the range");
  EXPECT_HOLDS(failure(replaced(two_frames, "0.25 -1", "0.25 a")),
    "line 10: found 'a' where the value of column 'z'");
  EXPECT_HOLDS(failure(replaced(two_frames, " 2e-1", "")),
    "line 11: the row has 5 values, but ITEM: ATOMS names 6 columns");
  EXPECT_HOLDS(failure(replaced(two_frames, " 2e-1", " 2e-1 1")),
    "line 11: the row has more values than the 6 columns");
  EXPECT_HOLDS(
    failure(replaced(two_frames, "\n3 1", "\n7 1")), "line 11: the id 7 is also in line 10");
  EXPECT_HOLDS(failure(replaced(two_frames, "\n3 1", "\n3.5 1")), "line 11: the id 3.5");
  EXPECT_HOLDS(failure(replaced(two_frames, "\n3 1", "\n3 0")), "line 11: the type 0");
  EXPECT_HOLDS(failure(replaced(two_frames, "2e-1", "-2e-1")), "line 11: the radius is -0.2");
  EXPECT_EQ(grainsOf(replaced(two_frames, "2e-1", "2e-1")).radius.value()[0], 0.2);
  EXPECT_EQ(grainsOf(replaced(two_frames, "1e-1", "1e-400")).position[0], 0)
    << "below the smallest number";
}

/// Sum of a column over the rows of a frame, read without the parser of this project.
double sumOfColumn(const std::string& path, int frame_wanted, std::size_t column)
{
  std::ifstream in(path);
  std::string line;
  int frame_now = -1;
  bool rows = false;
  double sum = 0;
  while (std::getline(in, line))
  {
    if (line.rfind("ITEM: TIMESTEP", 0) == 0)
    {
      ++frame_now;
      rows = false;
    }
    else if (line.rfind("ITEM: ATOMS", 0) == 0)
    {
      rows = true;
    }
    else if (rows && frame_now == frame_wanted && line.rfind("ITEM:", 0) != 0)
    {
      std::istringstream words(line);
      std::string word;
      for (std::size_t k = 0; k <= column; ++k)
      {
        words >> word;
      }
      sum += std::strtod(word.c_str(), nullptr);
    }
  }
  return sum;
}

TEST(Dump, FileOfLiggghts)
{
  const std::string path = std::string(PARAGRAIN_DATA_DIR) + "/Reference/OtherCodes/liggghts.dump";
  std::ifstream in(path, std::ios::binary);
  const dem::DumpIndex index = dem::indexDump(in, path);
  ASSERT_EQ(index.frames.size(), 4u);
  for (int k : { 3, 0 })
  {
    EXPECT_EQ(index.frames[k].step, 2500 * (k + 1));
    const dem::DumpGrains grains = dem::readDumpGrains(in, index.frames[k], path, 0);
    ASSERT_EQ(grains.size, 150u);
    double height = 0, force = 0, radius = 0;
    for (std::size_t i = 0; i < grains.size; ++i)
    {
      EXPECT_EQ(grains.id[i], static_cast<std::int64_t>(i) + 1);
      EXPECT_EQ(grains.radius.value()[i], grains.material.value()[i] ? 0.0035 : 0.0025);
      height += grains.position[3 * i + 2];
      force += grains.force.value()[3 * i + 2];
      radius += grains.radius.value()[i];
    }
    EXPECT_NEAR(height, sumOfColumn(path, k, 5), 1e-12);
    EXPECT_NEAR(force, sumOfColumn(path, k, 11), 1e-9);
    EXPECT_NEAR(radius, sumOfColumn(path, k, 15), 1e-12);
  }
  EXPECT_TRUE(index.frames[0].periodic(0));
}

} // namespace

// Any bytes through the dump reader: each frame of the index gives sound grains or dem::Error, and
// nothing else.
#include "Analysis/DumpGrains.h"
#include "Core/Error.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  dem::DumpIndex index;
  try
  {
    index = dem::indexDump(in, "fuzz.dump");
  }
  catch (const dem::Error&)
  {
    return 0;
  }
  bool sound = !index.frames.empty();
  for (const dem::DumpFrame& frame : index.frames)
  {
    sound = sound && frame.rows_offset + frame.rows_bytes <= size && frame.size <= frame.rows_bytes;
    try
    {
      const dem::DumpGrains grains = dem::readDumpGrains(in, frame, "fuzz.dump", 0.5);
      sound = sound && grains.size == frame.size && grains.id.size() == grains.size &&
        grains.position.size() == 3 * grains.size && grains.radius &&
        grains.radius->size() == grains.size;
      for (std::size_t i = 0; i < grains.size; ++i)
      {
        sound = sound && (*grains.radius)[i] > 0 && (i == 0 || grains.id[i - 1] < grains.id[i]);
      }
      for (const double x : grains.position)
      {
        sound = sound && std::isfinite(x);
      }
      for (const dem::DumpColumn& column : grains.others)
      {
        sound =
          sound && (column.isText() ? column.words.size() : column.numbers.size()) == grains.size;
      }
    }
    catch (const dem::Error&)
    {
    }
  }
  if (!sound)
  {
    std::abort();
  }
  return 0;
}

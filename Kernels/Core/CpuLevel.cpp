#include "Core/CpuLevel.h"

#include "Core/Error.h"

#include <algorithm>
#include <cstdlib>

namespace dem
{

namespace
{

#if defined(PARAGRAIN_CPU_LEVELS)
// The highest level whose instructions this processor and its operating system have. The levels are
// those of the x86-64 psABI. Their other instructions came with the ones that are asked for here.
int processorLevel()
{
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt"))
    throw Error("This processor lacks SSE 4.2 or POPCNT, which the CPU solver needs (x86-64-v2).");
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
    !__builtin_cpu_supports("bmi2"))
    return 2;
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")
    ? 4
    : 3;
}

int levelInUse()
{
  const int highest = processorLevel();
  const char* asked = std::getenv("PARAGRAIN_CPU_LEVEL");
  if (!asked || !*asked)
    return highest;
  const std::string text = asked;
  if (text != "2" && text != "3" && text != "4")
    throw Error("PARAGRAIN_CPU_LEVEL is '" + text + "'; it must be 2, 3 or 4 (the x86-64 level).");
  return std::min(highest, text[0] - '0');
}
#endif

} // namespace

int cpuLevel()
{
#if defined(PARAGRAIN_CPU_LEVELS)
  return levelInUse();
#else
  return 0;
#endif
}

std::string cpuLevelName()
{
  const int level = cpuLevel();
  return level == 0 ? std::string() : "x86-64-v" + std::to_string(level);
}

} // namespace dem

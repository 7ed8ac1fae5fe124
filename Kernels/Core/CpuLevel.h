// Instruction sets of x86-64 for which the CPU solver is compiled. One program holds all of them
// and runs on every x86-64 processor (CMake/ParaGrainCpuLevels.cmake). Builds for one processor
// (PARAGRAIN_NATIVE) and for other architectures hold the solver once.
#pragma once

#include <string>

// Namespace of the functions that make the CPU solver of one level. The build sets it.
#if !defined(DEM_CPU_LEVEL)
#define DEM_CPU_LEVEL one_level
#endif

// Declares `result function parameters` for each level that the program holds.
// DEM_CALL_CPU_LEVEL(function, arguments...) calls it for the level in use.
#if defined(PARAGRAIN_CPU_LEVELS)
#define DEM_DECLARE_CPU_LEVELS(result, function, parameters)                                       \
  namespace v2                                                                                     \
  {                                                                                                \
  result function parameters;                                                                      \
  }                                                                                                \
  namespace v3                                                                                     \
  {                                                                                                \
  result function parameters;                                                                      \
  }                                                                                                \
  namespace v4                                                                                     \
  {                                                                                                \
  result function parameters;                                                                      \
  }
#define DEM_CALL_CPU_LEVEL(function, ...)                                                          \
  (dem::cpuLevel() == 4      ? v4::function(__VA_ARGS__)                                           \
      : dem::cpuLevel() == 3 ? v3::function(__VA_ARGS__)                                           \
                             : v2::function(__VA_ARGS__))
#else
#define DEM_DECLARE_CPU_LEVELS(result, function, parameters)                                       \
  namespace one_level                                                                              \
  {                                                                                                \
  result function parameters;                                                                      \
  }
#define DEM_CALL_CPU_LEVEL(function, ...) one_level::function(__VA_ARGS__)
#endif

namespace dem
{

/// The level that the CPU solver uses: 2, 3 (AVX2) or 4 (AVX-512), the highest that the processor
/// has. 0 if the program holds the solver once. The environment variable PARAGRAIN_CPU_LEVEL (2, 3
/// or 4) lowers it; results do not change. Throws dem::Error if the variable has another value, or
/// if the processor lacks level 2.
int cpuLevel();

/// "x86-64-v3", or empty for level 0.
std::string cpuLevelName();

} // namespace dem

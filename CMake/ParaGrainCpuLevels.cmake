# The CPU solver for several instruction sets in one library. Each level's sources are compiled with
# its instructions and linked into one object. All names but those of the functions that make a
# solver become local there: inline functions of the C++ library or of oneTBB that contain AVX-512
# would otherwise stand for those of the whole program. (Unique symbols could not become local, so
# there are none.) Kernels/Core/CpuLevel.h chooses the level at run time.

set(_paragrain_v2 -msse3 -mssse3 -msse4.1 -msse4.2 -mpopcnt -mcx16 -msahf)
set(_paragrain_v3 ${_paragrain_v2} -mavx -mavx2 -mbmi -mbmi2 -mf16c -mfma -mlzcnt -mmovbe)
set(_paragrain_v4 ${_paragrain_v3} -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl)
# GCC copies and clears structures of some hundred bytes, such as packs of contacts, by string
# instructions, which take long to start. With vector moves a step takes 4 % less.
set(_paragrain_copies "-mmemcpy-strategy=vector_loop:4096:noalign,libcall:-1:noalign"
  "-mmemset-strategy=vector_loop:4096:noalign,libcall:-1:noalign")

# Sets PARAGRAIN_CPU_LEVELS: whether this build holds several levels.
macro(paragrain_choose_cpu_levels)
  set(PARAGRAIN_CPU_LEVELS OFF)
  if(NOT PARAGRAIN_NATIVE AND NOT PARAGRAIN_FUZZ AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND
    CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND CMAKE_LINKER AND CMAKE_OBJCOPY)
    set(PARAGRAIN_CPU_LEVELS ON)
  endif()
endmacro()

# The level of this machine's processor.
function(_paragrain_level_here variable)
  set(flags "")
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
  endif()
  set(level v2)
  if(flags MATCHES " avx2 " AND flags MATCHES " fma " AND flags MATCHES " bmi2 ")
    set(level v3)
    if(flags MATCHES " avx512f " AND flags MATCHES " avx512bw " AND flags MATCHES " avx512cd " AND
      flags MATCHES " avx512dq " AND flags MATCHES " avx512vl ")
      set(level v4)
    endif()
  endif()
  set(${variable} ${level} PARENT_SCOPE)
endfunction()

# Compiles `target` once, for this machine's processor. GCC's own choice (-march=native) also tunes
# for it, which made compilation of the engine four times as long with GCC 14 and steps no faster.
function(paragrain_use_native_level target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    _paragrain_level_here(level)
    message(STATUS "ParaGrain: CPU solver for x86-64-${level}")
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:${_paragrain_copies};${_paragrain_${level}}>")
  else()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
  endif()
endfunction()

# Compiles `sources` with the options of `target` once for each level, and adds them to `target`.
function(paragrain_add_cpu_levels target)
  foreach(level v2 v3 v4)
    set(objects ${target}_${level})
    add_library(${objects} OBJECT ${ARGN})
    target_include_directories(${objects} SYSTEM PRIVATE
      $<TARGET_PROPERTY:${target},INTERFACE_SYSTEM_INCLUDE_DIRECTORIES>)
    target_include_directories(${objects} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_link_libraries(${objects} PRIVATE TBB::tbb Threads::Threads)
    target_compile_options(${objects} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_OPTIONS>
      -fno-gnu-unique ${_paragrain_copies} ${_paragrain_${level}})
    target_compile_definitions(${objects} PRIVATE
      $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS> DEM_CPU_LEVEL=${level})
    set(one ${CMAKE_CURRENT_BINARY_DIR}/${objects}.o)
    add_custom_command(OUTPUT ${one}
      COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${one}.all $<TARGET_OBJECTS:${objects}>
      COMMAND ${CMAKE_OBJCOPY} --wildcard "--keep-global-symbol=_ZN3dem2${level}*"
        "--keep-global-symbol=_ZN3mpm2${level}*" ${one}.all ${one}
      COMMAND ${CMAKE_COMMAND} -E rm ${one}.all
      DEPENDS ${objects} $<TARGET_OBJECTS:${objects}>
      COMMENT "Linking the CPU solver for x86-64-${level}" COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${one} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE ${one})
  endforeach()
  target_compile_definitions(${target} PRIVATE PARAGRAIN_CPU_LEVELS=1)
endfunction()

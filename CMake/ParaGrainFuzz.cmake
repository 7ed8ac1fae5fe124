# Flags for PARAGRAIN_FUZZ: they instrument the whole solver for the fuzz targets of Testing/Fuzz. A
# fuzz build needs its own build folder; ./dev fuzz uses build-fuzz.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "PARAGRAIN_FUZZ needs libFuzzer: "
    "configure with -DCMAKE_CXX_COMPILER=clang++. "
    "On Debian 12: apt-get install clang libclang-rt-14-dev")
endif()
if(PARAGRAIN_HAVE_CUDA OR PARAGRAIN_PLUGIN)
  message(FATAL_ERROR "PARAGRAIN_FUZZ instruments the CPU solver alone: "
    "configure with -DPARAGRAIN_CUDA=OFF -DPARAGRAIN_PLUGIN=OFF.")
endif()

set(PARAGRAIN_SANITIZE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
  "-fsanitize-ignorelist=${CMAKE_SOURCE_DIR}/Testing/Fuzz/ignore.txt")

# Finds all external packages of the build. An error names a missing package and the Debian package
# that contains it.

# Enables the CUDA backend. AUTO uses nvcc if it is found; ON without nvcc is an error.
macro(paragrain_enable_cuda)
  string(TOUPPER "${PARAGRAIN_CUDA}" _paragrain_cuda)
  set(PARAGRAIN_HAVE_CUDA FALSE)
  if(NOT _paragrain_cuda STREQUAL "OFF")
    include(CheckLanguage)
    if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
      set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
    endif()
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
        set(CMAKE_CUDA_ARCHITECTURES "75;90" CACHE STRING "CUDA architectures")
      endif()
      set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
      enable_language(CUDA)
      set(CMAKE_CUDA_STANDARD 17)
      set(CMAKE_CUDA_STANDARD_REQUIRED ON)
      set(PARAGRAIN_HAVE_CUDA TRUE)
    elseif(_paragrain_cuda STREQUAL "ON")
      message(FATAL_ERROR "PARAGRAIN_CUDA=ON but no CUDA compiler was found. "
        "Install the CUDA Toolkit and put nvcc on PATH (or set CMAKE_CUDA_COMPILER), "
        "or configure with -DPARAGRAIN_CUDA=OFF.")
    endif()
  endif()
  message(STATUS "ParaGrain: CUDA backend ${PARAGRAIN_HAVE_CUDA}")
endmacro()

function(_paragrain_missing what debian)
  message(FATAL_ERROR
    "ParaGrain needs ${what}, which was not found. On Debian 12: apt-get install ${debian}")
endfunction()

# Debian 13 and sid install Python modules under names that ParaView's CMake files do not expect.
# Without this check find_package would stop with a message about the installation.
function(paragrain_check_debian_modules)
  set(folder /usr/lib/python3/dist-packages/vtkmodules)
  file(GLOB modules "${folder}/vtkCommonCore.cpython-*.so")
  if(modules AND NOT EXISTS "${folder}/vtkCommonCore.so" AND NOT ParaView_DIR)
    message(FATAL_ERROR "Debian's ParaView expects ${folder}/vtkCommonCore.so, and the file is "
      "named ${modules}. Links cure it; as root, run  CMake/link_debian_modules.sh")
  endif()
endfunction()

# ParaView 5.13 and later name targets of libraries that they do not look for themselves.
macro(paragrain_find_paraview_libraries)
  list(APPEND CMAKE_MODULE_PATH "${ParaView_DIR}/vtk")
  foreach(library "Python3::Module;Python3;COMPONENTS;Interpreter;Development.Module"
    "hdf5::hdf5;HDF5;COMPONENTS;C;HL" "NetCDF::NetCDF;NetCDF")
    list(POP_FRONT library target)
    if(ParaView_VERSION VERSION_GREATER_EQUAL 5.12 AND NOT TARGET ${target})
      find_package(${library} QUIET)
    endif()
  endforeach()
endmacro()

macro(paragrain_find_packages)
  find_package(Threads REQUIRED)

  find_package(TBB QUIET)
  if(NOT TBB_FOUND)
    _paragrain_missing("oneTBB" libtbb-dev)
  endif()

  find_package(nlohmann_json 3.9 QUIET)
  if(NOT nlohmann_json_FOUND)
    _paragrain_missing("nlohmann-json" nlohmann-json3-dev)
  endif()

  find_path(VALIJSON_INCLUDE_DIR valijson/validator.hpp)
  if(NOT VALIJSON_INCLUDE_DIR)
    _paragrain_missing("valijson" libvalijson-dev)
  endif()

  # Thrust comes from the CUDA Toolkit in a CUDA build, also for the CPU sources, and from Debian
  # otherwise.
  if(PARAGRAIN_HAVE_CUDA)
    find_path(PARAGRAIN_THRUST_INCLUDE_DIR thrust/version.h NO_CACHE NO_DEFAULT_PATH
      HINTS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} PATH_SUFFIXES cccl)
  else()
    find_path(PARAGRAIN_THRUST_INCLUDE_DIR thrust/version.h NO_CACHE)
  endif()
  if(NOT PARAGRAIN_THRUST_INCLUDE_DIR)
    _paragrain_missing("Thrust" libthrust-dev)
  endif()
  message(STATUS "ParaGrain: Thrust in ${PARAGRAIN_THRUST_INCLUDE_DIR}")

  if(PARAGRAIN_PLUGIN)
    paragrain_check_debian_modules()
    find_package(ParaView QUIET COMPONENTS RemotingCore RemotingViews)
    if(NOT ParaView_FOUND)
      message(STATUS "${ParaView_NOT_FOUND_MESSAGE}")
      _paragrain_missing("ParaView's development files (or ParaView_DIR=<ParaView build>)"
        "paraview-dev python3-paraview libopenmpi-dev libglew-dev libfreetype-dev")
    endif()
    paragrain_find_paraview_libraries()
    message(STATUS "ParaGrain: ParaView ${ParaView_VERSION}")
  endif()

  if(PARAGRAIN_TESTING)
    find_package(GTest QUIET)
    if(NOT GTest_FOUND)
      _paragrain_missing("GoogleTest" libgtest-dev)
    endif()
    find_package(Eigen3 QUIET NO_MODULE)
    if(NOT Eigen3_FOUND)
      _paragrain_missing("Eigen" libeigen3-dev)
    endif()
    find_package(Boost QUIET CONFIG COMPONENTS context)
    if(NOT Boost_FOUND)
      _paragrain_missing("Boost.Context" libboost-context-dev)
    endif()
  endif()
endmacro()

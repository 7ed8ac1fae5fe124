# Packages of the plugin, made by cpack in a build folder:
#   cpack -G DEB   for the Debian whose ParaView the build used. ParaView finds and loads the plugin.
#   cpack -G ZIP   a folder that can be moved, for ParaView's binaries from paraview.org. It holds
#                  oneTBB. The CUDA runtime is linked statically.
# Packaging/arrange.cmake puts the files where each package needs them.
set(paraview ${ParaView_VERSION_MAJOR}.${ParaView_VERSION_MINOR})
set(CPACK_PACKAGE_NAME paragrain)
set(CPACK_PACKAGE_VENDOR ParaGrain)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "granular matter that runs inside ParaView (plugin)")
set(CPACK_PACKAGE_DESCRIPTION
  "Simulations of the Discrete Element Method and the Material Point Method on GPUs and CPUs as \
parts of ParaView pipelines, and filters for contact networks, force chains, averages and \
statistics of grains.")
set(CPACK_PACKAGE_CONTACT "The ParaGrain contributors")
set(CPACK_RESOURCE_FILE_LICENSE "${ParaGrain_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime plugin)
set(CPACK_PRE_BUILD_SCRIPTS "${ParaGrain_SOURCE_DIR}/Packaging/arrange.cmake")
set(CPACK_PARAVIEW ${paraview})
set(CPACK_PLUGIN_FOLDER lib/paraview-${paraview}/plugins)

if(NOT CPACK_GENERATOR)
  set(CPACK_GENERATOR ZIP) # cpack -G has precedence
endif()
set(CPACK_PROJECT_CONFIG_FILE "${ParaGrain_SOURCE_DIR}/Packaging/generator.cmake")

# Debian
set(CPACK_DEBIAN_PACKAGE_SECTION science)
math(EXPR _next "${ParaView_VERSION_PATCH} + 1")
set(_paraview_full ${paraview}.${ParaView_VERSION_PATCH})
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "paraview (>= ${_paraview_full}), paraview (<< ${paraview}.${_next}~), libtbb12, libc6, libstdc++6")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3-paraview)
set(CPACK_DEBIAN_PACKAGE_RELEASE "paraview${_paraview_full}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_LIBRARY_ARCHITECTURE "${CMAKE_LIBRARY_ARCHITECTURE}")

# Folder that can be moved
get_target_property(CPACK_TBB TBB::tbb IMPORTED_LOCATION_RELEASE)
if(NOT CPACK_TBB)
  get_target_property(CPACK_TBB TBB::tbb IMPORTED_LOCATION_NONE)
endif()
get_target_property(CPACK_TBB_NAME TBB::tbb IMPORTED_SONAME_RELEASE)
if(NOT CPACK_TBB_NAME)
  get_target_property(CPACK_TBB_NAME TBB::tbb IMPORTED_SONAME_NONE)
endif()

include(CPack)

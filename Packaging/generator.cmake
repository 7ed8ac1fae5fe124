# Settings that differ between the packages; read by cpack for each generator.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  set(CPACK_PACKAGE_FILE_NAME
    "ParaGrain-${CPACK_PACKAGE_VERSION}-ParaView-${CPACK_PARAVIEW}-Linux-x86_64")
endif()

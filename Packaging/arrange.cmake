# Puts the installed files where a package needs them. Run by cpack before it makes the package, in
# the folder CPACK_TEMPORARY_DIRECTORY.
set(top "${CPACK_TEMPORARY_DIRECTORY}")
if(CPACK_GENERATOR STREQUAL "DEB")
  set(usr "${top}/usr")
  set(libraries "lib/${CPACK_LIBRARY_ARCHITECTURE}/paraview-${CPACK_PARAVIEW}/plugins")
  file(MAKE_DIRECTORY "${usr}/${libraries}")
  file(RENAME "${usr}/${CPACK_PLUGIN_FOLDER}/ParaGrain" "${usr}/${libraries}/ParaGrain")
  file(REMOVE_RECURSE "${usr}/lib/paraview-${CPACK_PARAVIEW}" "${usr}/include")
  file(REMOVE_RECURSE "${usr}/${libraries}/ParaGrain/vtk")
  # ParaView's programs read paraview.conf beside them. It names lists of plugins: Debian's own,
  # which is read without such a file, and that of this package.
  file(WRITE "${usr}/${libraries}/ParaGrain.plugins.xml" "<?xml version=\"1.0\"?>
<Plugins>
  <Plugin name=\"ParaGrain\" auto_load=\"1\"/>
</Plugins>
")
  file(WRITE "${usr}/bin/paraview.conf" "/usr/${libraries}/paraview.plugins.xml
/usr/${libraries}/ParaGrain.plugins.xml
")
  file(MAKE_DIRECTORY "${usr}/share/doc/paragrain")
  configure_file("${CPACK_RESOURCE_FILE_LICENSE}" "${usr}/share/doc/paragrain/copyright" COPYONLY)
else()
  file(GLOB folder "${top}/${CPACK_PLUGIN_FOLDER}/ParaGrain")
  file(RENAME "${folder}" "${top}/ParaGrain")
  file(REMOVE_RECURSE "${top}/lib" "${top}/include" "${top}/ParaGrain/vtk")
  configure_file("${CPACK_TBB}" "${top}/ParaGrain/${CPACK_TBB_NAME}" COPYONLY)
  file(COPY "${CPACK_RESOURCE_FILE_LICENSE}" DESTINATION "${top}/ParaGrain")
  file(WRITE "${top}/ParaGrain/README.txt" "ParaGrain ${CPACK_PACKAGE_VERSION} for ParaView ${CPACK_PARAVIEW} from paraview.org

In the window: Tools > Manage Plugins > Load New, choose ParaGrain.so of this folder, tick Auto Load.
In scripts: PV_PLUGIN_PATH=<this folder's parent> pvpython script.py
")
endif()

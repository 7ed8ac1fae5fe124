# Puts the installed files where a package needs them. Run by cpack before it makes the package, in
# the folder CPACK_TEMPORARY_DIRECTORY.
set(top "${CPACK_TEMPORARY_DIRECTORY}")
if(CPACK_GENERATOR STREQUAL "DEB")
  set(usr "${top}/usr")
  set(libraries "lib/${CPACK_LIBRARY_ARCHITECTURE}/paraview-${CPACK_PARAVIEW}/plugins")
  file(MAKE_DIRECTORY "${usr}/${libraries}")
  file(RENAME "${usr}/${CPACK_PLUGIN_FOLDER}/ParaGrain" "${usr}/${libraries}/ParaGrain")
  file(REMOVE_RECURSE "${usr}/lib/paraview-${CPACK_PARAVIEW}" "${usr}/include")
  file(GLOB archives "${usr}/lib/*.a")
  file(REMOVE_RECURSE "${usr}/${libraries}/ParaGrain/vtk" ${archives})
  # ParaView reads lists of plugins. Those of Debian 13 and newer also read the file
  # /usr/share/paraview/plugins. That of Debian 12 reads the lists that are named in a file
  # paraview.conf beside its programs; without one it reads its own list alone.
  set(list "<?xml version=\"1.0\"?>
<Plugins>
  <Plugin name=\"ParaGrain\" auto_load=\"1\" filename=\"/usr/${libraries}/ParaGrain/ParaGrain.so\"/>
</Plugins>
")
  if(CPACK_PARAVIEW VERSION_LESS 5.12)
    file(WRITE "${usr}/${libraries}/ParaGrain.plugins.xml" "${list}")
    file(WRITE "${usr}/bin/paraview.conf" "/usr/${libraries}/paraview.plugins.xml
/usr/${libraries}/ParaGrain.plugins.xml
")
  else()
    file(WRITE "${usr}/share/paraview/plugins" "${list}")
  endif()
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

# Generates the header Scene/File/SceneSchema.h in the build tree from Data/dem.schema.json and
# Data/mpm.schema.json, so that the schemas are written only once. Sets PARAGRAIN_SCHEMA_INCLUDE_DIR, the folder to include from.
set(_paragrain_schema "${CMAKE_CURRENT_LIST_DIR}/../../../Data/dem.schema.json")
set(PARAGRAIN_SCHEMA_INCLUDE_DIR "${CMAKE_CURRENT_BINARY_DIR}/schema" CACHE INTERNAL
  "where Scene/File/SceneSchema.h is")
set(_paragrain_mpm_schema "${CMAKE_CURRENT_LIST_DIR}/../../../Data/mpm.schema.json")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_paragrain_schema}"
  "${_paragrain_mpm_schema}")
file(READ "${_paragrain_schema}" PARAGRAIN_SCHEMA_TEXT)
file(READ "${_paragrain_mpm_schema}" PARAGRAIN_MPM_SCHEMA_TEXT)
configure_file("${CMAKE_CURRENT_LIST_DIR}/SceneSchema.h.in"
  "${PARAGRAIN_SCHEMA_INCLUDE_DIR}/Scene/File/SceneSchema.h" @ONLY)

# Turns Data/dem.schema.json into the header Solver/SceneSchema.h of the build tree, so that the schema is written once.
# Sets PARAGRAIN_SCHEMA_INCLUDE_DIR, the folder to include from.
set(_paragrain_schema "${CMAKE_CURRENT_LIST_DIR}/../../Data/dem.schema.json")
set(PARAGRAIN_SCHEMA_INCLUDE_DIR "${CMAKE_CURRENT_BINARY_DIR}/schema" CACHE INTERNAL "where Solver/SceneSchema.h is")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_paragrain_schema}")
file(READ "${_paragrain_schema}" PARAGRAIN_SCHEMA_TEXT)
configure_file("${CMAKE_CURRENT_LIST_DIR}/detail/SceneSchema.h.in" "${PARAGRAIN_SCHEMA_INCLUDE_DIR}/Solver/SceneSchema.h" @ONLY)

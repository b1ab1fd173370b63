# One program per file in examples/. They see only the public headers, as user programs do.

file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp ${PROJECT_SOURCE_DIR}/examples/*.c)
add_custom_target(examples)
foreach(source IN LISTS example_sources)
  cmake_path(GET source STEM name)
  # Additional libraries from a "// link:" line; ./run reads the same line.
  file(STRINGS ${source} link_line REGEX "^// link: " LIMIT_COUNT 1)
  string(REGEX REPLACE "^// link: " "" link_line "${link_line}")
  separate_arguments(libraries UNIX_COMMAND "${link_line}")
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE trueasync::trueasync trueasync_warnings ${libraries})
  set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name} CXX_EXTENSIONS OFF C_STANDARD 11
                                                   RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  add_dependencies(examples example_${name})
endforeach()

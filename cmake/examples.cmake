# One program per file in examples/. They see only the public headers, as user programs do. An example whose library or
# header is not installed has no target.
include(CheckIncludeFileCXX)

# Sets `result` to the libraries (-lNAME) and headers of the example that are not installed.
function(trueasync_find_missing_parts source libraries result)
  set(missing)
  foreach(library IN LISTS libraries)
    string(REGEX REPLACE "^-l" "" name "${library}")
    find_library(TRUEASYNC_LIBRARY_${name} ${name})
    mark_as_advanced(TRUEASYNC_LIBRARY_${name})
    if(NOT TRUEASYNC_LIBRARY_${name})
      list(APPEND missing lib${name})
    endif()
  endforeach()
  file(STRINGS ${source} include_lines REGEX "^#include <.*\\.h>")
  foreach(line IN LISTS include_lines)
    string(REGEX REPLACE "^#include <(.*)>.*" "\\1" header "${line}")
    if(header STREQUAL "trueasync.h")
      continue()
    endif()
    string(MAKE_C_IDENTIFIER "TRUEASYNC_HAS_${header}" variable)
    check_include_file_cxx(${header} ${variable})
    if(NOT ${variable})
      list(APPEND missing ${header})
    endif()
  endforeach()
  list(JOIN missing ", " missing)
  set(${result} "${missing}" PARENT_SCOPE)
endfunction()

file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp ${PROJECT_SOURCE_DIR}/examples/*.c)
add_custom_target(examples)
foreach(source IN LISTS example_sources)
  cmake_path(GET source STEM name)
  # Additional libraries from a "// link:" line; ./run reads the same line.
  file(STRINGS ${source} link_line REGEX "^// link: " LIMIT_COUNT 1)
  string(REGEX REPLACE "^// link: " "" link_line "${link_line}")
  separate_arguments(libraries UNIX_COMMAND "${link_line}")
  if(libraries)
    trueasync_find_missing_parts(${source} "${libraries}" missing)
    if(missing)
      message(STATUS "examples/${name}: not built: missing ${missing}")
      continue()
    endif()
  endif()
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE trueasync::trueasync trueasync_warnings ${libraries})
  set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name} CXX_EXTENSIONS OFF C_STANDARD 11
                                                   RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  add_dependencies(examples example_${name})
  if(TRUEASYNC_BUILD_TESTS)
    trueasync_add_example_test(examples/${name} examples/expected/${name}.txt PROGRAM $<TARGET_FILE:example_${name}>
                               LABELS example NEEDS example_${name} TIMEOUT 30)
  endif()
endforeach()

if(TRUEASYNC_BUILD_TESTS AND TARGET example_http_server)
  trueasync_add_python_test(web tests/web/run.py ARGUMENTS $<TARGET_FILE:example_http_server> LABELS servers
                            NEEDS example_http_server SERIAL)
endif()
if(TRUEASYNC_BUILD_TESTS AND TARGET example_blocking_postgres)
  trueasync_add_example_test(
    servers/blocking_postgres examples/expected/blocking_postgres_served.txt
    PROGRAM ${Python3_EXECUTABLE} scripts/servers/run_with.py $<TARGET_FILE:example_blocking_postgres>
    LABELS servers
    NEEDS example_blocking_postgres SERIAL)
endif()

# The test registry. CTest knows every test of the project; scripts/ctest/main.py runs the presets one after another.
#
# Labels: unit, integration, stress (GoogleTest programs); check, example, php, servers, fuzz, valgrind. Programs have
# further labels by which a preset selects them: core, switching, templates, threads.

find_package(Python3 COMPONENTS Interpreter QUIET)
cmake_host_system_information(RESULT TRUEASYNC_PROCESSORS QUERY NUMBER_OF_LOGICAL_CORES)
set(TRUEASYNC_TEST_TIMEOUT 180 CACHE STRING "Timeout of one GoogleTest program in seconds; sanitizers need more")

# trueasync_add_test(NAME COMMAND... [LABELS...] [NEEDS targets...] [TIMEOUT seconds] [SERIAL] [PARALLEL])
# NEEDS: the targets whose files the test uses. scripts/ctest/main.py builds exactly these. SERIAL: no other test runs at the same time,
# because the test depends on response times. PARALLEL: the command itself starts one process per processor.
function(trueasync_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "SERIAL;PARALLEL" "TIMEOUT" "COMMAND;LABELS;NEEDS")
  add_test(NAME ${name} COMMAND ${test_COMMAND} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set(files)
  foreach(target IN LISTS test_NEEDS)
    list(APPEND files $<TARGET_FILE:${target}>)
  endforeach()
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 600)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${test_LABELS}" REQUIRED_FILES "${files}" TIMEOUT ${test_TIMEOUT}
                                          SKIP_RETURN_CODE 77)
  if(test_SERIAL)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
  endif()
  if(test_PARALLEL)
    set_tests_properties(${name} PROPERTIES PROCESSORS ${TRUEASYNC_PROCESSORS})
  endif()
endfunction()

# A test that runs a script of the project with Python. The programs that it starts inherit the settings of the launcher.
function(trueasync_add_python_test name script)
  set(launcher)
  if(NOT CMAKE_CROSSCOMPILING)
    set(launcher ${CMAKE_CROSSCOMPILING_EMULATOR})
  endif()
  if(Python3_FOUND)
    cmake_parse_arguments(PARSE_ARGV 2 test "" "" "ARGUMENTS")
    trueasync_add_test(${name} COMMAND ${launcher} ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/${script} ${test_ARGUMENTS}
                       ${test_UNPARSED_ARGUMENTS})
  endif()
endfunction()

# A test that runs a program and compares its output with a file of expected lines.
function(trueasync_add_example_test name expected)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "" "PROGRAM")
  trueasync_add_python_test(${name} scripts/ctest/check_output.py ARGUMENTS ${expected} ${test_PROGRAM}
                            ${test_UNPARSED_ARGUMENTS})
endfunction()

# The tests of the PHP extension. An ASan build runs the phpt files of the core only; a TSan build none.
if(NOT TARGET true_async OR NOT Python3_FOUND)
  return()
endif()

function(trueasync_add_phpt_test name configuration timeout)
  trueasync_add_python_test(
    ${name} scripts/ctest/phpt.py
    ARGUMENTS ${configuration} $<TARGET_FILE:true_async> ${PROJECT_BINARY_DIR}/php-tests/${configuration}
    LABELS php
    NEEDS true_async
    TIMEOUT ${timeout} SERIAL)
endfunction()

if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
  trueasync_add_phpt_test(php-asan asan 900)
endif()
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  return()
endif()

trueasync_add_phpt_test(php plain 400)
trueasync_add_phpt_test(php-servers servers 600)
trueasync_add_phpt_test(php-jit jit 400)
trueasync_add_phpt_test(php-valgrind valgrind 600)

find_program(TRUEASYNC_PHP php)
if(NOT TRUEASYNC_PHP)
  message(STATUS "tests: PHP examples are not run: php is missing (Debian: php8.2-cli)")
  return()
endif()
set(php_with_extension ${TRUEASYNC_PHP} -n -d extension=$<TARGET_FILE:true_async>)
trueasync_add_test(php-generated COMMAND ${TRUEASYNC_PHP} -n php/tools/generate.php --check LABELS php)
trueasync_add_test(php-signatures COMMAND ${php_with_extension} php/tools/signatures.php LABELS php NEEDS true_async)
trueasync_add_python_test(php-docs scripts/check_docs.py
                          ARGUMENTS --php "${TRUEASYNC_PHP} -n -d extension=$<TARGET_FILE:true_async>" LABELS php
                          NEEDS true_async)
file(GLOB fuzzers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/php/tests/fuzz/*.php)
foreach(file IN LISTS fuzzers)
  cmake_path(GET file STEM name)
  trueasync_add_test(php-fuzz/${name} COMMAND ${php_with_extension} ${file} LABELS php NEEDS true_async)
endforeach()
if(TRUEASYNC_CHECKS)
  trueasync_add_test(php-install COMMAND bash tests/php/install.sh ${PROJECT_BINARY_DIR}/php-install LABELS php
                     TIMEOUT 900 PARALLEL)
endif()

# The examples. A line '// needs: pdo pdo_sqlite' lists PHP modules, a line '// servers: …' asks for the servers.
file(GLOB php_examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/php/*.php)
foreach(file IN LISTS php_examples)
  cmake_path(GET file STEM name)
  file(STRINGS ${file} needs REGEX "^// needs: " LIMIT_COUNT 1)
  string(REGEX REPLACE "^// needs: " "" needs "${needs}")
  separate_arguments(needs)
  list(TRANSFORM needs PREPEND "extension=" OUTPUT_VARIABLE modules)
  list(TRANSFORM modules REPLACE "(.+)" "-d;\\1")
  file(STRINGS ${file} servers REGEX "^// servers: " LIMIT_COUNT 1)
  set(launcher)
  if(servers)
    set(launcher ${Python3_EXECUTABLE} scripts/servers/run_with.py)
  endif()
  trueasync_add_example_test(
    php-examples/${name} examples/php/expected/${name}.txt
    PROGRAM ${launcher} ${TRUEASYNC_PHP} -n ${modules} -d extension=$<TARGET_FILE:true_async> ${file}
    LABELS php
    NEEDS true_async
    TIMEOUT 60)
endforeach()

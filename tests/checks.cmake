# The tests that are not GoogleTest programs. Each script prints 'ok - …', 'not ok - …' or 'skip - …' per check.

# Checks of the sources, of the scripts and of the installed library.
if(TRUEASYNC_CHECKS)
  trueasync_add_python_test(layers/self-test scripts/check_layers.py ARGUMENTS --self-test LABELS check)
  trueasync_add_python_test(language/self-test scripts/check_language.py ARGUMENTS --self-test LABELS check)
  trueasync_add_python_test(spec/self-test scripts/spec_tables.py ARGUMENTS --self-test LABELS check)
  trueasync_add_python_test(docs/self-test scripts/check_docs.py ARGUMENTS --self-test LABELS check)
  trueasync_add_python_test(layers/tree scripts/check_layers.py LABELS check)
  trueasync_add_python_test(language/tree scripts/check_language.py LABELS check)
  trueasync_add_python_test(language/commits scripts/check_language.py ARGUMENTS --commits LABELS check)
  trueasync_add_python_test(spec/tables scripts/spec_tables.py ARGUMENTS --check LABELS check)
  trueasync_add_python_test(docs/pages scripts/check_docs.py LABELS check)
  trueasync_add_test(docs/site COMMAND ${PROJECT_SOURCE_DIR}/scripts/build-docs LABELS check)
  trueasync_add_test(format COMMAND ${PROJECT_SOURCE_DIR}/scripts/format --check LABELS check)
  trueasync_add_python_test(headers scripts/check_headers.py ARGUMENTS -j${TRUEASYNC_PROCESSORS} LABELS check PARALLEL)
  file(GLOB script_tests CONFIGURE_DEPENDS checks/*_test.py)
  foreach(file IN LISTS script_tests)
    cmake_path(GET file STEM name)
    trueasync_add_python_test(drivers/${name} tests/checks/${name}.py LABELS check)
  endforeach()
  foreach(name scripts install abi gdb)
    set(script tests/${name}/run.sh)
    if(name STREQUAL "scripts")
      set(script tests/checks/scripts.sh)
    endif()
    trueasync_add_test(
      ${name}
      COMMAND bash ${PROJECT_SOURCE_DIR}/${script} ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/${name}-test
      LABELS check
      NEEDS trueasync_static trueasync_shared SERIAL)
  endforeach()
endif()

# Real servers that are killed and restarted during use.
foreach(name redis postgres)
  if(TARGET trueasync_${name} AND TARGET database_client)
    trueasync_add_python_test(
      servers/${name} tests/servers/run.py
      ARGUMENTS ${name} $<TARGET_FILE:database_client> $<TARGET_FILE:trueasync_${name}>
      LABELS servers
      NEEDS database_client trueasync_${name}
      TIMEOUT 1800 SERIAL)
  endif()
endforeach()

# The programs of the core under valgrind.
find_program(TRUEASYNC_VALGRIND valgrind)
if(TRUEASYNC_VALGRIND AND TRUEASYNC_CHECKS)
  foreach(name IN LISTS label_core)
    trueasync_add_test(
      valgrind/${name}
      COMMAND ${TRUEASYNC_VALGRIND} --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite
              --child-silent-after-fork=yes --suppressions=${CMAKE_CURRENT_SOURCE_DIR}/checks/valgrind.supp
              $<TARGET_FILE:${name}> --gtest_filter=-*Death*:*Stress*
      LABELS valgrind
      NEEDS ${name}
      TIMEOUT 600)
  endforeach()
endif()

# The library. The objects are compiled once, position-independent with hidden symbols, and used for both the static and the
# shared library.

if(TRUEASYNC_ONLY_MODULES)
  set(module_globs)
  foreach(module IN LISTS TRUEASYNC_ONLY_MODULES)
    list(APPEND module_globs ${PROJECT_SOURCE_DIR}/src/${module}/*.cpp ${PROJECT_SOURCE_DIR}/src/${module}/*.S)
  endforeach()
else()
  set(module_globs ${PROJECT_SOURCE_DIR}/src/*.cpp ${PROJECT_SOURCE_DIR}/src/*.c ${PROJECT_SOURCE_DIR}/src/*.S)
endif()
file(GLOB_RECURSE trueasync_sources CONFIGURE_DEPENDS ${module_globs})

# A file name that ends in a CPU name or in _boost restricts the file to that configuration.
if(TRUEASYNC_CONTEXT STREQUAL "boost")
  list(FILTER trueasync_sources EXCLUDE REGEX "_(x86_64|aarch64)\\.(cpp|S)$")
else()
  list(FILTER trueasync_sources EXCLUDE REGEX "_boost\\.cpp$")
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    list(FILTER trueasync_sources EXCLUDE REGEX "_x86_64\\.(cpp|S)$")
  endif()
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    list(FILTER trueasync_sources EXCLUDE REGEX "_aarch64\\.(cpp|S)$")
  endif()
endif()
if(NOT TRUEASYNC_TLS)
  list(FILTER trueasync_sources EXCLUDE REGEX "/src/tls/")
endif()

add_library(trueasync_objects OBJECT ${trueasync_sources})
target_link_libraries(trueasync_objects PRIVATE trueasync_internal)
set_target_properties(
  trueasync_objects
  PROPERTIES POSITION_INDEPENDENT_CODE ON
             CXX_EXTENSIONS OFF
             CXX_VISIBILITY_PRESET hidden
             C_VISIBILITY_PRESET hidden
             VISIBILITY_INLINES_HIDDEN ON)
# initial-exec: reading the current scheduler is a single load, also in the shared library. The unwind tables let
# debuggers and profilers unwind a coroutine from any instruction.
target_compile_options(
  trueasync_objects
  PRIVATE "$<$<COMPILE_LANGUAGE:C,CXX>:-ftls-model=initial-exec;-fasynchronous-unwind-tables;-fno-semantic-interposition>")

set_source_files_properties(${PROJECT_SOURCE_DIR}/src/capi/tables.cpp
                            PROPERTIES COMPILE_DEFINITIONS "TRUEASYNC_VERSION=\"${PROJECT_VERSION}\"")

# Parsing the standard headers takes longer than compiling most of these files, so they are precompiled. The clang build
# does not precompile them, so that a missing #include is found.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT TRUEASYNC_ONLY_MODULES)
  set(standard_headers <algorithm> <array> <atomic> <chrono> <cstdint> <exception> <functional> <memory> <optional> <span>
                       <string> <unordered_map> <utility> <vector>)
  list(TRANSFORM standard_headers REPLACE "(.+)>" "$<$<COMPILE_LANGUAGE:CXX>:\\1$<ANGLE-R>>")
  target_precompile_headers(trueasync_objects PRIVATE ${standard_headers})
endif()

# A frame larger than the guard page must not skip it.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag("-Werror -fstack-clash-protection" TRUEASYNC_HAS_STACK_CLASH_PROTECTION)
if(TRUEASYNC_HAS_STACK_CLASH_PROTECTION)
  target_compile_options(trueasync_objects PRIVATE "$<$<COMPILE_LANGUAGE:C,CXX>:-fstack-clash-protection>")
endif()

function(trueasync_add_library target kind export_name)
  add_library(${target} ${kind} $<TARGET_OBJECTS:trueasync_objects>)
  add_library(trueasync::${export_name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME trueasync EXPORT_NAME ${export_name} LINKER_LANGUAGE CXX)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE Threads::Threads)
  if(TARGET PkgConfig::TRUEASYNC_LIBUV)
    target_link_libraries(${target} PRIVATE PkgConfig::TRUEASYNC_LIBUV)
  endif()
  if(TRUEASYNC_TLS)
    target_link_libraries(${target} PRIVATE OpenSSL::SSL)
  endif()
  if(TRUEASYNC_CONTEXT STREQUAL "boost")
    target_link_libraries(${target} PRIVATE Boost::context)
  endif()
endfunction()

trueasync_add_library(trueasync_static STATIC static)
if(TRUEASYNC_ONLY_MODULES)
  return()
endif()
trueasync_add_library(trueasync_shared SHARED shared)
set_target_properties(trueasync_shared PROPERTIES VERSION ${PROJECT_VERSION}
                                                  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# The target to link against. BUILD_SHARED_LIBS selects the library.
add_library(trueasync INTERFACE)
add_library(trueasync::trueasync ALIAS trueasync)
if(BUILD_SHARED_LIBS)
  target_link_libraries(trueasync INTERFACE trueasync_shared)
else()
  target_link_libraries(trueasync INTERFACE trueasync_static)
endif()

# Compile options of all targets. They are interface targets, so they do not affect a project that includes this one.

add_library(trueasync_warnings INTERFACE)
target_compile_options(
  trueasync_warnings
  INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow>"
            "$<$<AND:$<BOOL:${TRUEASYNC_WERROR}>,$<COMPILE_LANGUAGE:C,CXX>>:-Werror>")

find_package(Threads REQUIRED)
if(NOT TRUEASYNC_ONLY_MODULES)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(TRUEASYNC_LIBUV REQUIRED IMPORTED_TARGET libuv>=1.44)
  find_package(OpenSSL 3)
endif()
if(OPENSSL_FOUND)
  set(TRUEASYNC_TLS ON)
else()
  set(TRUEASYNC_TLS OFF)
  message(STATUS "trueasync/io/tls.hpp: declared but not built: OpenSSL 3 is missing (Debian: libssl-dev)")
endif()
if(TRUEASYNC_CONTEXT STREQUAL "boost")
  find_package(Boost REQUIRED COMPONENTS context)
endif()

# For the library's own files and for tests and benchmarks that include internal headers.
add_library(trueasync_internal INTERFACE)
target_compile_features(trueasync_internal INTERFACE cxx_std_20)
target_include_directories(trueasync_internal INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(trueasync_internal INTERFACE trueasync_warnings Threads::Threads)
if(TARGET PkgConfig::TRUEASYNC_LIBUV)
  target_link_libraries(trueasync_internal INTERFACE PkgConfig::TRUEASYNC_LIBUV)
endif()
if(TRUEASYNC_TLS)
  target_link_libraries(trueasync_internal INTERFACE OpenSSL::SSL)
endif()
if(TRUEASYNC_CONTEXT STREQUAL "boost")
  target_compile_definitions(trueasync_internal INTERFACE TRUEASYNC_CONTEXT_BOOST)
  target_link_libraries(trueasync_internal INTERFACE Boost::context)
endif()

# cmake --install: headers, both libraries, the CMake package, two pkg-config files and the gdb commands.

include(CMakePackageConfigHelpers)

set(trueasync_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/trueasync)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS trueasync_static trueasync_shared EXPORT trueasyncTargets)
install(EXPORT trueasyncTargets NAMESPACE trueasync:: DESTINATION ${trueasync_cmake_dir})

configure_package_config_file(cmake/trueasyncConfig.cmake.in ${PROJECT_BINARY_DIR}/trueasyncConfig.cmake
                              INSTALL_DESTINATION ${trueasync_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trueasyncConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/trueasyncConfig.cmake ${PROJECT_BINARY_DIR}/trueasyncConfigVersion.cmake
        DESTINATION ${trueasync_cmake_dir})

# The prefix is relative to the .pc file, so an installed tree can be moved and `cmake --install --prefix` works.
file(RELATIVE_PATH trueasync_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" trueasync_pc_prefix "${trueasync_pc_prefix}")
set(trueasync_pc_private "-pthread -lstdc++") # C programs do not link libstdc++ by default
set(trueasync_pc_requires "libuv >= 1.44")
if(TRUEASYNC_TLS)
  string(APPEND trueasync_pc_requires ", libssl >= 3, libcrypto >= 3")
endif()
if(TRUEASYNC_CONTEXT STREQUAL "boost")
  string(APPEND trueasync_pc_private " -lboost_context")
endif()
foreach(name trueasync trueasync-static)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(EXISTS ${PROJECT_SOURCE_DIR}/tools/gdb)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/tools/gdb DESTINATION ${CMAKE_INSTALL_DATADIR}/trueasync
          FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/trueasync)

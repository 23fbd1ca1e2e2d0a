# What `cmake --install` puts where: the library with its headers and CMake package, the program, scenes to start from.
# Shared libraries' dependencies are their own, so a project that uses one needs nothing but
#   find_package(throng 0.1 REQUIRED)
#   target_link_libraries(mine PRIVATE throng::throng)    # or throng::core, without files, pictures and models
# The static one brings its dependencies along and is asked for: find_package(throng 0.1 REQUIRED COMPONENTS static).
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/throng)

install(TARGETS throng throng_core EXPORT throng_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS throng_core_static EXPORT throng_static_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/throng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")

install(EXPORT throng_targets FILE throng-targets.cmake NAMESPACE throng:: DESTINATION ${package_folder})
install(EXPORT throng_static_targets FILE throng-static-targets.cmake NAMESPACE throng:: DESTINATION ${package_folder})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/throng-config.cmake.in
  ${PROJECT_BINARY_DIR}/throng-config.cmake INSTALL_DESTINATION ${package_folder}
  PATH_VARS CMAKE_INSTALL_DATADIR)
# Until 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/throng-config-version.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/throng-config.cmake ${PROJECT_BINARY_DIR}/throng-config-version.cmake
  DESTINATION ${package_folder})

# The program finds the library beside it, wherever the two were installed.
if(TARGET throng_program)
  file(RELATIVE_PATH library_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(throng_program PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_program}")
  install(TARGETS throng_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/throng/scenes
  FILES_MATCHING PATTERN "*.json" PATTERN "*.geojson" PATTERN "*.wkt" PATTERN "*.ppm")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

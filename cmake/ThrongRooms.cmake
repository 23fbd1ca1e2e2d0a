# One folder of src/ is one room: one target, one namespace, one folder in tests/. A room names its doors (the rooms it
# may include from); docs/architecture.md shows them all, and tests/house checks that the includes agree.

find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(hwy REQUIRED)
find_package(GEOS REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5)
pkg_check_modules(ASSIMP REQUIRED IMPORTED_TARGET assimp)

# What every target of the house is compiled with. Contraction off and no fast-math: the same bytes on every machine.
add_library(throng_flags INTERFACE)
target_compile_features(throng_flags INTERFACE cxx_std_20)
target_compile_options(throng_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers
                                              -ffp-contract=off -fno-math-errno -fno-semantic-interposition)
# g++ 12 with -ftree-slp-vectorize drops the rounding of two doubles that go to float and back: Point{float(x), float(y)}
# would keep all its bits. Four of its warnings are wrong about the standard library's strings and vectors (GCC bugs
# 105651, 107852).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(throng_flags INTERFACE -fno-tree-slp-vectorize -Wno-restrict -Wno-array-bounds
                                                -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# g++ looks for memory to use again from 128 MB on, though a batch of files needs half a GB: that takes a tenth of its time.
# Where there is memory for all compilers at once, it may let it be.
cmake_host_system_information(RESULT host_memory QUERY TOTAL_PHYSICAL_MEMORY) # MiB
cmake_host_system_information(RESULT host_cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR memory_per_core "${host_memory} / ${host_cores}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND memory_per_core GREATER 3000)
  target_compile_options(throng_flags INTERFACE --param=ggc-min-heapsize=1000000)
endif()
if(THRONG_SANITIZE)
  target_compile_options(throng_flags INTERFACE -fsanitize=${THRONG_SANITIZE} -fno-sanitize-recover=all
                                                -fno-omit-frame-pointer)
  target_link_options(throng_flags INTERFACE -fsanitize=${THRONG_SANITIZE})
endif()
# Null pointers are found without it, and half of the compiler's time with it goes into these.
if(THRONG_SANITIZE MATCHES undefined)
  target_compile_options(throng_flags INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
endif()
if(THRONG_FUZZ)
  target_compile_options(throng_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(NOT THRONG_SIMD)
  target_compile_definitions(throng_flags INTERFACE HWY_COMPILE_ONLY_SCALAR)
endif()

# Standard headers that most rooms include, compiled once for all of them where only speed counts. The strict stage
# compiles without them, and so finds the file that forgot one.
if(THRONG_UNITY AND NOT THRONG_SANITIZE AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  set(THRONG_ROOM_HEADERS ON)
  file(WRITE ${PROJECT_BINARY_DIR}/room_headers.cpp "// Nothing of its own.\n")
  add_library(throng_room_headers OBJECT ${PROJECT_BINARY_DIR}/room_headers.cpp)
  target_link_libraries(throng_room_headers PRIVATE throng_flags fmt::fmt)
  set_target_properties(throng_room_headers PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                       VISIBILITY_INLINES_HIDDEN ON)
  target_precompile_headers(throng_room_headers PRIVATE <algorithm> <array> <cmath> <cstdint> <filesystem> <fmt/format.h>
    <functional> <limits> <map> <memory> <numeric> <optional> <set> <span> <string> <string_view> <utility> <variant> <vector>)
endif()

# throng_room(NAME DOORS room… SOURCES file… SEPARATE file… LIBRARIES target… [OWN_HEADERS])
# SEPARATE: sources that are compiled by themselves, also where THRONG_UNITY puts several together: those that are compiled
# once for each set of vector instructions, and those that name their parts alike. OWN_HEADERS: it precompiles headers that the
# others do not have.
function(throng_room name)
  cmake_parse_arguments(ROOM "OWN_HEADERS" "" "DOORS;SOURCES;SEPARATE;LIBRARIES" ${ARGN})
  add_library(throng_${name} STATIC ${ROOM_SOURCES} ${ROOM_SEPARATE})
  if(THRONG_UNITY)
    set_target_properties(throng_${name} PROPERTIES UNITY_BUILD ON)
    set_source_files_properties(${ROOM_SEPARATE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  endif()
  if(THRONG_FUZZ AND NOT name MATCHES "^(base|geometry|scene|places|import|ground|corridors|agents|record|serve)$")
    # No fuzz target reaches further.
    target_compile_options(throng_${name} PRIVATE -fno-sanitize=fuzzer-no-link)
  endif()
  set_target_properties(throng_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(THRONG_ROOM_HEADERS AND NOT ROOM_OWN_HEADERS)
    target_precompile_headers(throng_${name} REUSE_FROM throng_room_headers)
  endif()
  # Libraries show what the public headers declare, and nothing else. Not so in the sanitizers' builds, which nobody links:
  # the thread sanitizer has to meet oneTBB's inline functions as one, compiled without it.
  if(NOT THRONG_SANITIZE)
    set_target_properties(throng_${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
  target_include_directories(throng_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM ROOM_DOORS PREPEND throng_)
  target_link_libraries(throng_${name} PUBLIC throng_flags ${ROOM_DOORS} ${ROOM_LIBRARIES})
  set_property(GLOBAL PROPERTY THRONG_LIBRARIES_${name} ${ROOM_LIBRARIES})
endfunction()

# Links the many small programs of the tests in half the time.
find_program(THRONG_GOLD ld.gold)

# What all tests are compiled with, alike for all of them: so one precompiled header serves them.
function(throng_test_options target)
  if(THRONG_GOLD AND NOT THRONG_SANITIZE)
    target_link_options(${target} PRIVATE -fuse-ld=gold)
  endif()
  target_link_libraries(${target} PRIVATE throng_flags GTest::gtest_main GTest::gmock)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE FMT_SHARED THRONG_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               THRONG_BINARY_DIR="${PROJECT_BINARY_DIR}")
  # The code under test is optimised as users get it; the tests themselves are compiled quickly.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(THRONG_FUZZ)
    # Fuzz targets need to know what they reached in the rooms, nobody what a test reached in itself.
    target_compile_options(${target} PRIVATE -fno-sanitize=fuzzer-no-link)
  endif()
endfunction()

# throng_test(NAME LINKS target… SOURCES file… [THREADED] [TIMEOUT s]): one GoogleTest program. A test of a room links
# that room (and so, transitively, the rooms behind its doors, and nothing else). THREADED ones run under the thread
# sanitizer too.
function(throng_test name)
  cmake_parse_arguments(TEST "THREADED" "TIMEOUT" "SOURCES;LINKS" ${ARGN})
  add_executable(${name}_test ${TEST_SOURCES})
  if(THRONG_UNITY)
    set_target_properties(${name}_test PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  endif()
  target_link_libraries(${name}_test PRIVATE ${TEST_LINKS})
  throng_test_options(${name}_test)
  target_precompile_headers(${name}_test REUSE_FROM throng_test_headers)
  set_property(GLOBAL APPEND PROPERTY THRONG_UNIT_TESTS ${name}_test)
  set(labels "")
  if(TEST_THREADED)
    set(labels threaded)
    set_property(GLOBAL APPEND PROPERTY THRONG_THREADED_TESTS ${name}_test)
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 300)
  endif()
  if(THRONG_SANITIZE)
    # A process per program: starting one for each of a thousand tests takes longer than many of them.
    add_test(NAME ${name} COMMAND ${name}_test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 1800 LABELS "${labels}")
  else()
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT ${TEST_TIMEOUT} LABELS "${labels}")
  endif()
endfunction()

# SPDX-License-Identifier: Apache-2.0
# How every target of the project is compiled, and the two functions that make them.

find_package(fmt REQUIRED)
find_package(date REQUIRED)
find_package(pugixml REQUIRED)
find_package(simdjson REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(mozjs REQUIRED IMPORTED_TARGET mozjs-102)
# Its -isystem is an option in the second run of CMake and a folder in the first, and then all is compiled again.
list(REMOVE_ITEM mozjs_CFLAGS -isystem)
set_target_properties(PkgConfig::mozjs PROPERTIES INTERFACE_COMPILE_OPTIONS "" INTERFACE_INCLUDE_DIRECTORIES "${mozjs_CFLAGS}")
pkg_check_modules(seccomp REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(pcre2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(jemalloc REQUIRED IMPORTED_TARGET jemalloc)

pkg_check_modules(nghttp2 REQUIRED IMPORTED_TARGET libnghttp2)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Protobuf REQUIRED)

find_program(PAWL_CCACHE ccache)
if(PAWL_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${PAWL_CCACHE})
endif()
find_program(PAWL_MOLD mold)
if(PAWL_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

set(PAWL_BATCH 12 CACHE STRING "How many sources are compiled as one; 0: all of a module")

add_library(pawl_options INTERFACE)
target_include_directories(pawl_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(pawl_options INTERFACE -Wall -Wextra -Werror -Wshadow=local -Wnon-virtual-dtor -Wimplicit-fallthrough)
  # The compiler looks for garbage less often: 7 % less time for 200 MB more.
  target_compile_options(pawl_options INTERFACE --param=ggc-min-expand=100 --param=ggc-min-heapsize=500000)
  # The pch files of ccache need it; g++ 12 gives false alarms of the others at -O2 with inlining.
  target_compile_options(pawl_options INTERFACE -fpch-preprocess -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
else()
  target_compile_options(pawl_options INTERFACE -Wall -Wextra)  # clang builds the fuzz targets only
endif()
if(PAWL_SANITIZE)
  target_compile_options(pawl_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(pawl_options INTERFACE -fsanitize=address,undefined)
endif()

if(PAWL_TSAN)
  target_compile_options(pawl_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(pawl_options INTERFACE -fsanitize=thread)
endif()

# pawl_precompiled(TARGET FIRST HEADERS…): the target begins with these headers, which are compiled once, for FIRST.
function(pawl_precompiled target first)
  if(target STREQUAL first)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${first})
  endif()
endfunction()

# pawl_together(TARGET): its sources are compiled some at a time, which saves most of the work for headers.
# tools/tidy sees to it that names which one file hides do not meet those of another.
function(pawl_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${PAWL_UNITY} UNITY_BUILD_BATCH_SIZE ${PAWL_BATCH})
  # A class of a source that is compiled with others looks to g++ like one of a header.
  if(PAWL_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# pawl_module(NAME DEPENDS …): the library pawl_NAME from src/NAME/**.cpp without the tests and what they share.
function(pawl_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|/main\\.cpp$|/conformance/")
  if(NOT sources)
    add_library(pawl_${name} INTERFACE)
    target_link_libraries(pawl_${name} INTERFACE pawl_options ${arg_DEPENDS})
    return()
  endif()
  add_library(pawl_${name} STATIC ${sources})
  target_link_libraries(pawl_${name} PUBLIC pawl_options ${arg_DEPENDS})
  pawl_precompiled(pawl_${name} pawl_base ${CMAKE_SOURCE_DIR}/src/base/std.pch.hpp)
  pawl_together(pawl_${name})
endfunction()

# pawl_program(TARGET): it runs long and with threads, so it gets the allocator that base/allocator.hpp
# speaks of. Sanitizers bring their own.
function(pawl_program target)
  if(NOT PAWL_SANITIZE AND NOT PAWL_TSAN)
    target_link_libraries(${target} PRIVATE PkgConfig::jemalloc)
  endif()
endfunction()

# libpawl.a: the objects of these modules in one archive, installed with the public headers and what
# find_package(pawl) needs.
function(pawl_library)
  include(GNUInstallDirs)
  include(CMakePackageConfigHelpers)
  foreach(name ${ARGN})
    get_target_property(type pawl_${name} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND objects $<TARGET_OBJECTS:pawl_${name}>)
    endif()
  endforeach()
  add_library(pawl_archive STATIC ${objects})
  set_target_properties(pawl_archive PROPERTIES OUTPUT_NAME pawl LINKER_LANGUAGE CXX)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/pawl)
  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/pawlConfig.cmake.in
    ${CMAKE_BINARY_DIR}/pawlConfig.cmake INSTALL_DESTINATION ${package}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/pawlConfigVersion.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(TARGETS pawl_archive ARCHIVE)
  install(CODE "execute_process(COMMAND ${CMAKE_STRIP} --strip-debug
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libpawl.a\" COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/pawl TYPE INCLUDE)
  install(FILES ${CMAKE_BINARY_DIR}/pawlConfig.cmake ${CMAKE_BINARY_DIR}/pawlConfigVersion.cmake
          DESTINATION ${package})
endfunction()

# pawl_proto(NAME LIBRARY): the library pawl_NAME_proto with the messages of proto/NAME.proto, over LIBRARY of
# protobuf. It is code of others, so it has neither our warnings nor our sanitizers.
function(pawl_proto name library)
  set(to ${CMAKE_BINARY_DIR}/proto)
  file(MAKE_DIRECTORY ${to})
  add_custom_command(OUTPUT ${to}/${name}.pb.cc ${to}/${name}.pb.h
    COMMAND protobuf::protoc -I${CMAKE_SOURCE_DIR}/proto --cpp_out=${to} ${CMAKE_SOURCE_DIR}/proto/${name}.proto
    DEPENDS ${CMAKE_SOURCE_DIR}/proto/${name}.proto)
  add_library(pawl_${name}_proto STATIC ${to}/${name}.pb.cc ${to}/${name}.pb.h)
  target_compile_options(pawl_${name}_proto PRIVATE -w)
  target_include_directories(pawl_${name}_proto SYSTEM PUBLIC ${to} ${Protobuf_INCLUDE_DIRS})
  target_link_libraries(pawl_${name}_proto PUBLIC protobuf::${library})
endfunction()

# The library that draws and plays processes for tests, with the conformance kits of the stores.
function(pawl_testkit)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/testkit/*.cpp
       ${CMAKE_SOURCE_DIR}/src/store/conformance/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  add_library(pawl_testkit STATIC ${sources})
  target_link_libraries(pawl_testkit PUBLIC pawl_runtime pawl_bpmn PkgConfig::nghttp2)
  pawl_precompiled(pawl_testkit pawl_base)
  pawl_together(pawl_testkit)
endfunction()

# The test programs that run longest, and in how many parts ctest runs them: the parts are begun before other tests
# and shared by the processors.
set(PAWL_TEST_PARTS runtime=6 store=3 server=3 engine=2)

# pawl_gtest(NAME): the program test_NAME is a test of ctest, or several. tools/run_tests reads the reports.
function(pawl_gtest name)
  set(parts 1)
  if("${PAWL_TEST_PARTS}" MATCHES "(^|;)${name}=([0-9]+)")
    set(parts ${CMAKE_MATCH_2})
  endif()
  foreach(part RANGE 1 ${parts})
    set(test ${name})
    if(parts GREATER 1)
      set(test ${name}_${part})
    endif()
    add_test(NAME ${test}
             COMMAND test_${name} --gtest_brief=1 --gtest_output=xml:${CMAKE_BINARY_DIR}/results/${test}.xml)
    math(EXPR index "${part} - 1")
    set_tests_properties(${test} PROPERTIES COST ${parts}
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# One test program per module: test_NAME from src/NAME/**_test.cpp.
function(pawl_tests)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  foreach(name base value feel script model bpmn engine store runtime embed server testkit cli)
    file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*_test.cpp)
    if(tests)
      add_executable(test_${name} ${tests})
      target_link_libraries(test_${name} PRIVATE pawl_${name} GTest::gtest_main)
      if(name MATCHES "engine|store|runtime|embed|server|cli|testkit")
        target_link_libraries(test_${name} PRIVATE pawl_testkit rapidcheck)
      endif()
      pawl_precompiled(test_${name} test_value ${CMAKE_SOURCE_DIR}/src/base/std.pch.hpp <gtest/gtest.h>)
      target_compile_definitions(test_${name} PRIVATE PAWL_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
      pawl_together(test_${name})
      pawl_gtest(${name})
    endif()
  endforeach()
  if(EXISTS ${CMAKE_SOURCE_DIR}/tests/CMakeLists.txt)
    add_subdirectory(${CMAKE_SOURCE_DIR}/tests ${CMAKE_BINARY_DIR}/tests)
  endif()
endfunction()

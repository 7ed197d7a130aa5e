# What every plugin is built with, and the function serbench_plugin.

# The equal of the release profile of the Rust plugins in ../../Cargo.toml.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
# GCC stops inlining where a source file has grown by 40 %: a plugin, which has nineteen datasets in
# one, would be built unlike a program that has its own types. METHODOLOGY.md has what that costs.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " --param=large-unit-insns=10000000")
endif()
# That of the profile quick, for plugins that are tested, not timed.
set(CMAKE_CXX_FLAGS_QUICK "-O1 -DNDEBUG")
set(CMAKE_C_FLAGS_QUICK "-O1 -DNDEBUG")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(SERBENCH_NATIVE)
  add_compile_options(-march=native)
endif()
if(SERBENCH_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()

if(NOT SERBENCH_HEADERS)
  set(SERBENCH_HEADERS "${CMAKE_BINARY_DIR}/datasets")
  message(STATUS "serbench: generating the headers of the datasets with cargo")
  execute_process(
    COMMAND cargo run --quiet -p serbench-datasets --example cpp_headers -- "${SERBENCH_HEADERS}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "serbench: no headers; give -DSERBENCH_HEADERS=DIR, as written by "
                        "`serbench sdk DIR`")
  endif()
endif()

# Plugins that are left out, a line each; read by build.rs.
set(SERBENCH_LEFT_OUT "${CMAKE_BINARY_DIR}/left_out.txt")
file(WRITE "${SERBENCH_LEFT_OUT}" "")
set(SERBENCH_EXPORTS "${CMAKE_CURRENT_LIST_DIR}/../../plugin-abi/sdk/cmake/exports.map")

# What is never timed and the same in every plugin, compiled once, and with little optimisation.
add_library(serbench_canonical STATIC EXCLUDE_FROM_ALL
            "${CMAKE_CURRENT_LIST_DIR}/../shared/canonical.cpp")
set_target_properties(serbench_canonical PROPERTIES
  CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_include_directories(serbench_canonical PUBLIC "${SERBENCH_SDK}" "${SERBENCH_HEADERS}")
target_compile_options(serbench_canonical PRIVATE -O1 -Wall -Wextra -Wpedantic)
target_compile_definitions(serbench_canonical INTERFACE SERBENCH_CANONICAL_ELSEWHERE)

# serbench_plugin(name
#   [HEADERS file...]     headers that must be found; their folders are added
#   [LIBS name...]        libraries to link: CMake targets, or names to look for
#   [OPTIONAL name...]    libraries to link where they are found, which defines SERBENCH_HAS_<NAME>
#   [PACKAGES name...]    Debian packages that bring them
#   [HINT text]           how to get what is in no package
#   [SUFFIXES dir...]     sub-folders of include folders to look in
#   [PKG_VERSION module]  defines SERBENCH_LIBRARY_VERSION from pkg-config, for a library that
#                         cannot tell its version
#   [STANDARD 20]         the C++ standard, 17 by default
#   [DEFINES ...] [OPTIONS ...])
# builds the folder's *.cpp into the plugin libserbench_cpp_<name>.so.
function(serbench_plugin name)
  cmake_parse_arguments(arg "" "HINT;PKG_VERSION;STANDARD"
                        "HEADERS;LIBS;OPTIONAL;PACKAGES;SUFFIXES;DEFINES;OPTIONS" ${ARGN})
  set(missing "")
  set(includes "")
  foreach(header IN LISTS arg_HEADERS)
    string(MAKE_C_IDENTIFIER "SERBENCH_HEADER_${header}" variable)
    find_path(${variable} "${header}" PATH_SUFFIXES ${arg_SUFFIXES})
    mark_as_advanced(${variable})
    if(${variable})
      list(APPEND includes "${${variable}}")
    else()
      list(APPEND missing "${header}")
    endif()
  endforeach()
  set(libraries "")
  foreach(library IN LISTS arg_LIBS)
    if(TARGET "${library}")
      list(APPEND libraries "${library}")
    else()
      string(MAKE_C_IDENTIFIER "SERBENCH_LIB_${library}" variable)
      find_library(${variable} "${library}")
      mark_as_advanced(${variable})
      if(${variable})
        list(APPEND libraries "${${variable}}")
      else()
        list(APPEND missing "lib${library}")
      endif()
    endif()
  endforeach()
  foreach(library IN LISTS arg_OPTIONAL)
    string(MAKE_C_IDENTIFIER "SERBENCH_LIB_${library}" variable)
    find_library(${variable} "${library}")
    mark_as_advanced(${variable})
    if(${variable})
      list(APPEND libraries "${${variable}}")
      string(TOUPPER "SERBENCH_HAS_${library}" define)
      list(APPEND arg_DEFINES "${define}")
    endif()
  endforeach()
  if(missing)
    serbench_leave_out("${name}" "${missing}" "${arg_PACKAGES}" "${arg_HINT}")
    return()
  endif()

  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  set(target serbench_cpp_${name})
  add_library(${target} MODULE ${sources})
  if(NOT arg_STANDARD)
    set(arg_STANDARD 17)
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  get_directory_property(options COMPILE_OPTIONS)
  string(JOIN " " flags -std=c++${arg_STANDARD} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}
         ${options} ${arg_OPTIONS})
  string(REGEX REPLACE " +" " " flags "${flags}")
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD ${arg_STANDARD} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS "${SERBENCH_EXPORTS}")
  target_include_directories(${target} SYSTEM PRIVATE ${includes})
  target_compile_definitions(${target} PRIVATE SERBENCH_FLAGS="${flags}"
    SERBENCH_PLUGIN_VERSION="0.1.0" ${arg_DEFINES})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic ${arg_OPTIONS})
  target_link_libraries(${target} PRIVATE serbench_canonical ${libraries})
  target_link_options(${target} PRIVATE "-Wl,--version-script=${SERBENCH_EXPORTS}" -Wl,--no-undefined)
  if(arg_PKG_VERSION)
    find_program(SERBENCH_PKG_CONFIG pkg-config)
    mark_as_advanced(SERBENCH_PKG_CONFIG)
    set(version "unknown")
    if(SERBENCH_PKG_CONFIG)
      execute_process(COMMAND "${SERBENCH_PKG_CONFIG}" --modversion "${arg_PKG_VERSION}"
        OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      if(found)
        set(version "${found}")
      endif()
    endif()
    target_compile_definitions(${target} PRIVATE SERBENCH_LIBRARY_VERSION="${version}")
  endif()
  install(TARGETS ${target} LIBRARY DESTINATION plugins)
endfunction()

# Says that a plugin is not built, and what would get it built.
function(serbench_leave_out name missing packages hint)
  list(JOIN missing " and " missing)
  if(packages)
    list(JOIN packages " " packages)
    set(remedy "apt install ${packages}")
  else()
    set(remedy "${hint}")
  endif()
  set(line "plugin ${name} is left out: ${missing} not found; ${remedy}")
  message(STATUS "serbench: ${line}")
  file(APPEND "${SERBENCH_LEFT_OUT}" "${line}\n")
endfunction()

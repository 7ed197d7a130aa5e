# find_package(serbench REQUIRED PATHS DIR), where DIR is what `serbench sdk DIR` wrote.
#
#   serbench::serbench     the include folder: serbench.h, serbench.hpp, the datasets' types
#   serbench_add_plugin    the function that makes a plugin

get_filename_component(SERBENCH_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(SERBENCH_EXPORTS "${CMAKE_CURRENT_LIST_DIR}/exports.map")

if(NOT TARGET serbench::serbench)
  add_library(serbench::serbench INTERFACE IMPORTED)
  set_target_properties(serbench::serbench PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${SERBENCH_ROOT}/include")
endif()

# serbench_add_plugin(NAME source... [VERSION 1.2.3])
#
# makes the target NAME, a plugin in C++ or C: lib<NAME>.so, which exports its entry and nothing
# else, whatever it links. The descriptor gets the version, the project's by default, and the
# flags that the sources are compiled with. Without a build type it is optimised: a slow plugin
# would say nothing. All else is as with any target: target_link_libraries(NAME PRIVATE mylib).
function(serbench_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "VERSION" "")
  if(NOT arg_VERSION)
    set(arg_VERSION "${PROJECT_VERSION}")
  endif()
  if(NOT arg_VERSION)
    message(FATAL_ERROR "serbench_add_plugin(${name}): give VERSION here or in project()")
  endif()
  add_library(${name} MODULE ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    PREFIX lib
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(language C)
  if("CXX" IN_LIST languages)
    set(language CXX)
    target_compile_features(${name} PRIVATE cxx_std_17)
    # GCC stops inlining where a source file has grown by 40 %, and many datasets make a large one.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${name} PRIVATE --param=large-unit-insns=10000000)
    endif()
  endif()
  target_link_libraries(${name} PRIVATE serbench::serbench)

  # Where a project asks for nothing, CMake would not optimise at all.
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT multi_config AND NOT CMAKE_BUILD_TYPE)
    target_compile_options(${name} PRIVATE -O3)
    target_compile_definitions(${name} PRIVATE NDEBUG)
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_${language}_FLAGS} ${CMAKE_${language}_FLAGS_${type}}" flags)
  string(APPEND flags " $<JOIN:$<TARGET_PROPERTY:${name},COMPILE_OPTIONS>, >")
  target_compile_definitions(${name} PRIVATE
    "SERBENCH_FLAGS=\"${flags}\"" "SERBENCH_PLUGIN_VERSION=\"${arg_VERSION}\"")

  if(UNIX AND NOT APPLE)
    # A static library that is linked in has symbols of its own: they stay inside.
    target_link_options(${name} PRIVATE "-Wl,--version-script=${SERBENCH_EXPORTS}" -Wl,--no-undefined)
    set_target_properties(${name} PROPERTIES LINK_DEPENDS "${SERBENCH_EXPORTS}")
  endif()
endfunction()

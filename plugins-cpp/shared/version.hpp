// How a library's version is told.
#ifndef SERBENCH_SHARED_VERSION_HPP
#define SERBENCH_SHARED_VERSION_HPP

#include <string>

namespace serbench {

inline std::string dotted(unsigned major, unsigned minor, unsigned patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace serbench

#endif  // SERBENCH_SHARED_VERSION_HPP

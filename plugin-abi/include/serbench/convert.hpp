/*
 * serbench/convert.hpp - what the generated conversions between the native types and a library's
 * message classes stand on.
 */
#ifndef SERBENCH_CONVERT_HPP
#define SERBENCH_CONVERT_HPP

#include <algorithm>
#include <limits>

#include "canonical.hpp"

namespace serbench {

namespace detail {
// Failures stand here once: what finds them is there for every field.
[[noreturn, gnu::cold, gnu::noinline]] inline void wrong_size(const char *what, std::size_t found,
                                                              std::size_t size) {
  throw malformed(std::string(what) + " has " + std::to_string(found) + " elements, not " +
                  std::to_string(size));
}

template <class From>
[[noreturn, gnu::cold, gnu::noinline]] void out_of_range(const char *what, From value) {
  throw malformed(std::string(what) + " is out of range: " + std::to_string(value));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void no_enumerator(const char *what,
                                                                 std::int64_t value) {
  throw malformed(std::string(what) + " has no variant " + std::to_string(value));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void not_present(const char *what) {
  throw malformed(std::string(what) + " is missing");
}
}  // namespace detail

/// A field that is always there is not.
inline void expect_present(bool present, const char *what) {
  if (!present) detail::not_present(what);
}

/// A fixed array has as many elements as it must.
template <class Found>
void expect_size(Found found, std::size_t size, const char *what) {
  if (static_cast<std::size_t>(found) != size) {
    detail::wrong_size(what, static_cast<std::size_t>(found), size);
  }
}

/// A tensor has as many elements as its shape says.
template <class T>
void expect_elements(const Tensor<T> &tensor) {
  detail::element_count<T>(tensor.shape, tensor.data.size() * sizeof(T));
}

/// An integer as a narrower one that must hold it.
template <class To, class From>
To narrow(From value, const char *what) {
  if (value < std::numeric_limits<To>::min() || value > std::numeric_limits<To>::max()) {
    detail::out_of_range(what, value);
  }
  return static_cast<To>(value);
}

/// A number as an enumerator of an enum with `count` of them.
template <class Enum, class From>
Enum enumerator(From value, std::uint32_t count, const char *what) {
  if (static_cast<std::uint32_t>(value) >= count) {
    detail::no_enumerator(what, static_cast<std::int64_t>(value));
  }
  return static_cast<Enum>(value);
}

inline Input input_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

/// Bytes as a std::string.
template <class Container>
std::string string_of(const Container &bytes) {
  return std::string(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

/// Fills a vector of bytes, or an array of exactly as many.
template <class Container>
void assign_bytes(Container &to, std::string_view from, const char *what) {
  if constexpr (is_array<Container>) {
    expect_size(from.size(), to.size(), what);
  } else {
    to.resize(from.size());
  }
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

/// The entries of a hashed map in ascending order of their keys.
template <class Map>
std::vector<const typename Map::value_type *> sorted(const Map &map) {
  std::vector<const typename Map::value_type *> entries;
  entries.reserve(map.size());
  for (const auto &entry : map) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(),
            [](const auto *a, const auto *b) { return a->first < b->first; });
  return entries;
}

}  // namespace serbench

#endif  // SERBENCH_CONVERT_HPP

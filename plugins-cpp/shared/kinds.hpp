// Kinds of types that several formats tell apart.
#ifndef SERBENCH_SHARED_KINDS_HPP
#define SERBENCH_SHARED_KINDS_HPP

#include <serbench.hpp>

namespace serbench {

namespace detail {
template <class T>
constexpr bool holds_u8() {
  if constexpr (is_list<T> || is_array<T>) {
    return std::is_same_v<typename T::value_type, std::uint8_t>;
  } else {
    return false;
  }
}
}  // namespace detail

/// What is binary data: byte strings, and lists and arrays of u8.
template <class T>
inline constexpr bool is_binary = is_bytes<T> || detail::holds_u8<T>();

/// Lists and arrays of anything else.
template <class T>
inline constexpr bool is_sequence = (is_list<T> || is_array<T>)&&!is_binary<T>;

}  // namespace serbench

#endif  // SERBENCH_SHARED_KINDS_HPP

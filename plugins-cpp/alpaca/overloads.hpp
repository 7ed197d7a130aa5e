// What alpaca is told of the generated types: maps with a comparator of their own, and variants
// without payload. It walks plain structs itself. Included before the library, whose templates must
// see it.
#ifndef SERBENCH_ALPACA_OVERLOADS_HPP
#define SERBENCH_ALPACA_OVERLOADS_HPP

#include <serbench/datasets.hpp>
#include <system_error>
// After the above, which it needs.
#include <alpaca/detail/options.h>

namespace alpaca::detail {

template <options O, typename T, typename Container>
void to_bytes_router(const T &value, Container &bytes, std::size_t &at);
template <options O, typename T, typename Container>
void from_bytes_router(T &value, Container &bytes, std::size_t &at, std::size_t &end,
                       std::error_code &error);

template <options O, typename Container, typename T>
void to_bytes(Container &bytes, std::size_t &at, const serbench::Map<T> &map) {
  to_bytes_router<O>(static_cast<size_t_serialized_type>(map.size()), bytes, at);
  for (const auto &[key, value] : map) {
    to_bytes_router<O>(key, bytes, at);
    to_bytes_router<O>(value, bytes, at);
  }
}

template <options O, typename T, typename Container>
bool from_bytes(serbench::Map<T> &map, Container &bytes, std::size_t &at, std::size_t &end,
                std::error_code &error) {
  size_t_serialized_type size = 0;
  from_bytes_router<O>(size, bytes, at, end, error);
  for (; size != 0 && !error && at < end; --size) {
    std::string key;
    from_bytes_router<O>(key, bytes, at, end, error);
    if (!error) from_bytes_router<O>(map[std::move(key)], bytes, at, end, error);
  }
  return !error;
}

template <options O, typename Container>
void to_bytes(Container &, std::size_t &, const std::monostate &) {}

template <options O, typename Container>
bool from_bytes(std::monostate &, Container &, std::size_t &, std::size_t &, std::error_code &) {
  return true;
}

}  // namespace alpaca::detail

#endif  // SERBENCH_ALPACA_OVERLOADS_HPP

// What the generated conversions say text and data by.
#ifndef SERBENCH_CAPNPROTO_VALUES_HPP
#define SERBENCH_CAPNPROTO_VALUES_HPP

#include <capnp/blob.h>

#include <serbench/convert.hpp>

namespace serbench::capnproto {

inline capnp::Text::Reader text(const std::string &value) { return {value.c_str(), value.size()}; }

/// Bytes, or a list or an array of std::uint8_t.
template <class Container>
capnp::Data::Reader data(const Container &value) {
  return {reinterpret_cast<const kj::byte *>(value.data()), value.size()};
}

inline void assign(std::string &to, capnp::Text::Reader from) {
  to.assign(from.begin(), from.size());
}

inline void assign(Bytes &to, capnp::Data::Reader from) {
  const auto *first = reinterpret_cast<const std::byte *>(from.begin());
  to.assign(first, first + from.size());
}

/// A list or an array of std::uint8_t.
template <class Container>
void assign(Container &to, capnp::Data::Reader from, const char *what) {
  assign_bytes(to, {reinterpret_cast<const char *>(from.begin()), from.size()}, what);
}

inline Input input_of(capnp::Text::Reader text) {
  return {reinterpret_cast<const std::uint8_t *>(text.begin()), text.size()};
}

inline Input input_of(capnp::Data::Reader data) { return {data.begin(), data.size()}; }

}  // namespace serbench::capnproto

#endif  // SERBENCH_CAPNPROTO_VALUES_HPP

/*
 * serbench/base64.hpp - byte strings in text formats.
 */
#ifndef SERBENCH_BASE64_HPP
#define SERBENCH_BASE64_HPP

#include <algorithm>

#include "canonical.hpp"

namespace serbench {

/// Appends the base64 form (RFC 4648, padded) of `bytes`.
inline void base64_encode(Input bytes, std::string &out) {
  static constexpr char alphabet[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.reserve(out.size() + (bytes.size + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size; i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size - i);
    std::uint32_t word = std::uint32_t{bytes.data[i]} << 16;
    if (n > 1) word |= std::uint32_t{bytes.data[i + 1]} << 8;
    if (n > 2) word |= bytes.data[i + 2];
    out.push_back(alphabet[word >> 18]);
    out.push_back(alphabet[(word >> 12) & 63]);
    out.push_back(n > 1 ? alphabet[(word >> 6) & 63] : '=');
    out.push_back(n > 2 ? alphabet[word & 63] : '=');
  }
}

namespace detail {
constexpr std::array<std::int8_t, 256> base64_values() {
  std::array<std::int8_t, 256> values{};
  for (auto &value : values) value = -1;
  for (int i = 0; i < 26; ++i) {
    values[static_cast<std::size_t>('A' + i)] = static_cast<std::int8_t>(i);
    values[static_cast<std::size_t>('a' + i)] = static_cast<std::int8_t>(26 + i);
  }
  for (int i = 0; i < 10; ++i) {
    values[static_cast<std::size_t>('0' + i)] = static_cast<std::int8_t>(52 + i);
  }
  values['+'] = 62;
  values['/'] = 63;
  return values;
}
}  // namespace detail

/// The bytes behind a padded base64 form.
inline std::vector<std::uint8_t> base64_decode(std::string_view text) {
  static constexpr auto values = detail::base64_values();
  std::size_t length = text.size();
  if (length % 4 != 0) reject("base64 of a length that is no multiple of 4");
  while (length != 0 && text.size() - length < 2 && text[length - 1] == '=') --length;
  std::vector<std::uint8_t> out;
  out.reserve(length / 4 * 3 + 2);
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const int value = values[static_cast<unsigned char>(text[i])];
    if (value < 0) reject("a character that base64 does not have");
    word = (word << 6) | static_cast<std::uint32_t>(value);
    if (i % 4 != 0) out.push_back(static_cast<std::uint8_t>(word >> (6 - 2 * (i % 4))));
  }
  return out;
}

}  // namespace serbench

#endif  // SERBENCH_BASE64_HPP

/*
 * serbench/canonical.hpp - the canonical encoding and the checksum of `read`.
 *
 * One walk over a value feeds a sink: an Encoder writes the canonical encoding, a Checksum folds.
 */
#ifndef SERBENCH_CANONICAL_HPP
#define SERBENCH_CANONICAL_HPP

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "../serbench.h"
#include "data.hpp"

namespace serbench {

/// What went wrong, with the status that the host is told.
class Error : public std::runtime_error {
 public:
  Error(std::int32_t status, std::string_view message)
      : std::runtime_error(std::string(message)), status_(status) {}
  std::int32_t status() const noexcept { return status_; }

 private:
  std::int32_t status_;
};

/// The format or the library cannot carry this dataset or value.
[[gnu::cold, gnu::noinline]] inline Error unsupported(std::string_view why) {
  return Error(SERBENCH_UNSUPPORTED, why);
}
/// The input is not a valid message.
[[gnu::cold, gnu::noinline]] inline Error malformed(std::string_view why) {
  return Error(SERBENCH_MALFORMED, why);
}
/// Anything else.
[[gnu::cold, gnu::noinline]] inline Error internal(std::string_view why) {
  return Error(SERBENCH_INTERNAL, why);
}

/// Throws malformed(why): a call and no more for the compiler, where checks stand in every field.
[[noreturn, gnu::cold, gnu::noinline]] inline void reject(std::string_view why) {
  throw malformed(why);
}

/// Bytes that belong to somebody else.
struct Input {
  const std::uint8_t *data = nullptr;
  std::size_t size = 0;

  const char *chars() const { return reinterpret_cast<const char *>(data); }
  std::string_view view() const { return {chars(), size}; }
};

/// The bytes of a byte string.
inline Input input_of(const Bytes &bytes) {
  return {reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()};
}

/// Whether this machine stores the least significant byte first.
inline bool is_little_endian() {
  const std::uint16_t probe = 1;
  std::uint8_t first;
  std::memcpy(&first, &probe, 1);
  return first == 1;
}

/// Stores a scalar as little-endian bytes at `out`.
template <class T>
void store_le(T value, std::uint8_t *out) {
  std::memcpy(out, &value, sizeof value);
  if (!is_little_endian()) {
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(out[i], out[sizeof(T) - 1 - i]);
  }
}

/// Loads a scalar from little-endian bytes.
template <class T>
T load_le(const std::uint8_t *in) {
  std::uint8_t bytes[sizeof(T)];
  std::memcpy(bytes, in, sizeof bytes);
  if (!is_little_endian()) {
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
  }
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// The code of a tensor's element type on the wire of formats without tensors.
template <class T>
constexpr std::uint8_t dtype() {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? 10 : 11;
  } else {
    constexpr std::uint8_t log2 =
        sizeof(T) == 1 ? 0 : (sizeof(T) == 2 ? 1 : (sizeof(T) == 4 ? 2 : 3));
    return static_cast<std::uint8_t>(log2 + (std::is_signed_v<T> ? 0 : 4));
  }
}

/// A sink that folds every field into one number.
class Checksum {
 public:
  void word(std::uint64_t word) {
    state_ = (((state_ << 5) | (state_ >> 59)) ^ word) * UINT64_C(0x517cc1b727220a95);
  }
  std::uint64_t finish() const { return state_; }

  template <class T>
  void scalar(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      word(bits_of(value));
    } else if constexpr (std::is_signed_v<T>) {
      word(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
    } else {
      word(static_cast<std::uint64_t>(value));
    }
  }
  void blob(Input bytes) {
    word(bytes.size);
    if (bytes.size != 0) {
      word(bytes.data[0]);
      word(bytes.data[bytes.size - 1]);
    }
  }
  void count(std::size_t count) { word(count); }
  void present(bool present) { word(present); }
  void variant(std::size_t index) { word(index); }
  /// `at(i)` yields element number i.
  template <class T, class At>
  void elements(std::size_t count, At &&at) {
    if (count != 0) {
      scalar<T>(at(0));
      scalar<T>(at(count / 2));
      scalar<T>(at(count - 1));
    }
  }

 private:
  std::uint64_t state_ = 0;
};

/// An output container that costs no more than the bytes that are put in it: a std::vector fills
/// them with zeros first, or asks for room in a call of its own.
class ByteBuffer {
 public:
  void clear() { size_ = 0; }
  const std::uint8_t *data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }

  void append(const void *bytes, std::size_t size) {
    if (size > capacity_ - size_) grow(size);
    if (size != 0) std::memcpy(bytes_.get() + size_, bytes, size);
    size_ += size;
  }

 private:
  void grow(std::size_t size) {
    const std::size_t capacity = std::max(2 * capacity_, size_ + size);
    std::unique_ptr<std::uint8_t[]> bytes(new std::uint8_t[capacity]);
    if (size_ != 0) std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// A sink that appends the canonical encoding to a vector, or to a ByteBuffer.
template <class Out>
class Encoder {
 public:
  explicit Encoder(Out &out) : out_(out) {}

  template <class T>
  void scalar(T value) {
    std::uint8_t bytes[sizeof value];
    if constexpr (std::is_same_v<T, bool>) {
      bytes[0] = value ? 1 : 0;
    } else {
      store_le(value, bytes);
    }
    append(bytes, sizeof bytes);
  }
  void blob(Input bytes) {
    count(bytes.size);
    append(bytes.data, bytes.size);
  }
  void count(std::size_t count) {
    if (count > UINT32_MAX) throw internal("a canonical length is at most 2^32 - 1");
    scalar(static_cast<std::uint32_t>(count));
  }
  void present(bool present) { scalar(present); }
  void variant(std::size_t index) { count(index); }
  template <class T, class At>
  void elements(std::size_t count, At &&at) {
    for (std::size_t i = 0; i < count; ++i) scalar<T>(at(i));
  }
  /// Scalars that lie one after another, all of which are wanted.
  template <class T>
  void scalars(const T *first, std::size_t count) {
    if (is_little_endian()) {
      append(first, count * sizeof(T));
    } else {
      for (std::size_t i = 0; i < count; ++i) scalar(first[i]);
    }
  }

 private:
  void append(const void *bytes, std::size_t size) {
    if constexpr (std::is_same_v<Out, ByteBuffer>) {
      out_.append(bytes, size);
    } else {
      const auto *first = static_cast<const std::uint8_t *>(bytes);
      out_.insert(out_.end(), first, first + size);
    }
  }

  Out &out_;
};

namespace detail {
template <class Sink>
struct is_encoder : std::false_type {};
template <class Out>
struct is_encoder<Encoder<Out>> : std::true_type {};

/// Lists of these lie in memory as they do in the canonical encoding, but for the order of bytes.
template <class T>
inline constexpr bool is_plain = is_scalar<T> && !std::is_same_v<T, bool>;

/// The number of elements of a shape, checked against the bytes that are there.
template <class T>
std::size_t element_count(const std::vector<std::uint32_t> &shape, std::size_t bytes) {
  std::size_t count = 1;
  for (std::uint32_t dim : shape) {
    if (dim != 0 && count > SIZE_MAX / sizeof(T) / dim) reject("a tensor's shape overflows");
    count *= dim;
  }
  if (count * sizeof(T) != bytes) reject("a tensor's shape does not fit its elements");
  return count;
}
}  // namespace detail

/// Feeds a value to a sink.
template <class Sink, class T>
void walk(Sink &sink, const T &value) {
  if constexpr (is_scalar<T>) {
    sink.scalar(value);
  } else if constexpr (is_string<T>) {
    sink.blob({reinterpret_cast<const std::uint8_t *>(value.data()), value.size()});
  } else if constexpr (is_bytes<T>) {
    sink.blob(input_of(value));
  } else if constexpr (is_list<T> || is_array<T>) {
    using E = typename T::value_type;
    if constexpr (is_list<T>) sink.count(value.size());
    if constexpr (detail::is_encoder<Sink>::value && detail::is_plain<E>) {
      return sink.scalars(value.data(), value.size());
    }
    for (const auto &element : value) walk<Sink, E>(sink, element);
  } else if constexpr (is_option<T>) {
    sink.present(value.has_value());
    if (value) walk(sink, *value);
  } else if constexpr (is_map<T>) {
    sink.count(value.size());
    for (const auto &entry : value) {
      walk(sink, entry.first);
      walk(sink, entry.second);
    }
  } else if constexpr (is_tensor<T>) {
    sink.count(value.shape.size());
    for (std::uint32_t dim : value.shape) sink.scalar(dim);
    using E = typename decltype(value.data)::value_type;
    if constexpr (detail::is_encoder<Sink>::value) {
      sink.scalars(value.data.data(), value.data.size());
    } else {
      sink.template elements<E>(value.data.size(), [&](std::size_t i) { return value.data[i]; });
    }
  } else if constexpr (is_record<T> || is_tuple<T>) {
    visit_fields(value, [&](auto, const auto &member) { walk(sink, member); });
  } else if constexpr (is_unit_enum<T>) {
    sink.variant(variant_index(value));
  } else if constexpr (is_variants<T>) {
    sink.variant(variant_index(value));
    visit_payload(value, [&](const auto &payload) { walk(sink, payload); });
  } else {
    static_assert(is_monostate<T>, "not a type of a dataset");
  }
}

/// Whether bytes are UTF-8: nothing overlong, no surrogate, nothing beyond U+10FFFF.
inline bool is_utf8(Input in) {
  const std::uint8_t *at = in.data;
  const std::uint8_t *const end = at + in.size;
  while (at != end) {
    std::uint64_t eight;
    if (end - at >= 8 && (std::memcpy(&eight, at, 8), eight & UINT64_C(0x8080808080808080)) == 0) {
      at += 8;
      continue;
    }
    const std::uint8_t lead = *at++;
    if (lead < 0x80) continue;
    if (lead < 0xc2 || lead > 0xf4) return false;
    const int more = lead < 0xe0 ? 1 : (lead < 0xf0 ? 2 : 3);
    if (end - at < more) return false;
    // What the first of the bytes that follow may be; the others are of 80 to bf.
    const std::uint8_t low = lead == 0xe0 ? 0xa0 : (lead == 0xf0 ? 0x90 : 0x80);
    const std::uint8_t high = lead == 0xed ? 0x9f : (lead == 0xf4 ? 0x8f : 0xbf);
    if (*at < low || *at > high) return false;
    for (int i = 1; i < more; ++i) {
      if ((at[i] & 0xc0) != 0x80) return false;
    }
    at += more;
  }
  return true;
}

/// Reads values from canonical bytes, which it does not trust.
class Decoder {
 public:
  explicit Decoder(Input in) : at_(in.data), left_(in.size) {}

  /// Reads one value that fills the input exactly.
  template <class T>
  static T decode(Input in) {
    Decoder decoder(in);
    T value{};
    decoder.read(value);
    if (decoder.left_ != 0) {
      throw malformed("canonical: " + std::to_string(decoder.left_) + " bytes left over");
    }
    return value;
  }

  /// Reads one value over another: what stands in `value` may be a declared default.
  template <class T>
  void read(T &value) {
    if constexpr (std::is_same_v<T, bool>) {
      const std::uint8_t byte = *take(1);
      if (byte > 1) reject("canonical: a bool is 0 or 1");
      value = byte == 1;
    } else if constexpr (is_scalar<T>) {
      value = load_le<T>(take(sizeof(T)));
    } else if constexpr (is_string<T>) {
      const Input bytes = blob();
      if (!is_utf8(bytes)) reject("canonical: a string is not UTF-8");
      value.assign(bytes.chars(), bytes.size);
    } else if constexpr (is_bytes<T>) {
      const Input bytes = blob();
      const auto *first = reinterpret_cast<const std::byte *>(bytes.data);
      value.assign(first, first + bytes.size);
    } else if constexpr (is_list<T>) {
      read_list(value);
    } else if constexpr (is_array<T>) {
      if constexpr (detail::is_plain<typename T::value_type>) {
        read_plain(value.data(), value.size());
      } else {
        for (auto &element : value) read(element);
      }
    } else if constexpr (is_option<T>) {
      bool present{};
      read(present);
      if (present) {
        read(value.emplace());
      } else {
        value.reset();
      }
    } else if constexpr (is_map<T>) {
      read_map(value);
    } else if constexpr (is_tensor<T>) {
      read_tensor(value);
    } else if constexpr (is_record<T> || is_tuple<T>) {
      visit_fields(value, [&](auto, auto &member) { read(member); });
    } else if constexpr (is_unit_enum<T>) {
      value = static_cast<T>(variant<T>());
    } else if constexpr (is_variants<T>) {
      emplace_payload(value, variant<T>(), [&](auto &payload) { read(payload); });
    } else {
      static_assert(is_monostate<T>, "not a type of a dataset");
    }
  }

 private:
  [[noreturn, gnu::cold, gnu::noinline]] static void cut_short(std::size_t size, std::size_t left) {
    throw malformed("canonical: " + std::to_string(size) + " more expected, with " +
                    std::to_string(left) + " bytes left");
  }

  const std::uint8_t *take(std::size_t size) {
    if (size > left_) cut_short(size, left_);
    const std::uint8_t *bytes = at_;
    at_ += size;
    left_ -= size;
    return bytes;
  }

  std::uint32_t word() { return load_le<std::uint32_t>(take(4)); }

  /// A length whose elements take at least `min_size` bytes each.
  std::size_t length(std::size_t min_size) {
    const std::size_t size = word();
    if (size > left_ / min_size) cut_short(size, left_);
    return size;
  }

  Input blob() {
    const std::size_t size = length(1);
    return {take(size), size};
  }

  template <class T>
  std::size_t variant() {
    const std::size_t index = word();
    if (index >= variant_count<T>) {
      throw malformed("canonical: " + std::string(Meta<T>::name) + " has no variant number " +
                      std::to_string(index));
    }
    return index;
  }

  template <class T>
  void read_plain(T *first, std::size_t count) {
    const std::uint8_t *bytes = take(count * sizeof(T));
    if (is_little_endian()) {
      if (count != 0) std::memcpy(first, bytes, count * sizeof(T));
    } else {
      for (std::size_t i = 0; i < count; ++i) first[i] = load_le<T>(bytes + i * sizeof(T));
    }
  }

  template <class T>
  void read_list(std::vector<T> &list) {
    if constexpr (detail::is_plain<T>) {
      list.resize(length(sizeof(T)));
      read_plain(list.data(), list.size());
    } else {
      const std::size_t size = length(1);
      list.clear();
      list.reserve(size);
      for (std::size_t i = 0; i < size; ++i) append(list, [&](auto &element) { read(element); });
    }
  }

  template <class T>
  void read_map(Map<T> &map) {
    for (std::size_t left = length(4); left != 0; --left) {
      std::string key;
      read(key);
      if (!map.empty() && !(map.rbegin()->first < key)) {
        throw malformed("canonical: map key \"" + key + "\" is out of order");
      }
      read(map.emplace_hint(map.end(), std::move(key), T{})->second);
    }
  }

  template <class T>
  void read_tensor(Tensor<T> &tensor) {
    tensor.shape.resize(length(4));
    std::size_t count = 1;
    for (auto &dim : tensor.shape) {
      dim = word();
      if (dim != 0 && count > SIZE_MAX / sizeof(T) / dim) {
        reject("canonical: the tensor's shape overflows");
      }
      count *= dim;
    }
    if (count * sizeof(T) > left_) reject("canonical: a tensor is cut short");
    tensor.data.resize(count);
    read_plain(tensor.data.data(), count);
  }

  const std::uint8_t *at_;
  std::size_t left_;
};

/// The checksum of a value.
template <class T>
void fold(const T &value, Checksum &sum) {
  walk(sum, value);
}

/// Appends the canonical encoding of a value.
template <class T>
void encode(const T &value, std::vector<std::uint8_t> &out) {
  Encoder encoder(out);
  walk(encoder, value);
}

// A value of dataset D from its canonical encoding, and back: for what is never timed. They are
// compiled in every plugin, unless its build has one file that includes the datasets' headers with
// SERBENCH_CANONICAL_HERE, and defines SERBENCH_CANONICAL_ELSEWHERE for all others.
template <class D>
typename D::Root from_canonical(Input in) {
  return Decoder::decode<typename D::Root>(in);
}

template <class D>
void to_canonical(const typename D::Root &value, std::vector<std::uint8_t> &out) {
  encode(value, out);
}

}  // namespace serbench

#if defined(SERBENCH_CANONICAL_HERE)
#define SERBENCH_CANONICAL(D)                \
  template D::Root from_canonical<D>(Input); \
  template void to_canonical<D>(const D::Root &, std::vector<std::uint8_t> &);
#elif defined(SERBENCH_CANONICAL_ELSEWHERE)
#define SERBENCH_CANONICAL(D)                       \
  extern template D::Root from_canonical<D>(Input); \
  extern template void to_canonical<D>(const D::Root &, std::vector<std::uint8_t> &);
#else
#define SERBENCH_CANONICAL(D)
#endif

#endif  // SERBENCH_CANONICAL_HPP

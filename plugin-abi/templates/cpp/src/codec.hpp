// The format that is measured: numbers in groups of seven bits, everything else one after another.
// Put your library in its place: the two functions at the end are all that the plugin calls.
#pragma once

#include <serbench.hpp>

namespace format {

/// Appends values to a vector.
class Writer {
 public:
  explicit Writer(std::vector<std::uint8_t> &out) : out_(out) {}

  template <class T>
  void write(const T &value) {
    if constexpr (serbench::is_scalar<T>) {
      scalar(value);
    } else if constexpr (serbench::is_string<T> || serbench::is_bytes<T>) {
      number(value.size());
      const auto *first = reinterpret_cast<const std::uint8_t *>(value.data());
      out_.insert(out_.end(), first, first + value.size());
    } else if constexpr (serbench::is_list<T>) {
      number(value.size());
      for (const typename T::value_type &element : value) write(element);
    } else if constexpr (serbench::is_array<T>) {
      for (const auto &element : value) write(element);
    } else if constexpr (serbench::is_option<T>) {
      write(value.has_value());
      if (value) write(*value);
    } else if constexpr (serbench::is_map<T>) {
      number(value.size());
      for (const auto &entry : value) {
        write(entry.first);
        write(entry.second);
      }
    } else if constexpr (serbench::is_tensor<T>) {
      write(value.shape);
      write(value.data);
    } else if constexpr (serbench::is_record<T> || serbench::is_tuple<T>) {
      serbench::visit_fields(value, [&](auto, const auto &member) { write(member); });
    } else if constexpr (serbench::is_unit_enum<T>) {
      number(serbench::variant_index(value));
    } else if constexpr (serbench::is_variants<T>) {
      number(serbench::variant_index(value));
      serbench::visit_payload(value, [&](const auto &payload) { write(payload); });
    } else {
      static_assert(serbench::is_monostate<T>, "not a type of a dataset");
    }
  }

 private:
  template <class T>
  void scalar(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      std::uint8_t bytes[sizeof value];
      serbench::store_le(value, bytes);
      out_.insert(out_.end(), bytes, bytes + sizeof bytes);
    } else if constexpr (std::is_signed_v<T>) {
      // Small numbers of either sign are short.
      const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
      number(bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
    } else {
      number(value);
    }
  }

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<std::uint8_t>(value | 0x80));
    out_.push_back(static_cast<std::uint8_t>(value));
  }

  std::vector<std::uint8_t> &out_;
};

/// Reads values from bytes, which it does not trust.
class Reader {
 public:
  explicit Reader(serbench::Input in) : at_(in.data), left_(in.size) {}

  void finish() const {
    if (left_ != 0) throw serbench::malformed("bytes are left over");
  }

  template <class T>
  void read(T &value) {
    if constexpr (serbench::is_scalar<T>) {
      scalar(value);
    } else if constexpr (serbench::is_string<T> || serbench::is_bytes<T>) {
      const std::size_t size = count();
      const serbench::Input bytes{take(size), size};
      if (serbench::is_string<T> && !serbench::is_utf8(bytes))
        throw serbench::malformed("no UTF-8");
      const auto *first = reinterpret_cast<const typename T::value_type *>(bytes.data);
      value.assign(first, first + size);
    } else if constexpr (serbench::is_list<T>) {
      value.clear();
      for (std::size_t left = count(); left != 0; --left) {
        serbench::append(value, [&](auto &element) { read(element); });
      }
    } else if constexpr (serbench::is_array<T>) {
      for (auto &element : value) read(element);
    } else if constexpr (serbench::is_option<T>) {
      bool present{};
      read(present);
      present ? read(value.emplace()) : value.reset();
    } else if constexpr (serbench::is_map<T>) {
      map(value);
    } else if constexpr (serbench::is_tensor<T>) {
      tensor(value);
    } else if constexpr (serbench::is_record<T> || serbench::is_tuple<T>) {
      serbench::visit_fields(value, [&](auto, auto &member) { read(member); });
    } else if constexpr (serbench::is_unit_enum<T>) {
      value = static_cast<T>(variant<T>());
    } else if constexpr (serbench::is_variants<T>) {
      serbench::emplace_payload(value, variant<T>(), [&](auto &payload) { read(payload); });
    } else {
      static_assert(serbench::is_monostate<T>, "not a type of a dataset");
    }
  }

 private:
  const std::uint8_t *take(std::size_t size) {
    if (size > left_) throw serbench::malformed("the input is cut short");
    const std::uint8_t *bytes = at_;
    at_ += size;
    left_ -= size;
    return bytes;
  }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = *take(1);
      if (shift == 63 && byte > 1) break;
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw serbench::malformed("a number has more than 64 bits");
  }

  /// How many elements follow. Each takes a byte at least, so a length costs no more than its
  /// input.
  std::size_t count() {
    const std::uint64_t count = number();
    if (count > left_) throw serbench::malformed("a length goes beyond the input");
    return static_cast<std::size_t>(count);
  }

  template <class T>
  std::size_t variant() {
    const std::uint64_t index = number();
    if (index >= serbench::variant_count<T>) throw serbench::malformed("there is no such variant");
    return static_cast<std::size_t>(index);
  }

  template <class T>
  void scalar(T &value) {
    if constexpr (std::is_floating_point_v<T>) {
      value = serbench::load_le<T>(take(sizeof value));
    } else {
      const std::uint64_t bits = number();
      std::uint64_t back;
      if constexpr (std::is_signed_v<T>) {
        const std::uint64_t wide = bits >> 1 ^ (~(bits & 1) + 1);
        value = static_cast<T>(wide);
        back = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
        if (back != wide) throw serbench::malformed("a number is too large");
      } else {
        value = static_cast<T>(bits);
        back = static_cast<std::uint64_t>(value);
        if (back != bits) throw serbench::malformed("a number is too large");
      }
    }
  }

  template <class T>
  void map(serbench::Map<T> &map) {
    map.clear();
    for (std::size_t left = count(); left != 0; --left) {
      std::string key;
      read(key);
      const auto [entry, is_new] = map.try_emplace(std::move(key));
      if (!is_new) throw serbench::malformed("a key stands twice");
      read(entry->second);
    }
  }

  template <class T>
  void tensor(serbench::Tensor<T> &tensor) {
    read(tensor.shape);
    read(tensor.data);
    std::uint64_t size = 1;
    for (const std::uint64_t dimension : tensor.shape) {
      if (dimension != 0 && size > UINT64_MAX / dimension) {
        throw serbench::malformed("the shape of a tensor is too large");
      }
      size *= dimension;
    }
    if (size != tensor.data.size()) throw serbench::malformed("a tensor is not of its shape");
  }

  const std::uint8_t *at_;
  std::size_t left_;
};

template <class T>
void write(const T &value, std::vector<std::uint8_t> &out) {
  Writer(out).write(value);
}

template <class T>
T read(serbench::Input in) {
  Reader reader(in);
  T value{};
  reader.read(value);
  reader.finish();
  return value;
}

}  // namespace format

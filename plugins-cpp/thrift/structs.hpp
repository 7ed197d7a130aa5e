// How a generated type is a struct of Thrift: fields are numbered from 1 in their order; an enum
// with payloads is a union, whose variants without one hold an empty struct; an absent option is an
// absent field. What Thrift has no place for (an option in a list, a root that is no struct) is the
// one field of a struct.
#pragma once

#include <thrift/protocol/TProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <serbench/datasets.hpp>

#include "../shared/kinds.hpp"

namespace thrift_structs {

namespace tp = apache::thrift::protocol;
using serbench::malformed;

using serbench::is_binary;
using serbench::is_sequence;

/// An option or nothing at all: what a struct of its own must hold, outside of a struct.
template <class T>
constexpr bool is_wrapped = serbench::is_option<T> || serbench::is_monostate<T>;

template <class T>
constexpr bool is_struct = serbench::is_record<T> || serbench::is_tuple<T> ||
                           serbench::is_variants<T> || serbench::is_tensor<T>;

template <class T>
constexpr tp::TType type_of() {
  using namespace serbench;
  if constexpr (std::is_same_v<T, bool>) {
    return tp::T_BOOL;
  } else if constexpr (std::is_floating_point_v<T>) {
    return tp::T_DOUBLE;
  } else if constexpr (std::is_integral_v<T>) {
    return sizeof(T) == 1   ? tp::T_BYTE
           : sizeof(T) == 2 ? tp::T_I16
           : sizeof(T) == 4 ? tp::T_I32
                            : tp::T_I64;
  } else if constexpr (is_unit_enum<T>) {
    return tp::T_I32;
  } else if constexpr (is_string<T> || is_binary<T>) {
    return tp::T_STRING;
  } else if constexpr (is_sequence<T>) {
    return tp::T_LIST;
  } else if constexpr (is_map<T>) {
    return tp::T_MAP;
  } else {
    return tp::T_STRUCT;
  }
}

template <class T>
using Element = typename T::value_type;

inline std::uint32_t length(std::size_t size) {
  if (size > INT32_MAX) throw serbench::unsupported("Thrift sizes have 31 bits");
  return static_cast<std::uint32_t>(size);
}

template <class Protocol>
struct Writer {
  Protocol &out;
  std::string &bytes;  ///< The library takes binary in a std::string only.

  template <class T>
  void root(const T &value) {
    if constexpr (is_struct<T>) {
      put(value);
    } else {
      put_struct([&] { put_field(1, value); });
    }
  }

 private:
  template <class F>
  void put_struct(F &&fields) {
    out.writeStructBegin("");
    fields();
    out.writeFieldStop();
    out.writeStructEnd();
  }

  template <class T>
  void put_field(std::size_t index, const T &value) {
    if constexpr (serbench::is_option<T>) {
      using Held = Element<T>;
      if (value) put_present<Held>(index, *value);
    } else {
      put_present<T>(index, value);
    }
  }

  template <class T>
  void put_present(std::size_t index, const T &value) {
    out.writeFieldBegin("", type_of<T>(), static_cast<std::int16_t>(index));
    put<T>(value);
    out.writeFieldEnd();
  }

  template <class T>
  void put_scalar(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      out.writeBool(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      out.writeDouble(value);
    } else if constexpr (sizeof(T) == 1) {
      out.writeByte(static_cast<std::int8_t>(value));
    } else if constexpr (sizeof(T) == 2) {
      out.writeI16(static_cast<std::int16_t>(value));
    } else if constexpr (sizeof(T) == 4) {
      out.writeI32(static_cast<std::int32_t>(value));
    } else {
      out.writeI64(static_cast<std::int64_t>(value));
    }
  }

  /// A value that stands in a list, a map or a field.
  template <class T>
  void put(const T &value) {
    using namespace serbench;
    if constexpr (is_scalar<T>) {
      put_scalar(value);
    } else if constexpr (is_unit_enum<T>) {
      out.writeI32(static_cast<std::int32_t>(value));
    } else if constexpr (is_string<T>) {
      out.writeString(value);
    } else if constexpr (is_binary<T>) {
      bytes.assign(reinterpret_cast<const char *>(value.data()), length(value.size()));
      out.writeBinary(bytes);
    } else if constexpr (is_sequence<T>) {
      out.writeListBegin(type_of<Element<T>>(), length(value.size()));
      for (const auto &e : value) put<Element<T>>(e);
      out.writeListEnd();
    } else if constexpr (is_map<T>) {
      out.writeMapBegin(tp::T_STRING, type_of<typename T::mapped_type>(), length(value.size()));
      for (const auto &entry : value) {
        put(entry.first);
        put(entry.second);
      }
      out.writeMapEnd();
    } else if constexpr (is_wrapped<T>) {
      put_struct([&] {
        if constexpr (is_option<T>) put_field(1, value);
      });
    } else {
      put_struct([&] { put_fields(value); });
    }
  }

  template <class T>
  void put_fields(const T &value) {
    if constexpr (serbench::is_tensor<T>) {
      put_field(1, value.shape);
      put_field(2, value.data);
    } else if constexpr (serbench::is_variants<T>) {
      serbench::visit_payload(
          value, [&](const auto &payload) { put_present(value.value.index() + 1, payload); });
    } else {
      serbench::visit_fields(
          value, [&](auto field, const auto &member) { put_field(field.index + 1, member); });
    }
  }
};

template <class Protocol>
struct Reader {
  Protocol &in;
  apache::thrift::transport::TMemoryBuffer &memory;
  std::string &bytes;

  template <class T>
  void root(T &value) {
    if constexpr (is_struct<T>) {
      get(value);
    } else {
      get_one(value);
    }
  }

 private:
  /// Calls `field(type, id)`, which tells whether it has used up the field, for each of a struct.
  template <class F>
  void get_struct(F &&field) {
    std::string name;
    in.readStructBegin(name);
    for (;;) {
      tp::TType type = tp::T_STOP;
      std::int16_t id = 0;
      in.readFieldBegin(name, type, id);
      if (type == tp::T_STOP) break;
      if (!field(type, static_cast<std::size_t>(id))) in.skip(type);
      in.readFieldEnd();
    }
    in.readStructEnd();
  }

  /// A struct around one value.
  template <class T>
  void get_one(T &value) {
    bool seen = false;
    get_struct(
        [&](tp::TType type, std::size_t id) { return id == 1 && get_field(type, value, seen); });
    if (!seen) absent(value);
  }

  template <class T>
  void get_fields(T &value) {
    std::array<bool, serbench::field_count<T>> seen{};
    get_struct([&](tp::TType type, std::size_t id) {
      bool used = false;
      serbench::visit_fields(value, [&](auto field, auto &member) {
        if (id == field.index + 1) used = get_field(type, member, seen[field.index]);
      });
      return used;
    });
    serbench::visit_fields(value, [&](auto field, auto &member) {
      if (!seen[field.index]) absent(member);
    });
  }

  template <class T>
  void get_tensor(serbench::Tensor<T> &tensor) {
    std::array<bool, 2> seen{};
    get_struct([&](tp::TType type, std::size_t id) {
      if (id == 1) return get_field(type, tensor.shape, seen[0]);
      return id == 2 && get_field(type, tensor.data, seen[1]);
    });
    if (!seen[0] || !seen[1]) throw malformed("half of a tensor is missing");
    serbench::detail::element_count<T>(tensor.shape, tensor.data.size() * sizeof(T));
  }

  template <class T>
  void get_union(T &value) {
    bool seen = false;
    get_struct([&](tp::TType type, std::size_t id) {
      if (seen || id - 1 >= serbench::variant_count<T>) return false;
      serbench::emplace_payload(value, id - 1, [&](auto &payload) {
        using Payload = std::decay_t<decltype(payload)>;
        if (type == type_of<Payload>()) {
          get<Payload>(payload);
          seen = true;
        }
      });
      return seen;
    });
    if (!seen) throw malformed("a union without a variant");
  }

  template <class T>
  bool get_field(tp::TType type, T &value, bool &seen) {
    if constexpr (serbench::is_option<T>) {
      if (type != type_of<Element<T>>()) return false;
      get<Element<T>>(value.emplace());
    } else {
      if (type != type_of<T>()) return false;
      get<T>(value);
    }
    return seen = true;
  }

  template <class T>
  void absent(T &value) {
    if constexpr (serbench::is_option<T>) {
      value.reset();
    } else {
      throw malformed("a field is missing");
    }
  }

  template <class T>
  void get_scalar(T &value) {
    if constexpr (std::is_same_v<T, bool>) {
      in.readBool(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      double wide = 0;
      in.readDouble(wide);
      value = static_cast<T>(wide);
    } else {
      std::make_signed_t<T> number = 0;
      if constexpr (sizeof(T) == 1) {
        in.readByte(number);
      } else if constexpr (sizeof(T) == 2) {
        in.readI16(number);
      } else if constexpr (sizeof(T) == 4) {
        in.readI32(number);
      } else {
        in.readI64(number);
      }
      value = static_cast<T>(number);
    }
  }

  template <class T>
  void get(T &value) {
    using namespace serbench;
    if constexpr (is_scalar<T>) {
      get_scalar(value);
    } else if constexpr (is_unit_enum<T>) {
      std::int32_t index = 0;
      in.readI32(index);
      if (index < 0 || static_cast<std::size_t>(index) >= variant_count<T>) {
        throw malformed("an unknown variant");
      }
      value = static_cast<T>(index);
    } else if constexpr (is_string<T>) {
      in.readString(value);
    } else if constexpr (is_binary<T>) {
      in.readBinary(bytes);
      if constexpr (is_list<T> || is_bytes<T>) value.resize(bytes.size());
      if (value.size() != bytes.size()) throw malformed("an array of another length");
      if (!bytes.empty()) std::memcpy(value.data(), bytes.data(), bytes.size());
    } else if constexpr (is_sequence<T>) {
      get_list(value);
    } else if constexpr (is_map<T>) {
      get_map(value);
    } else if constexpr (is_option<T>) {
      get_one(value);
    } else if constexpr (is_monostate<T>) {
      get_struct([](tp::TType, std::size_t) { return false; });
    } else if constexpr (is_tensor<T>) {
      get_tensor(value);
    } else if constexpr (is_variants<T>) {
      get_union(value);
    } else {
      get_fields(value);
    }
  }

  template <class T>
  void get_list(T &list) {
    tp::TType type = tp::T_STOP;
    std::uint32_t size = 0;
    in.readListBegin(type, size);
    check_elements<Element<T>>(type, size);
    if constexpr (serbench::is_array<T>) {
      if (size != list.size()) throw malformed("an array of another length");
      for (auto &element : list) get<Element<T>>(element);
    } else {
      list.clear();
      list.reserve(size);
      for (std::uint32_t i = 0; i < size; ++i) {
        serbench::append(list, [&](auto &element) { get<Element<T>>(element); });
      }
    }
    in.readListEnd();
  }

  template <class T>
  void get_map(T &map) {
    tp::TType key = tp::T_STOP, type = tp::T_STOP;
    std::uint32_t size = 0;
    in.readMapBegin(key, type, size);
    if (size != 0 && key != tp::T_STRING) throw malformed("a map with keys of another type");
    check_elements<typename T::mapped_type>(type, size);
    for (std::uint32_t i = 0; i < size; ++i) {
      std::string name;
      in.readString(name);
      get<typename T::mapped_type>(map[std::move(name)]);
    }
    in.readMapEnd();
  }

  /// Every element takes a byte at least, be it the end of an empty struct.
  template <class T>
  void check_elements(tp::TType type, std::uint32_t size) {
    if (size == 0) return;  // an empty compact map has no types
    if (type != type_of<T>()) throw malformed("elements of another type");
    if (size > memory.available_read()) throw malformed("a length that cannot be");
  }
};

}  // namespace thrift_structs

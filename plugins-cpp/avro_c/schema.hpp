// The Avro schema of a generated type. An enum with payloads is a record around a union of records,
// one per variant; an option a union with null. Avro has integers of 32 and of 64 bits with
// a sign: what fits the first by its type is an int, and everything else a long. All of it is cold:
// a schema is made once.
#pragma once

#include <serbench.hpp>
#include <set>

namespace avro_schema {

class Builder {
 public:
  template <class T>
  [[gnu::cold]] static std::string of() {
    Builder builder;
    builder.add<T>();
    return builder.out_;
  }

 private:
  template <class T>
  [[gnu::cold]] void add() {
    using namespace serbench;
    if constexpr (is_scalar<T>) {
      add_scalar<T>();
    } else if constexpr (is_string<T>) {
      out_ += "\"string\"";
    } else if constexpr (is_bytes<T>) {
      out_ += "\"bytes\"";
    } else if constexpr (is_list<T> || is_array<T>) {
      wrap<typename T::value_type>("{\"type\":\"array\",\"items\":", "}");
    } else if constexpr (is_option<T>) {
      wrap<typename T::value_type>("[\"null\",", "]");
    } else if constexpr (is_map<T>) {
      wrap<typename T::mapped_type>("{\"type\":\"map\",\"values\":", "}");
    } else if constexpr (is_tensor<T>) {
      add_tensor();
    } else if constexpr (is_record<T> || is_tuple<T>) {
      if (begin_named<T>("record", "fields")) {
        for_each_field<T>(
            [&](auto field) { add_field<typename decltype(field)::Type>(field.index); });
        out_ += "]}";
      }
    } else if constexpr (is_unit_enum<T>) {
      if (begin_named<T>("enum", "symbols")) {
        for (std::size_t i = 0; i < variant_count<T>; ++i) {
          out_ += (i == 0 ? "\"v" : ",\"v") + std::to_string(i) + '"';
        }
        out_ += "]}";
      }
    } else if (begin_named<T>("record", "fields")) {
      // In a record of its own: a union must not stand directly in the union of an option.
      out_ += "{\"name\":\"f0\",\"type\":[";
      add_variants(static_cast<const decltype(T::value) *>(nullptr), out_.size());
      out_ += "]}]}";
    }
  }

  template <class T>
  void add_scalar() {
    if constexpr (std::is_same_v<T, bool>) {
      out_ += "\"boolean\"";
    } else if constexpr (std::is_floating_point_v<T>) {
      out_ += sizeof(T) == 4 ? "\"float\"" : "\"double\"";
    } else {
      out_ += sizeof(T) < 4 || std::is_same_v<T, std::int32_t> ? "\"int\"" : "\"long\"";
    }
  }

  [[gnu::cold]] void add_tensor() {
    if (!names_.insert("Tensor").second) {
      out_ += "\"Tensor\"";
      return;
    }
    out_ +=
        "{\"type\":\"record\",\"name\":\"Tensor\",\"fields\":[{\"name\":\"dtype\",\"type\":\"int\"}"
        ","
        "{\"name\":\"shape\",\"type\":{\"type\":\"array\",\"items\":\"long\"}},"
        "{\"name\":\"data\",\"type\":\"bytes\"}]}";
  }

  template <class T>
  [[gnu::cold]] void wrap(const char *before, const char *after) {
    out_ += before;
    add<T>();
    out_ += after;
  }

  template <class T>
  bool begin_named(const char *kind, const char *content) {
    return begin_named(id<T>(), serbench::Meta<T>::name, kind, content);
  }

  /// Opens a named type, or, where it is known already, names it.
  [[gnu::cold]] bool begin_named(const void *id, std::string_view type, const char *kind,
                                 const char *content) {
    if (const auto known = named_.find(id); known != named_.end()) {
      out_ += '"' + known->second + '"';
      return false;
    }
    std::string name = "n_" + std::string(type);
    // Payload structs of two enums may share a name.
    while (!names_.insert(name).second) name += '_';
    named_.emplace(id, name);
    out_ +=
        std::string("{\"type\":\"") + kind + "\",\"name\":\"" + name + "\",\"" + content + "\":[";
    return true;
  }

  template <class T>
  static const void *id() {
    static const char here = 0;
    return &here;
  }

  template <class T>
  [[gnu::cold]] void add_field(std::size_t index) {
    begin_field(index);
    add<T>();
    out_ += '}';
  }

  template <class... Alternatives>
  void add_variants(const std::variant<Alternatives...> *, std::size_t unique) {
    std::size_t index = 0;
    (add_variant<Alternatives>(index++, unique), ...);
  }

  template <class Payload>
  [[gnu::cold]] void add_variant(std::size_t index, std::size_t unique) {
    begin_variant(index, unique);
    if constexpr (!serbench::is_monostate<Payload>) add_field<Payload>(0);
    out_ += "]}";
  }

  [[gnu::cold]] void begin_field(std::size_t index) {
    out_ +=
        (index == 0 ? "{\"name\":\"f" : ",{\"name\":\"f") + std::to_string(index) + "\",\"type\":";
  }

  [[gnu::cold]] void begin_variant(std::size_t index, std::size_t unique) {
    if (index != 0) out_ += ',';
    out_ += "{\"type\":\"record\",\"name\":\"v" + std::to_string(index) + "_" +
            std::to_string(unique) + "\",\"fields\":[";
  }

  std::string out_;
  std::set<std::string> names_;
  std::map<const void *, std::string> named_;
};

}  // namespace avro_schema

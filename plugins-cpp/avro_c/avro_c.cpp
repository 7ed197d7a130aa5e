// Avro C: structs are copied into the library's generic values, which are kept between calls, and
// those are written to memory; and back.
#include <avro.h>

#include <serbench/datasets.hpp>

#include "schema.hpp"

namespace {

using serbench::Input;

void check(int failed) {
  if (failed == ENOMEM) throw std::bad_alloc();
  if (failed != 0) throw serbench::malformed(avro_strerror());
}

[[gnu::cold]] avro_value_iface_t *class_from(const std::string &json) {
  avro_schema_t schema = nullptr;
  check(avro_schema_from_json_length(json.data(), json.size(), &schema));
  avro_value_iface_t *made = avro_generic_class_from_schema(schema);
  avro_schema_decref(schema);
  if (made == nullptr) throw serbench::internal(avro_strerror());
  return made;
}

/// The library's class of generic values for T. It is made once and never changes.
template <class T>
avro_value_iface_t *class_of() {
  static avro_value_iface_t *const shared = class_from(avro_schema::Builder::of<T>());
  return shared;
}

/// A generic value that is kept: of one type, since it belongs to one instance.
class Generic {
 public:
  Generic() = default;
  Generic(const Generic &) = delete;
  Generic &operator=(const Generic &) = delete;
  ~Generic() {
    if (made_) avro_value_decref(&value_);
  }

  template <class T>
  avro_value_t *empty() {
    if (!made_) {
      check(avro_generic_value_new(class_of<T>(), &value_));
      made_ = true;
    } else {
      check(avro_value_reset(&value_));
    }
    return &value_;
  }

 private:
  avro_value_t value_{};
  bool made_ = false;
};

avro_value_t child(avro_value_t &parent, std::size_t index) {
  avro_value_t found;
  check(avro_value_get_by_index(&parent, index, &found, nullptr));
  return found;
}

avro_value_t branch(avro_value_t &of, int index) {
  avro_value_t found;
  check(avro_value_set_branch(&of, index, &found));
  return found;
}

template <class S>
constexpr bool is_int = sizeof(S) < 4 || std::is_same_v<S, std::int32_t>;

template <class S>
void put_scalar(avro_value_t &to, S value) {
  if constexpr (std::is_same_v<S, bool>) {
    check(avro_value_set_boolean(&to, value));
  } else if constexpr (std::is_same_v<S, float>) {
    check(avro_value_set_float(&to, value));
  } else if constexpr (std::is_same_v<S, double>) {
    check(avro_value_set_double(&to, value));
  } else if constexpr (is_int<S>) {
    check(avro_value_set_int(&to, value));
  } else {
    check(avro_value_set_long(&to, serbench::as_int64(value)));
  }
}

void put_bytes(avro_value_t &to, Input bytes) {
  static constexpr std::uint8_t none = 0;
  if (bytes.size == 0) bytes.data = &none;  // a null pointer is refused
  check(avro_value_set_bytes(&to, const_cast<std::uint8_t *>(bytes.data), bytes.size));
}

template <class T>
void put(avro_value_t to, const T &value) {
  using namespace serbench;
  if constexpr (is_scalar<T>) {
    put_scalar(to, value);
  } else if constexpr (is_string<T>) {
    // The size counts the zero byte at the end.
    check(avro_value_set_string_len(&to, const_cast<char *>(value.c_str()), value.size() + 1));
  } else if constexpr (is_bytes<T>) {
    put_bytes(to, input_of(value));
  } else if constexpr (is_list<T> || is_array<T>) {
    for (const auto &e : value) {
      avro_value_t element;
      check(avro_value_append(&to, &element, nullptr));
      put<typename T::value_type>(element, e);
    }
  } else if constexpr (is_option<T>) {
    avro_value_t held = branch(to, value ? 1 : 0);
    if (value) {
      put(held, *value);
    } else {
      check(avro_value_set_null(&held));
    }
  } else if constexpr (is_map<T>) {
    for (const auto &entry : value) {
      if (entry.first.find('\0') != entry.first.npos) throw unsupported("a zero byte in a key");
      avro_value_t held;
      check(avro_value_add(&to, entry.first.c_str(), &held, nullptr, nullptr));
      put(held, entry.second);
    }
  } else if constexpr (is_tensor<T>) {
    std::vector<std::uint8_t> scratch;
    avro_value_t code = child(to, 0), data = child(to, 2);
    check(avro_value_set_int(&code, dtype<typename decltype(value.data)::value_type>()));
    put(child(to, 1), value.shape);
    put_bytes(data, serbench::detail::element_bytes(value.data, scratch));
  } else if constexpr (is_record<T> || is_tuple<T>) {
    visit_fields(value,
                 [&](auto field, const auto &member) { put(child(to, field.index), member); });
  } else if constexpr (is_unit_enum<T>) {
    check(avro_value_set_enum(&to, static_cast<int>(variant_index(value))));
  } else {
    avro_value_t choice = child(to, 0);
    avro_value_t held = branch(choice, static_cast<int>(variant_index(value)));
    visit_payload(value, [&](const auto &payload) {
      if constexpr (!is_monostate<std::decay_t<decltype(payload)>>) put(child(held, 0), payload);
    });
  }
}

template <class S>
S get_scalar(avro_value_t &from) {
  if constexpr (std::is_same_v<S, bool>) {
    int value = 0;
    check(avro_value_get_boolean(&from, &value));
    return value != 0;
  } else if constexpr (std::is_floating_point_v<S>) {
    S value = 0;
    if constexpr (sizeof(S) == 4) {
      check(avro_value_get_float(&from, &value));
    } else {
      check(avro_value_get_double(&from, &value));
    }
    return value;
  } else if constexpr (is_int<S>) {
    std::int32_t value = 0;
    check(avro_value_get_int(&from, &value));
    return serbench::narrow<S>(value);
  } else {
    std::int64_t value = 0;
    check(avro_value_get_long(&from, &value));
    return serbench::narrow<S>(value);
  }
}

Input get_bytes(avro_value_t &from) {
  const void *data = nullptr;
  std::size_t size = 0;
  check(avro_value_get_bytes(&from, &data, &size));
  return {static_cast<const std::uint8_t *>(data), size};
}

std::size_t size_of(avro_value_t &of) {
  std::size_t size = 0;
  check(avro_value_get_size(&of, &size));
  return size;
}

avro_value_t current_branch(avro_value_t &of, int &index) {
  avro_value_t held;
  check(avro_value_get_discriminant(&of, &index));
  check(avro_value_get_current_branch(&of, &held));
  return held;
}

template <class T>
void get(avro_value_t from, T &value);

template <class T>
void get_map(avro_value_t &from, serbench::Map<T> &map) {
  const std::size_t size = size_of(from);
  for (std::size_t i = 0; i < size; ++i) {
    avro_value_t held;
    const char *key = nullptr;
    check(avro_value_get_by_index(&from, i, &held, &key));
    get(held, map[key]);
  }
}

template <class T>
void get_tensor(avro_value_t &from, serbench::Tensor<T> &tensor) {
  avro_value_t code = child(from, 0), data = child(from, 2);
  if (get_scalar<std::int32_t>(code) != serbench::dtype<T>()) {
    throw serbench::malformed("a tensor of another element type");
  }
  get(child(from, 1), tensor.shape);
  const Input bytes = get_bytes(data);
  tensor.data.resize(serbench::detail::element_count<T>(tensor.shape, bytes.size));
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    tensor.data[i] = serbench::load_le<T>(bytes.data + i * sizeof(T));
  }
}

template <class T>
void get_variants(avro_value_t &from, T &value) {
  avro_value_t choice = child(from, 0);
  int index = 0;
  avro_value_t held = current_branch(choice, index);
  serbench::emplace_payload(value, static_cast<std::size_t>(index), [&](auto &payload) {
    if constexpr (!serbench::is_monostate<std::decay_t<decltype(payload)>>) {
      get(child(held, 0), payload);
    }
  });
}

template <class T>
void get(avro_value_t from, T &value) {
  using namespace serbench;
  if constexpr (is_scalar<T>) {
    value = get_scalar<T>(from);
  } else if constexpr (is_string<T>) {
    const char *text = nullptr;
    std::size_t size = 0;
    check(avro_value_get_string(&from, &text, &size));
    value.assign(text, size - 1);
  } else if constexpr (is_bytes<T>) {
    const Input bytes = get_bytes(from);
    const auto *first = reinterpret_cast<const std::byte *>(bytes.data);
    value.assign(first, first + bytes.size);
  } else if constexpr (is_list<T>) {
    const std::size_t size = size_of(from);
    value.clear();
    value.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      append(value, [&](auto &element) { get(child(from, i), element); });
    }
  } else if constexpr (is_array<T>) {
    if (size_of(from) != value.size()) throw malformed("an array of another size");
    for (std::size_t i = 0; i < value.size(); ++i) get(child(from, i), value[i]);
  } else if constexpr (is_option<T>) {
    int index = 0;
    avro_value_t held = current_branch(from, index);
    value.reset();
    if (index == 1) get(held, value.emplace());
  } else if constexpr (is_map<T>) {
    get_map(from, value);
  } else if constexpr (is_tensor<T>) {
    get_tensor(from, value);
  } else if constexpr (is_record<T> || is_tuple<T>) {
    visit_fields(value, [&](auto field, auto &member) { get(child(from, field.index), member); });
  } else if constexpr (is_unit_enum<T>) {
    int index = 0;
    check(avro_value_get_enum(&from, &index));
    value = static_cast<T>(index);
  } else {
    get_variants(from, value);
  }
}

struct Avro : serbench::Codec {
  static constexpr bool self_describing = false;
  /// The bytes, and the generic value on the way to them.
  class Buffer {
   public:
    void clear() { size_ = 0; }
    const char *data() const { return bytes_.data(); }
    std::size_t size() const { return size_; }

    template <class T>
    void write(const T &value) {
      avro_value_t *generic = generic_.empty<T>();
      put(*generic, value);
      check(avro_value_sizeof(generic, &size_));
      if (bytes_.size() < size_) bytes_.resize(size_);
      writer_.reset(avro_writer_memory(bytes_.data(), static_cast<std::int64_t>(bytes_.size())));
      check(avro_value_write(writer_.get(), generic));
    }

   private:
    struct Free {
      void operator()(avro_writer_t writer) const { avro_writer_free(writer); }
    };
    Generic generic_;
    std::vector<char> bytes_;
    std::size_t size_ = 0;
    std::unique_ptr<struct avro_writer_t_, Free> writer_;
  };
  using Scratch = Generic;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "avro_c";
    info.format = "Avro";
    info.library = "avro-c";
    info.library_version = SERBENCH_LIBRARY_VERSION;
    info.notes =
        "through the library's generic values; u32 as long; allocates as much as a length "
        "in the input asks for";
    info.capabilities |= SERBENCH_CAP_CONVERTS;
    info.validation = SERBENCH_TRUSTED;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    out.write(value);
  }
  template <class T>
  static T deserialize(Input in, Scratch &generic) {
    struct Free {
      void operator()(avro_reader_t reader) const { avro_reader_free(reader); }
    };
    const std::unique_ptr<struct avro_reader_t_, Free> reader(
        avro_reader_memory(in.chars(), static_cast<std::int64_t>(in.size)));
    avro_value_t *value = generic.empty<T>();
    check(avro_value_read(reader.get(), value));
    T out{};
    get(*value, out);
    return out;
  }
};

}  // namespace

SERBENCH_PLUGIN("avro_c", "Apache-2.0", Avro)

// Jansson: structs become a json_t document, which is dumped into a buffer that is kept; and back.
#include <jansson.h>

#include <serbench/datasets.hpp>

namespace {

using serbench::Input;
using serbench::malformed;

struct Release {
  void operator()(json_t *json) const { json_decref(json); }
};
using Json = std::unique_ptr<json_t, Release>;

/// A place for a value: the root, the end of an array, or a member of an object.
struct Writer {
  static constexpr bool positional = false;
  json_t *parent;  // null: the root
  std::string_view name;
  Json *root;

  void put(json_t *value) {
    if (value == nullptr) throw std::bad_alloc();
    if (parent == nullptr) {
      root->reset(value);
      return;
    }
    // Both take the reference over, also where they fail.
    const int failed = json_is_array(parent)
                           ? json_array_append_new(parent, value)
                           : json_object_setn_new_nocheck(parent, name.data(), name.size(), value);
    if (failed != 0) throw std::bad_alloc();
  }

  void null() { put(json_null()); }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_same_v<S, bool>) {
      put(json_boolean(value));
    } else if constexpr (std::is_floating_point_v<S>) {
      json_t *real = json_real(value);
      if (real == nullptr) throw serbench::unsupported("JSON has no NaN and no infinity");
      put(real);
    } else {
      put(json_integer(serbench::as_int64(value)));
    }
  }
  void text(std::string_view text) { put(json_stringn_nocheck(text.data(), text.size())); }
  void blob(Input bytes) {
    std::string encoded;
    serbench::base64_encode(bytes, encoded);
    text(encoded);
  }

  struct Container {
    json_t *json;
    Json *root;
    Writer element() { return {json, {}, root}; }
    Writer member(std::string_view key) { return {json, key, root}; }
    void end() {}
  };
  Container array(std::size_t) {
    json_t *json = json_array();
    put(json);
    return {json, root};
  }
  Container object(std::size_t) {
    json_t *json = json_object();
    put(json);
    return {json, root};
  }
};

struct Reader {
  static constexpr bool positional = false;
  json_t *value;

  bool is_null() const { return json_is_null(value); }
  bool is_text() const { return json_is_string(value); }
  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      expect(json_is_boolean(value));
      return json_is_true(value);
    } else if constexpr (std::is_floating_point_v<S>) {
      expect(json_is_number(value));
      return static_cast<S>(json_number_value(value));
    } else {
      expect(json_is_integer(value));
      return serbench::narrow<S>(std::int64_t{json_integer_value(value)});
    }
  }
  std::string_view text() const {
    expect(json_is_string(value));
    return {json_string_value(value), json_string_length(value)};
  }
  template <class F>
  void blob(F &&f) const {
    const auto bytes = serbench::base64_decode(text());
    f(Input{bytes.data(), bytes.size()});
  }

  struct Array {
    json_t *json;
    std::size_t at, last;
    std::size_t size() const { return last - at; }
    bool done() const { return at == last; }
    Reader next() { return {json_array_get(json, at++)}; }
  };
  Array array() const {
    expect(json_is_array(value));
    return {value, 0, json_array_size(value)};
  }

  struct Object {
    json_t *json;
    void *at;
    bool done() const { return at == nullptr; }
    std::string_view key() const {
      return {json_object_iter_key(at), json_object_iter_key_len(at)};
    }
    Reader next() {
      const Reader value{json_object_iter_value(at)};
      skip();
      return value;
    }
    void skip() { at = json_object_iter_next(json, at); }
  };
  Object object() const {
    expect(json_is_object(value));
    return {value, json_object_iter(value)};
  }

 private:
  static void expect(bool type) {
    if (!type) throw malformed("a value of another type");
  }
};

struct Jansson : serbench::Codec {
  using Buffer = std::string;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "jansson";
    info.format = "JSON";
    info.library = "jansson";
    info.library_version = jansson_version_str();
    info.notes = "f32 is written with the digits of the double it becomes";
    info.capabilities =
        SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_TEXT | serbench::CodecInfo::reuses_and_fresh;
    return info;
  }
  template <class T>
  static void serialize(const T &value, std::string &out) {
    Json root;
    serbench::write(Writer{nullptr, {}, &root}, value);
    const auto append = [](const char *bytes, std::size_t size, void *to) -> int {
      try {
        static_cast<std::string *>(to)->append(bytes, size);
        return 0;
      } catch (...) {
        return -1;
      }
    };
    if (json_dump_callback(root.get(), append, &out, JSON_COMPACT | JSON_ENCODE_ANY) != 0) {
      throw serbench::internal("the document cannot be dumped");
    }
  }
  template <class T>
  static T deserialize(Input in, Scratch &) {
    json_error_t error;
    const Json root(json_loadb(in.chars(), in.size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error));
    if (!root) throw malformed(error.text);
    T value{};
    serbench::read(Reader{root.get()}, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("jansson", "MIT", Jansson)

// toml++: structs become a toml::table, which is written to a stream that is kept; and back. TOML
// has no null: what is absent is left out, and cannot be left out of an array.
#include <toml++/toml.h>

#include <serbench/datasets.hpp>
#include <serbench/streams.hpp>

namespace {

using serbench::Input;
using serbench::malformed;

/// A place for a value: the root table, a key of a table, or the end of an array.
struct Writer {
  static constexpr bool positional = false;
  toml::table *root = nullptr;
  toml::table *table = nullptr;
  toml::array *array_ = nullptr;
  std::string_view key{};

  /// Puts a value and returns where it now stands.
  template <class V>
  V &put(V value) {
    if (table != nullptr) {
      toml::node &node = table->insert_or_assign(key, std::move(value)).first->second;
      return static_cast<V &>(node);
    }
    if (array_ != nullptr) return array_->emplace_back<V>(std::move(value));
    throw serbench::unsupported("the top level of TOML is a table");
  }

  void null() {
    if (table == nullptr) throw serbench::unsupported("TOML has no null in arrays");
  }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_same_v<S, bool>) {
      put(toml::value<bool>(value));
    } else if constexpr (std::is_floating_point_v<S>) {
      put(toml::value<double>(value));
    } else {
      put(toml::value<std::int64_t>(serbench::as_int64(value)));
    }
  }
  void text(std::string_view text) { put(toml::value<std::string>(text)); }
  void blob(Input bytes) {
    std::string encoded;
    serbench::base64_encode(bytes, encoded);
    put(toml::value<std::string>(std::move(encoded)));
  }

  struct Array {
    toml::array &array;
    Writer element() { return {nullptr, nullptr, &array, {}}; }
    void end() {}
  };
  Array array(std::size_t count) {
    auto &array = put(toml::array{});
    array.reserve(count);
    return {array};
  }

  struct Object {
    toml::table &table;
    Writer member(std::string_view key) { return {nullptr, &table, nullptr, key}; }
    void end() {}
  };
  Object object(std::size_t) {
    if (root != nullptr) return {*root};
    return {put(toml::table{})};
  }
};

struct Reader {
  static constexpr bool positional = false;
  const toml::node &node;

  bool is_null() const { return false; }
  bool is_text() const { return node.is_string(); }
  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      return expect(node.as_boolean()).get();
    } else if constexpr (std::is_floating_point_v<S>) {
      return static_cast<S>(expect(node.as_floating_point()).get());
    } else {
      return serbench::narrow<S>(expect(node.as_integer()).get());
    }
  }
  std::string_view text() const { return expect(node.as_string()).get(); }
  template <class F>
  void blob(F &&f) const {
    const auto bytes = serbench::base64_decode(text());
    f(Input{bytes.data(), bytes.size()});
  }

  struct Array {
    const toml::array &array;
    std::size_t at = 0;
    std::size_t size() const { return array.size(); }
    bool done() const { return at == array.size(); }
    Reader next() { return {array[at++]}; }
  };
  Array array() const { return {expect(node.as_array())}; }

  struct Object {
    const toml::table &table;
    toml::table::const_iterator at = table.begin();
    bool done() const { return at == table.end(); }
    std::string_view key() const { return at->first.str(); }
    Reader next() { return {(at++)->second}; }
    void skip() { ++at; }
    std::optional<Reader> find(std::string_view name) const {
      const toml::node *found = table.get(name);
      if (found == nullptr) return std::nullopt;
      return Reader{*found};
    }
  };
  Object object() const { return {expect(node.as_table())}; }

 private:
  template <class V>
  static const V &expect(const V *value) {
    if (value == nullptr) throw malformed("a value of another type");
    return *value;
  }
};

struct Toml : serbench::Codec {
  using Buffer = serbench::OutputStream;
  template <class T>
  static constexpr const char *refuses =
      serbench::is_object<T> ? nullptr : "the top level of TOML is a table, never an array";

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "tomlplusplus";
    info.format = "TOML";
    info.library = "tomlplusplus";
    info.library_version = std::to_string(TOML_LIB_MAJOR) + "." + std::to_string(TOML_LIB_MINOR) +
                           "." + std::to_string(TOML_LIB_PATCH);
    info.notes = "f32 is written with the digits of the double it becomes";
    info.capabilities =
        SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_TEXT | serbench::CodecInfo::reuses_and_fresh;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    toml::table table;
    serbench::write(Writer{&table}, value);
    // Only with plain strings: the library loses a line break that a multi-line string begins with,
    // and writes control characters into literal ones.
    constexpr auto flags =
        toml::toml_formatter::default_flags &
        ~(toml::format_flags::allow_multi_line_strings | toml::format_flags::allow_literal_strings);
    out.stream() << toml::toml_formatter{table, flags};
  }
  template <class T>
  static T deserialize(Input in, Scratch &) {
    const toml::table table = toml::parse(in.view());
    T value{};
    serbench::read(Reader{table}, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("tomlplusplus", "MIT", Toml)

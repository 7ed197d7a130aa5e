// nlohmann/json: structs become a json value, which is dumped; and back. The library's own CBOR,
// MessagePack, BSON and UBJSON read and write the same json values.
#include <nlohmann/json.hpp>
#include <serbench/datasets.hpp>

namespace {

using nlohmann::json;
using serbench::Input;

/// A place for a value in a json document. Binary: byte strings are json's binary values, for the
/// formats that have such; else base64.
template <bool Binary>
class Writer {
 public:
  static constexpr bool positional = false;

  explicit Writer(json &place) : place_(place) {}

  void null() { place_ = nullptr; }
  template <class S>
  void scalar(S value) {
    place_ = value;
  }
  void text(std::string_view text) { place_ = text; }
  void blob(Input bytes) {
    if constexpr (Binary) {
      place_ = json::binary({bytes.data, bytes.data + bytes.size});
    } else {
      place_ = std::string();
      serbench::base64_encode(bytes, place_.get_ref<std::string &>());
    }
  }

  struct Array {
    json::array_t &elements;
    Writer element() { return Writer(elements.emplace_back()); }
    void end() {}
  };
  Array array(std::size_t count) {
    place_ = json::array();
    auto &elements = place_.get_ref<json::array_t &>();
    elements.reserve(count);
    return {elements};
  }

  struct Object {
    json::object_t &members;
    Writer member(std::string_view key) { return Writer(members[std::string(key)]); }
    void end() {}
  };
  Object object(std::size_t) {
    place_ = json::object();
    return {place_.get_ref<json::object_t &>()};
  }

 private:
  json &place_;
};

/// A value in a json document. Everything it does not expect throws, from the library.
template <bool Binary>
class Reader {
 public:
  static constexpr bool positional = false;

  explicit Reader(const json &value) : value_(value) {}

  bool is_null() const { return value_.is_null(); }
  bool is_text() const { return value_.is_string(); }
  template <class S>
  S scalar() const {
    return value_.get<S>();
  }
  std::string_view text() const { return value_.get_ref<const std::string &>(); }
  template <class F>
  void blob(F &&f) const {
    if constexpr (Binary) {
      const auto &bytes = value_.get_binary();
      f(Input{bytes.data(), bytes.size()});
    } else {
      const auto bytes = serbench::base64_decode(text());
      f(Input{bytes.data(), bytes.size()});
    }
  }

  struct Array {
    json::array_t::const_iterator at, last;
    std::size_t size() const { return static_cast<std::size_t>(last - at); }
    bool done() const { return at == last; }
    Reader next() { return Reader(*at++); }
  };
  Array array() const {
    const auto &elements = value_.get_ref<const json::array_t &>();
    return {elements.begin(), elements.end()};
  }

  struct Object {
    const json::object_t &members;
    json::object_t::const_iterator at;
    bool done() const { return at == members.end(); }
    const std::string &key() const { return at->first; }
    Reader next() { return Reader((at++)->second); }
    void skip() { ++at; }
    std::optional<Reader> find(std::string_view name) const {
      const auto found = members.find(name);
      if (found == members.end()) return std::nullopt;
      return Reader(found->second);
    }
  };
  Object object() const {
    const auto &members = value_.get_ref<const json::object_t &>();
    return {members, members.begin()};
  }

 private:
  const json &value_;
};

serbench::CodecInfo info_for(const char *id, const char *format) {
  serbench::CodecInfo info;
  info.id = id;
  info.format = format;
  info.library = "nlohmann-json";
  info.library_version = json::meta()["version"]["string"].get<std::string>();
  info.capabilities = SERBENCH_CAP_SELF_DESCRIBING | serbench::CodecInfo::reuses_and_fresh;
  return info;
}

template <bool Binary, class T>
json to_json(const T &value) {
  json document;
  serbench::write(Writer<Binary>(document), value);
  return document;
}

template <bool Binary, class T>
T from_json(const json &document) {
  T value{};
  serbench::read(Reader<Binary>(document), value);
  return value;
}

struct Json : serbench::Codec {
  using Buffer = std::string;

  static serbench::CodecInfo info() {
    auto info = info_for("nlohmann_json", "JSON");
    info.capabilities =
        SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_TEXT | SERBENCH_CAP_FRESH_OUTPUT;
    info.notes =
        "f32 is written with the digits of the double it becomes; dump() returns a new "
        "string each time";
    return info;
  }
  template <class T>
  static void serialize(const T &value, std::string &out) {
    out = to_json<false>(value).dump();
  }
  template <class T>
  static T deserialize(Input in, Scratch &) {
    return from_json<false, T>(json::parse(in.data, in.data + in.size));
  }
};

/// One of the library's binary formats.
template <class Format>
struct Binary : serbench::Codec {
  template <class T>
  static constexpr const char *refuses = Format::template refuses<T>;

  static serbench::CodecInfo info() {
    auto info = info_for(Format::id, Format::name);
    info.capabilities |= SERBENCH_CAP_LENIENT;
    info.notes = "text is not checked to be UTF-8, as it is in JSON";
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    try {
      Format::write(to_json<true>(value), out);
    } catch (const json::out_of_range &error) {
      throw serbench::unsupported(error.what());
    }
  }
  template <class T>
  static T deserialize(Input in, Scratch &) {
    return from_json<true, T>(Format::read(in));
  }
};

struct AnyRoot {
  template <class T>
  static constexpr const char *refuses = nullptr;
};

struct Cbor : AnyRoot {
  static constexpr auto id = "nlohmann_json/cbor", name = "CBOR";
  static void write(const json &document, std::vector<std::uint8_t> &out) {
    json::to_cbor(document, out);
  }
  static json read(Input in) { return json::from_cbor(in.data, in.data + in.size); }
};

struct MessagePack : AnyRoot {
  static constexpr auto id = "nlohmann_json/msgpack", name = "MessagePack";
  static void write(const json &document, std::vector<std::uint8_t> &out) {
    json::to_msgpack(document, out);
  }
  static json read(Input in) { return json::from_msgpack(in.data, in.data + in.size); }
};

struct Ubjson : AnyRoot {
  static constexpr auto id = "nlohmann_json/ubjson", name = "UBJSON";
  // UBJSON has no byte strings: the library writes an array, and reads one back.
  template <class T>
  static constexpr const char *refuses =
      serbench::holds_bytes<T> ? "UBJSON has no byte strings" : nullptr;
  static void write(const json &document, std::vector<std::uint8_t> &out) {
    json::to_ubjson(document, out);
  }
  static json read(Input in) { return json::from_ubjson(in.data, in.data + in.size); }
};

struct Bson {
  static constexpr auto id = "nlohmann_json/bson", name = "BSON";
  template <class T>
  static constexpr const char *refuses =
      serbench::is_object<T> ? nullptr : "the top level of BSON is a document, never an array";
  static void write(const json &document, std::vector<std::uint8_t> &out) {
    json::to_bson(document, out);
  }
  static json read(Input in) { return json::from_bson(in.data, in.data + in.size); }
};

}  // namespace

SERBENCH_PLUGIN("nlohmann_json", "MIT", Json, Binary<Cbor>, Binary<MessagePack>, Binary<Ubjson>,
                Binary<Bson>)

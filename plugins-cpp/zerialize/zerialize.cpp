// zerialize: one writer and one lazy reader for several formats. Its headers do not say their
// version.
#include <serbench/datasets.hpp>
#include <span>
#include <zerialize/protocols/zera.hpp>
#include <zerialize/zerialize.hpp>
#if __has_include(<yyjson.h>) && defined(SERBENCH_HAS_YYJSON)
#define WITH_JSON
#include <zerialize/protocols/json.hpp>
#endif
#if __has_include(<flatbuffers/flexbuffers.h>) && defined(SERBENCH_HAS_FLATBUFFERS)
#define WITH_FLEX
#include <zerialize/protocols/flex.hpp>
#endif
#if __has_include(<msgpack.h>) && defined(SERBENCH_HAS_MSGPACKC)
#define WITH_MSGPACK
#include <zerialize/protocols/msgpack.hpp>
#endif
#if __has_include(<jsoncons/json.hpp>)
#define WITH_CBOR
#include <zerialize/protocols/cbor.hpp>
#endif

namespace {

using serbench::Input;
using serbench::malformed;

/// Every place is the library's writer itself.
template <class W>
struct Writer {
  static constexpr bool positional = false;
  W &writer;

  void null() { writer.null(); }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_same_v<S, bool>) {
      writer.boolean(value);
    } else if constexpr (std::is_floating_point_v<S>) {
      writer.double_(value);
    } else if constexpr (std::is_signed_v<S>) {
      writer.int64(value);
    } else {
      writer.uint64(value);
    }
  }
  void text(std::string_view text) { writer.string(text); }
  void blob(Input bytes) {
    writer.binary({reinterpret_cast<const std::byte *>(bytes.data), bytes.size});
  }

  struct Array {
    W &writer;
    Writer element() { return {writer}; }
    void end() { writer.end_array(); }
  };
  Array array(std::size_t count) {
    writer.begin_array(count);
    return {writer};
  }

  struct Object {
    W &writer;
    Writer member(std::string_view key) {
      writer.key(key);
      return {writer};
    }
    void end() { writer.end_map(); }
  };
  Object object(std::size_t count) {
    writer.begin_map(count);
    return {writer};
  }
};

/// What serialize<Protocol>() calls with its writer.
template <class T>
struct Builder {
  static constexpr bool is_builder = true;
  const T &value;

  template <class W>
  void operator()(W &writer) const {
    serbench::write(Writer<W>{writer}, value);
  }
};

/// A value view of the library: V is one, or a reference to the root.
template <class V>
struct Reader {
  using Element = decltype(std::declval<const V &>()[std::size_t{}]);
  static constexpr bool positional = false;
  V value;

  bool is_null() const { return value.isNull(); }
  bool is_text() const { return value.isString(); }
  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      return value.asBool();
    } else if constexpr (std::is_same_v<S, float>) {
      return value.asFloat();
    } else if constexpr (std::is_same_v<S, double>) {
      return value.asDouble();
    } else if constexpr (std::is_signed_v<S>) {
      return serbench::narrow<S>(value.asInt64());
    } else {
      return serbench::narrow<S>(value.asUInt64());
    }
  }
  std::string_view text() const { return value.asStringView(); }
  template <class F>
  void blob(F &&f) const {
    const auto blob = value.asBlob();
    f(Input{reinterpret_cast<const std::uint8_t *>(std::data(blob)), std::size(blob)});
  }

  struct Array {
    const V &array;
    std::size_t at, last;
    std::size_t size() const { return last - at; }
    bool done() const { return at == last; }
    Reader<Element> next() { return {array[at++]}; }
  };
  Array array() const {
    if (!value.isArray()) throw malformed("a value of another type");
    return {value, 0, value.arraySize()};
  }

  class Object {
   public:
    explicit Object(const V &map) : map_(map), keys_(map.mapKeys()), at_(std::begin(keys_)) {}

    std::size_t size() const {
      return static_cast<std::size_t>(std::ranges::distance(std::begin(keys_), std::end(keys_)));
    }
    bool done() const { return at_ == std::end(keys_); }
    std::string_view key() const { return *at_; }
    Reader<Element> next() { return {map_[std::string_view(*at_++)]}; }
    Reader<Element> get(std::string_view key) const { return {map_[key]}; }
    std::optional<Reader<Element>> find(std::string_view key) const {
      if (!map_.contains(key)) return std::nullopt;
      return std::optional<Reader<Element>>(get(key));
    }

   private:
    using Keys = decltype(std::declval<const V &>().mapKeys());
    const V &map_;
    Keys keys_;
    decltype(std::begin(std::declval<Keys &>())) at_;
  };
  Object object() const {
    if (!value.isMap()) throw malformed("a value of another type");
    return Object(value);
  }
};

template <class T, class Protocol>
struct View {
  typename Protocol::Deserializer root;
};

template <class T, class P, class Sink>
void walk_root(const View<T, P> &view, Sink &sink) {
  serbench::walk_view<T>(sink, Reader<const typename P::Deserializer &>{view.root});
}

template <class T, class P>
void fold(const View<T, P> &view, serbench::Checksum &sum) {
  walk_root(view, sum);
}

template <class T, class P>
[[gnu::cold]] void encode(const View<T, P> &view, std::vector<std::uint8_t> &out) {
  serbench::Encoder encoder(out);
  walk_root(view, encoder);
}

template <class Format>
struct Zerialize : serbench::Codec {
  using Protocol = typename Format::Protocol;
  /// The library returns a new buffer each time.
  class Buffer {
   public:
    void clear() { bytes.reset(); }
    const std::uint8_t *data() const { return bytes->data(); }
    std::size_t size() const { return bytes->size(); }

    std::optional<zerialize::ZBuffer> bytes;
  };
  template <class T>
  using Decoded = View<T, Protocol>;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = Format::id;
    info.format = Format::format;
    info.library = "zerialize";
    info.library_version = "unknown";
    info.notes = Format::notes;
    info.capabilities =
        SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_FRESH_OUTPUT | Format::text | Format::lenient;
    info.yields = SERBENCH_YIELDS_VIEW;
    info.validation = Format::validation;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    out.bytes.emplace(zerialize::serialize<Protocol>(Builder<T>{value}));
  }
  template <class T>
  static View<T, Protocol> deserialize(Input in, Scratch &) {
    return {typename Protocol::Deserializer(std::span<const std::uint8_t>(in.data, in.size))};
  }
};

struct Binary {
  static constexpr auto notes = "";
  static constexpr std::uint64_t text = 0, lenient = 0;
  static constexpr std::uint32_t validation = SERBENCH_CHECKED;
};

struct Zera : Binary {
  using Protocol = zerialize::Zera;
  static constexpr auto id = "zerialize/zera", format = "ZERA",
                        notes = "text is not checked to be UTF-8";
  static constexpr std::uint64_t lenient = SERBENCH_CAP_LENIENT;
};
#ifdef WITH_JSON
struct Json : Binary {
  using Protocol = zerialize::JSON;
  static constexpr auto id = "zerialize/json", format = "JSON";
  static constexpr std::uint64_t text = SERBENCH_CAP_TEXT;
};
#define AND_JSON , Zerialize<Json>
#else
#define AND_JSON
#endif
#ifdef WITH_FLEX
struct Flex : Binary {
  using Protocol = zerialize::Flex;
  static constexpr auto id = "zerialize/flex", format = "FlexBuffers";
  static constexpr std::uint32_t validation = SERBENCH_TRUSTED;  // it does not run the verifier
};
#define AND_FLEX , Zerialize<Flex>
#else
#define AND_FLEX
#endif
#ifdef WITH_MSGPACK
struct MessagePack : Binary {
  using Protocol = zerialize::MsgPack;
  static constexpr auto id = "zerialize/msgpack", format = "MessagePack";
  static constexpr std::uint32_t validation = SERBENCH_TRUSTED;  // altered bytes crash it
};
#define AND_MSGPACK , Zerialize<MessagePack>
#else
#define AND_MSGPACK
#endif
#ifdef WITH_CBOR
struct Cbor : Binary {
  using Protocol = zerialize::CBOR;
  static constexpr auto id = "zerialize/cbor", format = "CBOR";
  static constexpr std::uint32_t validation = SERBENCH_TRUSTED;  // altered bytes crash it
};
#define AND_CBOR , Zerialize<Cbor>
#else
#define AND_CBOR
#endif

}  // namespace

SERBENCH_PLUGIN("zerialize", "MIT", Zerialize<Zera> AND_JSON AND_FLEX AND_MSGPACK AND_CBOR)

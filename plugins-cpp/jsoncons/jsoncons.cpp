// jsoncons: its encoders straight from the struct into a buffer that is kept; documents are decoded
// into its json values, whose members stay in order.
#include <cmath>
#include <jsoncons/config/version.hpp>
#include <jsoncons/json.hpp>
#include <jsoncons_ext/cbor/cbor.hpp>
#include <jsoncons_ext/msgpack/msgpack.hpp>
#include <serbench/datasets.hpp>

#include "../shared/version.hpp"

namespace {

using jsoncons::ojson;
using serbench::Input;
using serbench::malformed;

/// Values are encoded in one stream, so every place is the encoder itself.
template <class Format>
struct Writer {
  static constexpr bool positional = false;
  typename Format::Encoder &encoder;

  void null() { encoder.null_value(); }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_same_v<S, bool>) {
      encoder.bool_value(value);
    } else if constexpr (std::is_floating_point_v<S>) {
      if (Format::text && !std::isfinite(value)) {
        throw serbench::unsupported("JSON has no NaN and no infinity");
      }
      if (Format::text && value == 0 && std::signbit(value)) {
        // As a number of any precision: double_value() drops the sign.
        encoder.string_value("-0.0", jsoncons::semantic_tag::bigdec);
      } else {
        encoder.double_value(value);
      }
    } else if constexpr (std::is_signed_v<S>) {
      encoder.int64_value(value);
    } else {
      encoder.uint64_value(value);
    }
  }
  void text(std::string_view text) { encoder.string_value(text); }
  void blob(Input bytes) {
    if constexpr (Format::text) {
      std::string encoded;
      serbench::base64_encode(bytes, encoded);
      encoder.string_value(encoded);
    } else {
      encoder.byte_string_value(jsoncons::byte_string_view(bytes.data, bytes.size));
    }
  }

  struct Array {
    typename Format::Encoder &encoder;
    Writer element() { return {encoder}; }
    void end() { encoder.end_array(); }
  };
  Array array(std::size_t count) {
    encoder.begin_array(count);
    return {encoder};
  }

  struct Object {
    typename Format::Encoder &encoder;
    Writer member(std::string_view key) {
      encoder.key(key);
      return {encoder};
    }
    void end() { encoder.end_object(); }
  };
  Object object(std::size_t count) {
    encoder.begin_object(count);
    return {encoder};
  }
};

/// Everything that it does not expect throws, from the library.
template <class Format>
struct Reader {
  static constexpr bool positional = false;
  const ojson &value;

  bool is_null() const { return value.is_null(); }
  bool is_text() const { return value.is_string(); }
  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      return value.as_bool();
    } else if constexpr (std::is_floating_point_v<S>) {
      return static_cast<S>(value.as_double());
    } else if constexpr (std::is_signed_v<S>) {
      return serbench::narrow<S>(value.as<std::int64_t>());
    } else {
      return serbench::narrow<S>(value.as<std::uint64_t>());
    }
  }
  std::string_view text() const { return value.as_string_view(); }
  template <class F>
  void blob(F &&f) const {
    if constexpr (Format::text) {
      const auto bytes = serbench::base64_decode(text());
      f(Input{bytes.data(), bytes.size()});
    } else {
      const auto bytes = value.as_byte_string_view();
      f(Input{bytes.data(), bytes.size()});
    }
  }

  struct Array {
    ojson::const_array_iterator at, last;
    std::size_t size() const { return static_cast<std::size_t>(last - at); }
    bool done() const { return at == last; }
    Reader next() { return {*at++}; }
  };
  Array array() const {
    const auto range = value.array_range();
    return {range.begin(), range.end()};
  }

  struct Object {
    ojson::const_object_iterator at, last;
    bool done() const { return at == last; }
    std::string_view key() const { return at->key(); }
    Reader next() { return {(at++)->value()}; }
    void skip() { ++at; }
  };
  Object object() const {
    const auto range = value.object_range();
    return {range.begin(), range.end()};
  }
};

template <class Format>
struct JsonCons : serbench::Codec {
  using Buffer = typename Format::Buffer;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = Format::id;
    info.format = Format::name;
    info.library = "jsoncons";
    info.library_version =
        serbench::dotted(JSONCONS_VERSION_MAJOR, JSONCONS_VERSION_MINOR, JSONCONS_VERSION_PATCH);
    info.notes = "f32 is written as the double it becomes";
    info.capabilities = SERBENCH_CAP_SELF_DESCRIBING | serbench::CodecInfo::reuses_and_fresh |
                        (Format::text ? SERBENCH_CAP_TEXT : 0);
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    typename Format::Encoder encoder(out);
    serbench::write(Writer<Format>{encoder}, value);
    encoder.flush();
  }
  template <class T>
  static T deserialize(Input in, Scratch &) {
    const ojson document = Format::decode(in);
    T value{};
    serbench::read(Reader<Format>{document}, value);
    return value;
  }
};

struct Json {
  using Buffer = std::string;
  using Encoder = jsoncons::compact_json_string_encoder;
  static constexpr auto id = "jsoncons", name = "JSON";
  static constexpr bool text = true;
  static ojson decode(Input in) { return ojson::parse(std::string_view(in.chars(), in.size)); }
};

struct Binary {
  using Buffer = std::vector<std::uint8_t>;
  static constexpr bool text = false;

  static jsoncons::span<const std::uint8_t> bytes(Input in) { return {in.data, in.size}; }
};

struct Cbor : Binary {
  using Encoder = jsoncons::cbor::cbor_bytes_encoder;
  static constexpr auto id = "jsoncons/cbor", name = "CBOR";
  static ojson decode(Input in) { return jsoncons::cbor::decode_cbor<ojson>(bytes(in)); }
};

struct MessagePack : Binary {
  using Encoder = jsoncons::msgpack::msgpack_bytes_encoder;
  static constexpr auto id = "jsoncons/msgpack", name = "MessagePack";
  static ojson decode(Input in) { return jsoncons::msgpack::decode_msgpack<ojson>(bytes(in)); }
};

}  // namespace

SERBENCH_PLUGIN("jsoncons", "BSL-1.0", JsonCons<Json>, JsonCons<Cbor>, JsonCons<MessagePack>)

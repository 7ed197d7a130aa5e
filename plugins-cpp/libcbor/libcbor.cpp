// libcbor: its streaming encoder straight from the struct into a buffer that is kept; its document
// loader for reading.
#include <cbor.h>

#include <serbench/datasets.hpp>

namespace {

using serbench::Input;
using serbench::malformed;

/// CBOR is written in one stream, so every place is the buffer itself.
struct Writer {
  static constexpr bool positional = false;
  std::vector<std::uint8_t> &out;

  void null() { head(cbor_encode_null); }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_same_v<S, bool>) {
      head(cbor_encode_bool, value);
    } else if constexpr (std::is_same_v<S, float>) {
      head(cbor_encode_single, value);
    } else if constexpr (std::is_same_v<S, double>) {
      head(cbor_encode_double, value);
    } else if (value < S{}) {
      head(cbor_encode_negint, ~static_cast<std::uint64_t>(value));
    } else {
      head(cbor_encode_uint, static_cast<std::uint64_t>(value));
    }
  }
  void text(std::string_view text) {
    head(cbor_encode_string_start, text.size());
    out.insert(out.end(), text.begin(), text.end());
  }
  void blob(Input bytes) {
    head(cbor_encode_bytestring_start, bytes.size);
    out.insert(out.end(), bytes.data, bytes.data + bytes.size);
  }
  Writer array(std::size_t count) {
    head(cbor_encode_array_start, count);
    return *this;
  }
  Writer element() { return *this; }
  Writer object(std::size_t count) {
    head(cbor_encode_map_start, count);
    return *this;
  }
  Writer member(std::string_view key) {
    text(key);
    return *this;
  }
  void end() {}

 private:
  /// Has the library encode what takes nine bytes at most.
  template <class Encode, class... Value>
  void head(Encode encode, Value... value) {
    unsigned char bytes[9];
    const std::size_t size = encode(value..., bytes, sizeof bytes);
    out.insert(out.end(), bytes, bytes + size);
  }
};

struct Reader {
  static constexpr bool positional = false;
  const cbor_item_t *item;

  bool is_null() const { return is_control() && cbor_is_null(item); }
  bool is_text() const { return cbor_isa_string(item); }
  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      expect(is_control() && cbor_is_bool(item));
      return cbor_get_bool(item);
    } else if constexpr (std::is_floating_point_v<S>) {
      expect(cbor_isa_float_ctrl(item) && !cbor_float_ctrl_is_ctrl(item));
      return static_cast<S>(cbor_float_get_float(item));
    } else if (cbor_isa_negint(item)) {
      const std::uint64_t word = cbor_get_int(item);
      expect(word <= std::uint64_t{INT64_MAX});
      return serbench::narrow<S>(static_cast<std::int64_t>(~word));
    } else {
      expect(cbor_isa_uint(item));
      return serbench::narrow<S>(std::uint64_t{cbor_get_int(item)});
    }
  }
  std::string_view text() const {
    expect(cbor_isa_string(item) && cbor_string_is_definite(item));
    return {reinterpret_cast<const char *>(cbor_string_handle(item)), cbor_string_length(item)};
  }
  template <class F>
  void blob(F &&f) const {
    expect(cbor_isa_bytestring(item) && cbor_bytestring_is_definite(item));
    f(Input{cbor_bytestring_handle(item), cbor_bytestring_length(item)});
  }

  struct Array {
    cbor_item_t *const *at, *const *last;
    std::size_t size() const { return static_cast<std::size_t>(last - at); }
    bool done() const { return at == last; }
    Reader next() { return {*at++}; }
  };
  Array array() const {
    expect(cbor_isa_array(item));
    cbor_item_t **elements = cbor_array_handle(item);
    return {elements, elements + cbor_array_size(item)};
  }

  struct Object {
    const cbor_pair *at, *last;
    bool done() const { return at == last; }
    std::string_view key() const { return Reader{at->key}.text(); }
    Reader next() { return {(at++)->value}; }
    void skip() { ++at; }
  };
  Object object() const {
    expect(cbor_isa_map(item));
    const cbor_pair *members = cbor_map_handle(item);
    return {members, members + cbor_map_size(item)};
  }

 private:
  /// A bool, null or the like: what the library asserts of an item before it looks which.
  bool is_control() const { return cbor_isa_float_ctrl(item) && cbor_float_ctrl_is_ctrl(item); }

  static void expect(bool type) {
    if (!type) throw malformed("a value of another type");
  }
};

struct Release {
  void operator()(cbor_item_t *item) const { cbor_decref(&item); }
};

struct Cbor : serbench::Codec {
  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "libcbor";
    info.format = "CBOR";
    info.library = "libcbor";
    info.library_version = CBOR_VERSION;
    info.notes =
        "streaming encoder, document loader, which allocates what a length in the input asks for";
    info.capabilities = SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_UNBOUNDED |
                        serbench::CodecInfo::reuses_and_fresh;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    serbench::write(Writer{out}, value);
  }
  template <class T>
  static T deserialize(Input in, Scratch &) {
    cbor_load_result result;
    const std::unique_ptr<cbor_item_t, Release> root(cbor_load(in.data, in.size, &result));
    if (!root || result.read != in.size) throw malformed("not one CBOR value");
    T value{};
    serbench::read(Reader{root.get()}, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("libcbor", "MIT", Cbor)

// msgpack-c for C++: packer into an sbuffer; unpack into objects in a zone that is kept, whose
// strings refer to the input. Records as arrays, and as maps in the variant of that name.
#include <cmath>
#include <msgpack.hpp>
#include <serbench/datasets.hpp>

namespace {

using serbench::Input;
using Packer = msgpack::packer<msgpack::sbuffer>;

std::uint32_t length(std::size_t size) {
  if (size > UINT32_MAX) throw serbench::unsupported("MessagePack lengths have 32 bits");
  return static_cast<std::uint32_t>(size);
}

/// MessagePack is written in one stream, so every place is the packer itself.
template <bool Positional>
struct Writer {
  static constexpr bool positional = Positional;
  Packer &packer;
  msgpack::sbuffer &buffer;

  void null() { packer.pack_nil(); }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_floating_point_v<S>) {
      if (value == 0 && std::signbit(value)) return minus_zero();
    }
    packer.pack(value);
  }
  void text(std::string_view text) {
    const auto size = length(text.size());
    packer.pack_str(size).pack_str_body(text.data(), size);
  }
  void blob(Input bytes) {
    const auto size = length(bytes.size);
    packer.pack_bin(size).pack_bin_body(bytes.chars(), size);
  }
  Writer array(std::size_t count) {
    packer.pack_array(length(count));
    return *this;
  }
  Writer element() { return *this; }
  Writer object(std::size_t count) {
    packer.pack_map(length(count));
    return *this;
  }
  Writer member(std::string_view key) {
    text(key);
    return *this;
  }
  void end() {}

 private:
  /// The packer writes a float without fraction as an integer, and loses the sign of zero so.
  void minus_zero() {
    static constexpr char bytes[] = {'\xca', '\x80', 0, 0, 0};
    buffer.write(bytes, sizeof bytes);
  }
};

template <bool Positional>
struct Reader {
  static constexpr bool positional = Positional;
  const msgpack::object &value;

  bool is_null() const { return value.is_nil(); }
  bool is_text() const { return value.type == msgpack::type::STR; }
  template <class S>
  S scalar() const {
    return value.as<S>();
  }
  std::string_view text() const {
    expect(msgpack::type::STR);
    return {value.via.str.ptr, value.via.str.size};
  }
  template <class F>
  void blob(F &&f) const {
    expect(msgpack::type::BIN);
    f(Input{reinterpret_cast<const std::uint8_t *>(value.via.bin.ptr), value.via.bin.size});
  }

  struct Array {
    const msgpack::object *at, *last;
    std::size_t size() const { return static_cast<std::size_t>(last - at); }
    bool done() const { return at == last; }
    Reader next() { return {*at++}; }
  };
  Array array() const {
    expect(msgpack::type::ARRAY);
    return {value.via.array.ptr, value.via.array.ptr + value.via.array.size};
  }

  struct Object {
    const msgpack::object_kv *at, *last;
    bool done() const { return at == last; }
    std::string_view key() const { return Reader{at->key}.text(); }
    Reader next() { return {(at++)->val}; }
    void skip() { ++at; }
  };
  Object object() const {
    expect(msgpack::type::MAP);
    return {value.via.map.ptr, value.via.map.ptr + value.via.map.size};
  }

 private:
  void expect(msgpack::type::object_type type) const {
    if (value.type != type) throw msgpack::type_error();
  }
};

template <bool Positional>
struct MessagePack : serbench::Codec {
  static constexpr bool self_describing = !Positional;
  using Buffer = msgpack::sbuffer;
  using Scratch = msgpack::zone;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = Positional ? "msgpack_cxx" : "msgpack_cxx/map";
    info.format = "MessagePack";
    info.library = "msgpack-cxx";
    info.library_version = MSGPACK_VERSION;
    info.notes = Positional ? "records as arrays; floats without fraction become integers"
                            : "records as maps; floats without fraction become integers";
    info.notes += "; text is not checked to be UTF-8";
    info.capabilities = (Positional ? SERBENCH_CAP_SCHEMA : SERBENCH_CAP_SELF_DESCRIBING) |
                        SERBENCH_CAP_LENIENT | serbench::CodecInfo::reuses_and_fresh;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    Packer packer(out);
    serbench::write(Writer<Positional>{packer, out}, value);
  }
  template <class T>
  static T deserialize(Input in, Scratch &zone) {
    zone.clear();
    std::size_t end = 0;
    const auto refer = [](msgpack::type::object_type, std::size_t, void *) { return true; };
    // No length is believed that is above the size of the input.
    const msgpack::unpack_limit limit(in.size, in.size, in.size, in.size, in.size);
    const msgpack::object object =
        msgpack::unpack(zone, in.chars(), in.size, end, refer, nullptr, limit);
    if (end != in.size) throw serbench::malformed("bytes left over");
    T value{};
    serbench::read(Reader<Positional>{object}, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("msgpack_cxx", "BSL-1.0", MessagePack<true>, MessagePack<false>)

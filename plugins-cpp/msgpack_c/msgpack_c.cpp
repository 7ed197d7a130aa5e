// msgpack-c for C: packed into an sbuffer, unpacked into a zone that is kept, whose strings refer
// to the input. Records as arrays, and as maps in the variant of that name.
#include <msgpack.h>

#include <serbench/datasets.hpp>

namespace {

using serbench::Input;
using serbench::malformed;

/// MessagePack is written in one stream, so every place is the packer itself.
template <bool Positional>
struct Writer {
  static constexpr bool positional = Positional;
  msgpack_packer *packer;

  void null() { check(msgpack_pack_nil(packer)); }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_same_v<S, bool>) {
      check(value ? msgpack_pack_true(packer) : msgpack_pack_false(packer));
    } else if constexpr (std::is_same_v<S, float>) {
      check(msgpack_pack_float(packer, value));
    } else if constexpr (std::is_same_v<S, double>) {
      check(msgpack_pack_double(packer, value));
    } else if constexpr (std::is_signed_v<S>) {
      check(msgpack_pack_int64(packer, value));
    } else {
      check(msgpack_pack_uint64(packer, value));
    }
  }
  void text(std::string_view text) {
    check(msgpack_pack_str(packer, text.size()));
    check(msgpack_pack_str_body(packer, text.data(), text.size()));
  }
  void blob(Input bytes) {
    check(msgpack_pack_bin(packer, bytes.size));
    check(msgpack_pack_bin_body(packer, bytes.data, bytes.size));
  }
  Writer array(std::size_t count) {
    check(msgpack_pack_array(packer, count));
    return *this;
  }
  Writer element() { return *this; }
  Writer object(std::size_t count) {
    check(msgpack_pack_map(packer, count));
    return *this;
  }
  Writer member(std::string_view key) {
    text(key);
    return *this;
  }
  void end() {}

 private:
  static void check(int failed) {
    if (failed != 0) throw std::bad_alloc();
  }
};

template <bool Positional>
struct Reader {
  static constexpr bool positional = Positional;
  const msgpack_object &value;

  bool is_null() const { return value.type == MSGPACK_OBJECT_NIL; }
  bool is_text() const { return value.type == MSGPACK_OBJECT_STR; }
  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      expect(value.type == MSGPACK_OBJECT_BOOLEAN);
      return value.via.boolean;
    } else if constexpr (std::is_floating_point_v<S>) {
      // Some write a float without a fraction as an integer.
      if (value.type == MSGPACK_OBJECT_POSITIVE_INTEGER) return static_cast<S>(value.via.u64);
      if (value.type == MSGPACK_OBJECT_NEGATIVE_INTEGER) return static_cast<S>(value.via.i64);
      expect(value.type == MSGPACK_OBJECT_FLOAT32 || value.type == MSGPACK_OBJECT_FLOAT64);
      return static_cast<S>(value.via.f64);
    } else if (value.type == MSGPACK_OBJECT_NEGATIVE_INTEGER) {
      return serbench::narrow<S>(value.via.i64);
    } else {
      expect(value.type == MSGPACK_OBJECT_POSITIVE_INTEGER);
      return serbench::narrow<S>(value.via.u64);
    }
  }
  std::string_view text() const {
    expect(is_text());
    return {value.via.str.ptr, value.via.str.size};
  }
  template <class F>
  void blob(F &&f) const {
    expect(value.type == MSGPACK_OBJECT_BIN);
    f(Input{reinterpret_cast<const std::uint8_t *>(value.via.bin.ptr), value.via.bin.size});
  }

  struct Array {
    const msgpack_object *at, *last;
    std::size_t size() const { return static_cast<std::size_t>(last - at); }
    bool done() const { return at == last; }
    Reader next() { return {*at++}; }
  };
  Array array() const {
    expect(value.type == MSGPACK_OBJECT_ARRAY);
    return {value.via.array.ptr, value.via.array.ptr + value.via.array.size};
  }

  struct Object {
    const msgpack_object_kv *at, *last;
    bool done() const { return at == last; }
    std::string_view key() const { return Reader{at->key}.text(); }
    Reader next() { return {(at++)->val}; }
    void skip() { ++at; }
  };
  Object object() const {
    expect(value.type == MSGPACK_OBJECT_MAP);
    return {value.via.map.ptr, value.via.map.ptr + value.via.map.size};
  }

 private:
  static void expect(bool type) {
    if (!type) throw malformed("a value of another type");
  }
};

template <bool Positional>
struct MessagePack : serbench::Codec {
  static constexpr bool self_describing = !Positional;
  class Buffer {
   public:
    Buffer() { msgpack_sbuffer_init(&bytes); }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { msgpack_sbuffer_destroy(&bytes); }
    void clear() { msgpack_sbuffer_clear(&bytes); }
    const char *data() const { return bytes.data; }
    std::size_t size() const { return bytes.size; }

    msgpack_sbuffer bytes;
  };
  class Scratch {
   public:
    Scratch() {
      if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) throw std::bad_alloc();
    }
    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;
    ~Scratch() { msgpack_zone_destroy(&zone); }

    msgpack_zone zone;
  };

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = Positional ? "msgpack_c" : "msgpack_c/map";
    info.format = "MessagePack";
    info.library = "msgpack-c";
    info.library_version = msgpack_version();
    info.notes = Positional ? "records as arrays" : "records as maps";
    info.notes +=
        "; allocates what a length in the input asks for, and does not check that text is UTF-8";
    info.capabilities = (Positional ? SERBENCH_CAP_SCHEMA : SERBENCH_CAP_SELF_DESCRIBING) |
                        SERBENCH_CAP_UNBOUNDED | SERBENCH_CAP_LENIENT |
                        serbench::CodecInfo::reuses_and_fresh;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    msgpack_packer packer;
    msgpack_packer_init(&packer, &out.bytes, msgpack_sbuffer_write);
    serbench::write(Writer<Positional>{&packer}, value);
  }
  template <class T>
  static T deserialize(Input in, Scratch &scratch) {
    msgpack_zone_clear(&scratch.zone);
    msgpack_object object;
    std::size_t end = 0;
    if (msgpack_unpack(in.chars(), in.size, &end, &scratch.zone, &object) !=
            MSGPACK_UNPACK_SUCCESS ||
        end != in.size) {
      throw malformed("not one MessagePack value");
    }
    T value{};
    serbench::read(Reader<Positional>{object}, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("msgpack_c", "BSL-1.0", MessagePack<true>, MessagePack<false>)

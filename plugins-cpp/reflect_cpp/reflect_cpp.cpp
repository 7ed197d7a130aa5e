// reflect-cpp: plain aggregates, reflected at compile time, by way of yyjson, FlexBuffers,
// msgpack-c and jsoncons. It returns a new buffer each time and owns what it decodes. Its headers
// do not say their version.
#include <rfl/cbor.hpp>
#include <rfl/flexbuf.hpp>
#include <rfl/json.hpp>
#include <rfl/msgpack.hpp>

#include "../shared/holds.hpp"
#include "parsers.hpp"

namespace {

using reflect_cpp::WireNames;

template <class Format>
struct ReflectCpp : serbench::Codec {
  /// The library returns a new buffer each time.
  class Buffer {
   public:
    void clear() { bytes = typename Format::Bytes(); }
    const char *data() const { return bytes.data(); }
    std::size_t size() const { return bytes.size(); }

    typename Format::Bytes bytes;
  };
  template <class T>
  static constexpr const char *refuses =
      serbench::holds<serbench::LeavesOut, T>
          ? "reflect-cpp leaves out no field that is not optional"
      : Format::text != 0 && serbench::holds_bytes<T> ? "reflect-cpp has no byte strings in JSON"
                                                      : nullptr;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = Format::id;
    info.format = Format::format;
    info.library = "reflect-cpp";
    info.library_version = "unknown";
    info.notes = Format::notes;
    info.capabilities =
        SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_FRESH_OUTPUT | Format::text | Format::declares;
    info.validation = Format::validation;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    out.bytes = Format::write(value);
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &) {
    return std::move(Format::template read<T>(in).value());
  }
};

struct Json {
  using Bytes = std::string;
  static constexpr auto id = "reflect_cpp/json", format = "JSON",
                        notes = "f32 is written with the digits of the double it becomes";
  static constexpr std::uint64_t text = SERBENCH_CAP_TEXT, declares = 0;
  static constexpr std::uint32_t validation = SERBENCH_CHECKED;

  template <class T>
  static Bytes write(const T &value) {
    return rfl::json::write<WireNames>(value);
  }
  template <class T>
  static auto read(serbench::Input in) {
    return rfl::json::read<T, WireNames>(std::string_view(in.chars(), in.size));
  }
};

struct Binary {
  using Bytes = std::vector<char>;
  static constexpr auto notes = "tensors are copied into the byte strings of the library";
  static constexpr std::uint64_t text = 0, declares = 0;
};

struct Flex : Binary {
  static constexpr auto id = "reflect_cpp/flex", format = "FlexBuffers";
  static constexpr std::uint32_t validation = SERBENCH_TRUSTED;  // it does not run the verifier

  template <class T>
  static Bytes write(const T &value) {
    return rfl::flexbuf::write<WireNames>(value);
  }
  template <class T>
  static auto read(serbench::Input in) {
    return rfl::flexbuf::read<T, WireNames>(in.chars(), in.size);
  }
};

struct MessagePack : Binary {
  static constexpr auto id = "reflect_cpp/msgpack", format = "MessagePack",
                        notes =
                            "tensors are copied into the byte strings of the library; allocates "
                            "what a length in the input asks for, and does not check that text is "
                            "UTF-8";
  static constexpr std::uint64_t declares = SERBENCH_CAP_UNBOUNDED | SERBENCH_CAP_LENIENT;
  static constexpr std::uint32_t validation = SERBENCH_CHECKED;

  template <class T>
  static Bytes write(const T &value) {
    return rfl::msgpack::write<WireNames>(value);
  }
  template <class T>
  static auto read(serbench::Input in) {
    return rfl::msgpack::read<T, WireNames>(in.chars(), in.size);
  }
};

struct Cbor : Binary {
  static constexpr auto id = "reflect_cpp/cbor", format = "CBOR";
  static constexpr std::uint32_t validation = SERBENCH_CHECKED;

  template <class T>
  static Bytes write(const T &value) {
    return rfl::cbor::write<WireNames>(value);
  }
  template <class T>
  static auto read(serbench::Input in) {
    return rfl::cbor::read<T, WireNames>(std::string_view(in.chars(), in.size));
  }
};

}  // namespace

SERBENCH_PLUGIN("reflect_cpp", "MIT", ReflectCpp<Json>, ReflectCpp<Flex>, ReflectCpp<MessagePack>,
                ReflectCpp<Cbor>)

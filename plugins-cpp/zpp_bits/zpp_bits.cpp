// zpp::bits: plain aggregates, whose members it finds out itself, in a vector that is kept. Its
// header does not say its version.
#include <serbench/datasets.hpp>

// Declared before the header, whose templates must see it: it counts the members of a struct
// wrongly where one is an array or a std::variant.
namespace zpp::bits {

template <std::size_t Count>
struct members;

template <class T>
requires serbench::is_variants<T>
auto serialize(const T &) -> members<1>;

template <class T>
requires serbench::is_record<T> || serbench::is_tuple<T>
auto serialize(const T &) -> members<serbench::field_count<T>>;

}  // namespace zpp::bits

#include <zpp_bits.h>

namespace {

struct ZppBits : serbench::Codec {
  static constexpr bool self_describing = false;
  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "zpp_bits";
    info.format = "zpp::bits";
    info.library = "zpp_bits";
    info.library_version = "unknown";
    info.notes = "allocates as much as a length in the input asks for";
    info.validation = SERBENCH_TRUSTED;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    zpp::bits::out archive(out);
    archive(value).or_throw();
    out.resize(archive.position());
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &) {
    zpp::bits::in archive(std::span<const std::uint8_t>(in.data, in.size));
    T value{};
    archive(value).or_throw();
    if (archive.position() != in.size) throw serbench::malformed("bytes left over");
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("zpp_bits", "MIT", ZppBits)

// struct_pack, of yalantinglibs: plain aggregates, whose members it finds out itself. Its hash of
// the type stands before the value, as is its default.
#include <serbench/datasets.hpp>
#include <ylt/struct_pack.hpp>
#include <ylt/version.hpp>

namespace {

struct StructPack : serbench::Codec {
  static constexpr bool self_describing = false;
  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "struct_pack";
    info.format = "struct_pack";
    info.library = "yalantinglibs";
    info.library_version = std::to_string(YLT_VERSION / 100000) + "." +
                           std::to_string(YLT_VERSION / 100 % 1000) + "." +
                           std::to_string(YLT_VERSION % 100);
    info.validation = SERBENCH_TRUSTED;  // altered bytes become a bool that is none
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    struct_pack::serialize_to(out, value);
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &) {
    T value{};
    std::size_t used = 0;
    const auto error = struct_pack::deserialize_to(value, in.chars(), in.size, used);
    if (error) throw serbench::malformed(std::string(error.message()));
    if (used != in.size) throw serbench::malformed("bytes left over");
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("struct_pack", "Apache-2.0", StructPack)

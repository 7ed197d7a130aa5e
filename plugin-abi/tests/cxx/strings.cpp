// A plugin of the C++ SDK for one dataset: lists of strings, in their canonical encoding.
#include <serbench.hpp>

namespace serbench::data {

struct Strings {
  using Root = std::vector<std::string>;
  static constexpr const char *name = "strings";
  static constexpr const char *fingerprint = "00112233445566778899aabbccddeeff";
  static constexpr bool needs_self_describing = false;
};

using Datasets = TypeList<Strings>;

}  // namespace serbench::data

namespace {

struct Plain : serbench::Codec {
  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "plain";
    info.format = "canonical";
    info.library = "sdk";
    info.library_version = "1";
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    serbench::encode(value, out);
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &) {
    return serbench::Decoder::decode<T>(in);
  }
};

}  // namespace

SERBENCH_PLUGIN("strings", "MIT", Plain)

#if SERBENCH_ABI_MINOR > 0
// What the SDK takes for the field that the test has put at the end of serbench_open_args.
extern "C" SERBENCH_EXPORT std::uint64_t later_of(const serbench_open_args *args) {
  return serbench::detail::known_part(*args).later;
}
#endif

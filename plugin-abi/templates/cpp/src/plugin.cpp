// The plugin: what the codec is, and how serbench calls it.
#include <serbench/datasets.hpp>

#include "codec.hpp"

namespace {

struct Library : serbench::Codec {
  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "@NAME@";
    info.format = "@NAME@";
    info.library = "@NAME@";
    info.library_version = SERBENCH_PLUGIN_VERSION;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    format::write(value, out);
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &) {
    return format::read<T>(in);
  }
};

}  // namespace

SERBENCH_PLUGIN("@NAME@", "MIT OR Apache-2.0", Library)

// The canonical encoding, written straight from the struct and read straight into one: what a codec
// could at best be.
#include <serbench/datasets.hpp>

namespace {

struct Handwritten : serbench::Codec {
  using Buffer = serbench::ByteBuffer;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "handwritten/cpp";
    info.format = "canonical";
    info.library = "serbench";
    info.library_version = SERBENCH_PLUGIN_VERSION;
    info.notes = "fixed width, no names, no tags";
    info.capabilities |= SERBENCH_CAP_BASELINE | SERBENCH_CAP_SELF_DESCRIBING;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    serbench::Encoder encoder(out);
    serbench::walk(encoder, value);
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &) {
    return serbench::Decoder::decode<T>(in);
  }
};

}  // namespace

SERBENCH_PLUGIN("handwritten_cpp", "MIT OR Apache-2.0", Handwritten)

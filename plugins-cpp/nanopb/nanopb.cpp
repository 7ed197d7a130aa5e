// nanopb: starting from its message structs, and from the plain structs. What is decoded lies on
// the heap where its size is not fixed.
#include <pb_decode.h>
#include <pb_encode.h>

#include "messages.hpp"

namespace {

using messages::Message;
using serbench::Input;

struct NanoPb {
  using PacksAs = NanoPb;
  struct Scratch {};

  /// A decoded message, which gives its memory back.
  template <class M>
  class Held {
   public:
    explicit Held(Input in) {
      pb_istream_t stream = pb_istream_from_buffer(in.data, in.size);
      if (!pb_decode(&stream, messages::descriptor<M>(), &message_)) {
        throw serbench::malformed(PB_GET_ERROR(&stream));
      }
    }
    Held(const Held &) = delete;
    Held &operator=(const Held &) = delete;
    ~Held() { pb_release(messages::descriptor<M>(), &message_); }

    const Message<M> &get() const { return message_; }

   private:
    Message<M> message_;
  };

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "nanopb";
    info.format = "Protocol Buffers";
    info.library = "nanopb";
    info.library_version = std::string(NANOPB_VERSION).substr(std::strlen("nanopb-"));
    info.notes =
        "the same messages as protobuf_cpp; strings, bytes and lists as FT_POINTER, with sizes of "
        "16 bits; its structs refer to the strings and numbers of the plain ones; text is not "
        "checked to be UTF-8, unless the library was built so";
    info.capabilities |= SERBENCH_CAP_LENIENT;
    return info;
  }

  /// Encodes into the room that there is; where that is too small, asks how much it takes.
  template <class M>
  static void pack(const Message<M> &message, proto3::Output &out) {
    const auto encode = [&] {
      pb_ostream_t stream = pb_ostream_from_buffer(out.data(), out.size());
      const bool done = pb_encode(&stream, messages::descriptor<M>(), &message);
      if (done) out.resize(stream.bytes_written);
      return done;
    };
    out.resize(out.capacity());
    if (out.capacity() != 0 && encode()) return;
    std::size_t size = 0;
    if (!pb_get_encoded_size(&size, messages::descriptor<M>(), &message)) {
      throw serbench::internal("the message cannot be encoded");
    }
    out.resize(size);
    if (size != 0 && !encode()) throw serbench::internal("the message cannot be encoded");
  }

  template <class M>
  static Held<M> unpack(Input in, Scratch &) {
    return Held<M>(in);
  }
};

}  // namespace

SERBENCH_PLUGIN("nanopb", "Zlib", messages::Messages<NanoPb>, messages::Converted<NanoPb>)

// nanopb: starting from its message structs, and from the plain structs. What is decoded lies on
// the heap where its size is not fixed.
#include <pb_decode.h>
#include <pb_encode.h>

#include "messages.hpp"

namespace {

using messages::Filled;
using messages::Message;
using messages::MessageOf;
using proto3::Arena;
using serbench::Input;

/// Encodes into the room that there is; where that is too small, asks how much it takes.
template <class M>
void write(const Message<M> &message, proto3::Output &out) {
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

template <class M>
void fold(const Held<M> &value, serbench::Checksum &sum) {
  visit(sum, value.get());
}

template <class M>
void encode(const Held<M> &value, std::vector<std::uint8_t> &out) {
  serbench::Encoder encoder(out);
  visit(encoder, value.get());
}

serbench::CodecInfo info_of(const char *id) {
  serbench::CodecInfo info;
  info.id = id;
  info.format = "Protocol Buffers";
  info.library = "nanopb";
  info.library_version = std::string(NANOPB_VERSION).substr(std::strlen("nanopb-"));
  info.notes =
      "the same messages as protobuf_cpp; strings, bytes and lists as FT_POINTER, with sizes of 16 "
      "bits; its structs refer to the strings and numbers of the plain ones";
  return info;
}

/// From message to message.
struct Messages : serbench::Codec {
  using Buffer = proto3::Output;
  template <class T>
  using Value = Filled<T>;
  template <class T>
  using Decoded = Held<proto3::Root<T>>;

  static serbench::CodecInfo info() { return info_of("nanopb"); }
  template <class T>
  static Filled<T> prepare(T &&value) {
    return Filled<T>(std::move(value));
  }
  template <class T>
  static void serialize(const Filled<T> &value, Buffer &out) {
    write(value.message(), out);
  }
  template <class T>
  static Decoded<T> deserialize(Input in, Scratch &) {
    return Decoded<T>(in);
  }
};

/// From plain struct to plain struct.
struct Converted : serbench::Codec {
  using Buffer = messages::Workshop;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info = info_of("nanopb+convert");
    info.capabilities |= SERBENCH_CAP_CONVERTS;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    MessageOf<T> message;
    out.arena.reset();
    messages::fill(value, message, out.arena);
    write(message, out);
  }
  template <class T>
  static T deserialize(Input in, Scratch &) {
    const Held<proto3::Root<T>> held(in);
    T value{};
    messages::take(held.get(), value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("nanopb", "Zlib", Messages, Converted)

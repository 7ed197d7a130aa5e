// protobuf-c: starting from its message structs, and from the plain structs; messages unpacked onto
// the heap, and in the variant of that name, by the library's allocator, into an arena that is
// kept.
#include "messages.hpp"

namespace {

using messages::Filled;
using messages::Message;
using messages::MessageOf;
using proto3::Arena;
using serbench::Input;

/// The arena as the library asks for memory; what is given back stays where it is.
ProtobufCAllocator allocator_of(Arena &arena) {
  return {[](void *data, std::size_t size) { return static_cast<Arena *>(data)->allocate(size); },
          [](void *, void *) {}, &arena};
}

/// Gives an unpacked message back to the heap.
struct Free {
  template <class M>
  void operator()(Message<M> *message) const {
    protobuf_c_message_free_unpacked(&message->base, nullptr);
  }
};

/// An unpacked message, which belongs to the arena or to itself.
template <class M, bool UseArena>
struct Unpacked {
  std::conditional_t<UseArena, Message<M> *, std::unique_ptr<Message<M>, Free>> message;
};

template <class M, bool UseArena>
void fold(const Unpacked<M, UseArena> &value, serbench::Checksum &sum) {
  visit(sum, *value.message);
}

template <class M, bool UseArena>
void encode(const Unpacked<M, UseArena> &value, std::vector<std::uint8_t> &out) {
  serbench::Encoder encoder(out);
  visit(encoder, *value.message);
}

template <class M, bool UseArena>
Unpacked<M, UseArena> unpack(Input in, Arena &arena) {
  ProtobufCMessage *message = nullptr;
  if constexpr (UseArena) {
    arena.reset();
    ProtobufCAllocator allocator = allocator_of(arena);
    message = protobuf_c_message_unpack(messages::descriptor<M>(), &allocator, in.size, in.data);
  } else {
    message = protobuf_c_message_unpack(messages::descriptor<M>(), nullptr, in.size, in.data);
  }
  if (message == nullptr) throw serbench::malformed("not a message of this type");
  using Held = decltype(Unpacked<M, UseArena>::message);
  return {Held(reinterpret_cast<Message<M> *>(message))};
}

template <class M>
void pack(const Message<M> &message, proto3::Output &out) {
  out.resize(protobuf_c_message_get_packed_size(&message.base));
  protobuf_c_message_pack(&message.base, out.data());
}

struct Scratch {
  Arena arena;
};

template <bool UseArena>
serbench::CodecInfo info_of(const char *conversion) {
  serbench::CodecInfo info;
  info.id = std::string("protobuf_c") + (UseArena ? "/arena" : "") + conversion;
  info.format = "Protocol Buffers";
  info.library = "protobuf-c";
  info.library_version = protobuf_c_version();
  info.notes =
      "the same messages as protobuf_cpp; its structs refer to the strings and lists of the plain "
      "ones";
  return info;
}

/// From message to message.
template <bool UseArena>
struct Messages : serbench::Codec {
  using Buffer = proto3::Output;
  using Scratch = ::Scratch;
  template <class T>
  using Value = Filled<T>;
  template <class T>
  using Decoded = Unpacked<proto3::Root<T>, UseArena>;

  static serbench::CodecInfo info() { return info_of<UseArena>(""); }
  template <class T>
  static Filled<T> prepare(T &&value) {
    return Filled<T>(std::move(value));
  }
  template <class T>
  static void serialize(const Filled<T> &value, Buffer &out) {
    pack(value.message(), out);
  }
  template <class T>
  static Decoded<T> deserialize(Input in, Scratch &scratch) {
    return unpack<proto3::Root<T>, UseArena>(in, scratch.arena);
  }
};

/// From plain struct to plain struct.
template <bool UseArena>
struct Converted : serbench::Codec {
  using Buffer = messages::Workshop;
  using Scratch = ::Scratch;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info = info_of<UseArena>("+convert");
    info.capabilities |= SERBENCH_CAP_CONVERTS;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    MessageOf<T> message;
    out.arena.reset();
    messages::fill(value, message, out.arena);
    pack(message, out);
  }
  template <class T>
  static T deserialize(Input in, Scratch &scratch) {
    const auto unpacked = unpack<proto3::Root<T>, UseArena>(in, scratch.arena);
    T value{};
    messages::take(*unpacked.message, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("protobuf_c", "BSD-2-Clause", Messages<false>, Converted<false>, Messages<true>,
                Converted<true>)

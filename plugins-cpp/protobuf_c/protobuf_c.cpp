// protobuf-c: starting from its message structs, and from the plain structs; messages unpacked onto
// the heap, and in the variant of that name, by the library's allocator, into an arena that is
// kept.
#include "messages.hpp"

namespace {

using messages::Message;
using proto3::Arena;

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

template <bool UseArena>
struct ProtobufC {
  using PacksAs = ProtobufC<false>;
  using Scratch = Arena;

  /// An unpacked message, which belongs to the arena or to itself.
  template <class M>
  struct Held {
    std::conditional_t<UseArena, Message<M> *, std::unique_ptr<Message<M>, Free>> message;
    const Message<M> &get() const { return *message; }
  };

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = UseArena ? "protobuf_c/arena" : "protobuf_c";
    info.format = "Protocol Buffers";
    info.library = "protobuf-c";
    info.library_version = protobuf_c_version();
    info.notes =
        "the same messages as protobuf_cpp; its structs refer to the strings and lists of the "
        "plain ones; text is not checked to be UTF-8";
    info.capabilities |= SERBENCH_CAP_LENIENT;
    return info;
  }

  template <class M>
  static void pack(const Message<M> &message, proto3::Output &out) {
    out.resize(protobuf_c_message_get_packed_size(&message.base));
    protobuf_c_message_pack(&message.base, out.data());
  }

  template <class M>
  static Held<M> unpack(serbench::Input in, Scratch &arena) {
    ProtobufCAllocator allocator = allocator_of(arena);
    if constexpr (UseArena) arena.reset();
    ProtobufCMessage *message = protobuf_c_message_unpack(
        messages::descriptor<M>(), UseArena ? &allocator : nullptr, in.size, in.data);
    if (message == nullptr) throw serbench::malformed("not a message of this type");
    using Pointer = decltype(Held<M>::message);
    return {Pointer(reinterpret_cast<Message<M> *>(message))};
  }
};

}  // namespace

SERBENCH_PLUGIN("protobuf_c", "BSD-2-Clause", messages::Messages<ProtobufC<false>>,
                messages::Converted<ProtobufC<false>>, messages::Messages<ProtobufC<true>>,
                messages::Converted<ProtobufC<true>>)

// The two codecs of a library whose messages are plain C structs. What an L of them brings:
//   info() -> CodecInfo                      of the codec that starts from messages
//   Scratch                                  what decoding keeps between calls
//   Held<M>                                  a decoded message, by get()
//   pack(const Message<M> &, Output &)
//   PacksAs                                  the L that packs for it, or itself
//   unpack<M>(Input, Scratch &) -> Held<M>
#pragma once

#include "proto3_visit.hpp"

namespace messages {

/// What was decoded, to be read where it stands.
template <class Held>
struct Unpacked {
  Held held;
};

template <class Held>
void fold(const Unpacked<Held> &value, serbench::Checksum &sum) {
  visit(sum, value.held.get());
}

template <class Held>
[[gnu::cold]] void encode(const Unpacked<Held> &value, std::vector<std::uint8_t> &out) {
  serbench::Encoder encoder(out);
  visit(encoder, value.held.get());
}

/// From message to message.
template <class L>
struct Messages : serbench::Codec {
  static constexpr bool self_describing = false;
  using WritesAs = Messages<typename L::PacksAs>;
  using Buffer = proto3::Output;
  using Scratch = typename L::Scratch;
  template <class T>
  using Value = Filled<T>;
  template <class T>
  using Decoded = Unpacked<typename L::template Held<proto3::Root<T>>>;

  static serbench::CodecInfo info() { return L::info(); }
  template <class T>
  [[gnu::cold]] static Filled<T> prepare(T &&value) {
    return Filled<T>(std::move(value));
  }
  template <class T>
  static void serialize(const Filled<T> &value, Buffer &out) {
    L::pack(value.message(), out);
  }
  template <class T>
  static Decoded<T> deserialize(serbench::Input in, Scratch &scratch) {
    return {L::template unpack<proto3::Root<T>>(in, scratch)};
  }
};

/// From plain struct to plain struct.
template <class L>
struct Converted : serbench::Codec {
  static constexpr bool self_describing = false;
  using WritesAs = Converted<typename L::PacksAs>;
  using Buffer = Workshop;
  using Scratch = typename L::Scratch;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info = L::info();
    info.id += "+convert";
    info.capabilities |= SERBENCH_CAP_CONVERTS;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    MessageOf<T> message;
    out.arena.reset();
    fill(value, message, out.arena);
    L::pack(message, out);
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &scratch) {
    const auto held = L::template unpack<proto3::Root<T>>(in, scratch);
    T value{};
    take(held.get(), value);
    return value;
  }
};

}  // namespace messages

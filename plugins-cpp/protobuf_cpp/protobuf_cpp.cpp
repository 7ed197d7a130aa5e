// Protocol Buffers' C++ library: starting from its messages, and from the plain structs; messages
// on the heap, and in the variant of that name in an arena that is kept.
#include <google/protobuf/arena.h>
#include <google/protobuf/stubs/common.h>

#include <serbench/datasets.hpp>
#include <serbench/protobuf.hpp>

namespace {

using google::protobuf::Arena;
using serbench::pb::Conversion;

template <class T>
using Message = typename Conversion<T>::Message;

/// What was parsed: a message, or one that belongs to an arena.
template <class M, bool UseArena>
struct Parsed {
  std::conditional_t<UseArena, const M *, M> message;

  const M &get() const {
    if constexpr (UseArena) {
      return *message;
    } else {
      return message;
    }
  }
};

template <class M, bool UseArena>
void fold(const Parsed<M, UseArena> &value, serbench::Checksum &sum) {
  visit(sum, value.get());
}

template <class M, bool UseArena>
[[gnu::cold]] void encode(const Parsed<M, UseArena> &value, std::vector<std::uint8_t> &out) {
  serbench::Encoder encoder(out);
  visit(encoder, value.get());
}

template <class M>
void parse(serbench::Input in, M &message) {
  if (in.size > INT_MAX || !message.ParseFromArray(in.data, static_cast<int>(in.size))) {
    throw serbench::malformed("not a message of this type");
  }
}

template <class M>
void write(const M &message, std::string &out) {
  if (!message.SerializeToString(&out)) throw serbench::internal("the message is too long");
}

template <bool UseArena>
serbench::CodecInfo info_of(const char *conversion) {
  serbench::CodecInfo info;
  info.id = std::string("protobuf_cpp") + (UseArena ? "/arena" : "") + conversion;
  info.format = "Protocol Buffers";
  info.library = "protobuf";
  info.library_version = google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION);
  // A map is hashed, and written in that order.
  info.capabilities |= SERBENCH_CAP_NONDETERMINISTIC;
  return info;
}

/// What the arena variant keeps for parsing.
struct Scratch {
  Arena arena;
};

/// From message to message.
template <bool UseArena>
struct Messages : serbench::Codec {
  static constexpr bool self_describing = false;
  using WritesAs = Messages<false>;
  using Buffer = std::string;
  using Scratch = ::Scratch;
  template <class T>
  using Value = Message<T>;
  template <class T>
  using Decoded = Parsed<Message<T>, UseArena>;
  template <class T>
  static constexpr const char *note = Conversion<T>::note;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info = info_of<UseArena>("");
    info.capabilities |= SERBENCH_CAP_LENIENT;
    info.notes =
        "what proto3 leaves open is not checked: that a part is there, how long an array is";
    return info;
  }
  template <class T>
  [[gnu::cold]] static Message<T> prepare(T &&value) {
    Message<T> message;
    to_message(value, message);
    return message;
  }
  template <class T>
  static void serialize(const Message<T> &value, Buffer &out) {
    write(value, out);
  }
  template <class T>
  static Decoded<T> deserialize(serbench::Input in, Scratch &scratch) {
    if constexpr (UseArena) {
      scratch.arena.Reset();
      auto *message = Arena::CreateMessage<Message<T>>(&scratch.arena);
      parse(in, *message);
      return {message};
    } else {
      Decoded<T> parsed;
      parse(in, parsed.message);
      return parsed;
    }
  }
};

/// A std::string, and the arena that messages are built in.
struct ArenaBuffer : std::string {
  std::unique_ptr<Arena> arena = std::make_unique<Arena>();
};

/// From plain struct to plain struct.
template <bool UseArena>
struct Converted : serbench::Codec {
  static constexpr bool self_describing = false;
  using Buffer = std::conditional_t<UseArena, ArenaBuffer, std::string>;
  using Scratch = ::Scratch;
  template <class T>
  static constexpr const char *note = Conversion<T>::note;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info = info_of<UseArena>("+convert");
    info.capabilities |= SERBENCH_CAP_CONVERTS;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    if constexpr (UseArena) {
      out.arena->Reset();
      auto *message = Arena::CreateMessage<Message<T>>(out.arena.get());
      to_message(value, *message);
      write(*message, out);
    } else {
      Message<T> message;
      to_message(value, message);
      write(message, out);
    }
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &scratch) {
    T value{};
    if constexpr (UseArena) {
      scratch.arena.Reset();
      auto *message = Arena::CreateMessage<Message<T>>(&scratch.arena);
      parse(in, *message);
      from_message(*message, value);
    } else {
      Message<T> message;
      parse(in, message);
      from_message(message, value);
    }
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("protobuf_cpp", "BSD-3-Clause", Messages<false>, Converted<false>, Messages<true>,
                Converted<true>)

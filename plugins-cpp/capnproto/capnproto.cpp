// Cap'n Proto: starting from a built message, and from the plain structs.
#include <capnp/message.h>
#include <capnp/serialize.h>
#include <kj/io.h>

#include "values.hpp"
// After the above, which they need.
#include <serbench/capnproto.hpp>
#include <serbench/datasets.hpp>

namespace {

using capnp::word;
using serbench::capnproto::Conversion;

template <class T>
using Message = typename Conversion<T>::Message;

using Words = std::vector<word>;

/// The input as words, which lie at a multiple of their size: copied where it does not.
kj::ArrayPtr<const word> words_of(serbench::Input in, Words &copy) {
  const std::size_t count = in.size / sizeof(word);
  if (reinterpret_cast<std::uintptr_t>(in.data) % sizeof(word) != 0) {
    copy.resize(count);
    if (count != 0) std::memcpy(static_cast<void *>(copy.data()), in.data, count * sizeof(word));
    return {copy.data(), count};
  }
  return {reinterpret_cast<const word *>(in.data), count};
}

/// The library's own guard against messages that take longer to read, or more memory, than their
/// size suggests, as several pointers to one place do. An honest reading follows each pointer once.
/// The default, 64 MiB, would let a message of 32 bytes pass for eight million records.
capnp::ReaderOptions limits(serbench::Input in) {
  constexpr std::uint64_t times = 4;
  constexpr std::uint64_t slack = 1024;
  capnp::ReaderOptions options;
  options.traversalLimitInWords = times * (in.size / sizeof(word)) + slack;
  return options;
}

/// A message that is read where it lies.
template <class T>
struct View {
  View(serbench::Input in, Words &copy) : message(words_of(in, copy), limits(in)) {}
  mutable capnp::FlatArrayMessageReader message;
};

/// One reading of a message: each counts against a limit of its own, as one message is read many
/// times here.
struct Reading : capnp::MessageReader {
  explicit Reading(capnp::FlatArrayMessageReader &of)
      : capnp::MessageReader(of.getOptions()), message(of) {}
  kj::ArrayPtr<const word> getSegment(unsigned id) override { return message.getSegment(id); }
  capnp::FlatArrayMessageReader &message;
};

template <class T>
void fold(const View<T> &view, serbench::Checksum &sum) {
  Reading reading(view.message);
  visit(sum, reading.getRoot<Message<T>>());
}

template <class T>
[[gnu::cold]] void encode(const View<T> &view, std::vector<std::uint8_t> &out) {
  Reading reading(view.message);
  serbench::Encoder encoder(out);
  visit(encoder, reading.getRoot<Message<T>>());
}

/// The output, and the memory that messages are built in, which grows to what the largest of them
/// took.
struct Output : kj::OutputStream {
  std::vector<kj::byte> bytes;
  Words scratch;
  std::size_t wanted_words = 0;

  void write(const void *from, std::size_t size) override {
    const auto *first = static_cast<const kj::byte *>(from);
    bytes.insert(bytes.end(), first, first + size);
  }
  void clear() { bytes.clear(); }
  const kj::byte *data() { return bytes.data(); }
  std::size_t size() { return bytes.size(); }
};

serbench::CodecInfo info_of(const char *id) {
  serbench::CodecInfo info;
  info.id = id;
  info.format = "Cap'n Proto";
  info.library = "capnproto";
  info.library_version = std::to_string(CAPNP_VERSION / 1000000) + "." +
                         std::to_string(CAPNP_VERSION / 1000 % 1000) + "." +
                         std::to_string(CAPNP_VERSION % 1000);
  info.capabilities |= SERBENCH_CAP_LENIENT;
  return info;
}

/// From built message to view.
struct Messages : serbench::Codec {
  static constexpr bool self_describing = false;
  using Buffer = Output;
  using Scratch = Words;
  template <class T>
  using Value = std::unique_ptr<capnp::MallocMessageBuilder>;
  template <class T>
  using Decoded = View<T>;
  template <class T>
  static constexpr const char *note = Conversion<T>::note;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info = info_of("capnproto");
    info.notes =
        "misaligned input is copied first, inside the timed call; text is not checked to be UTF-8, "
        "nor a list to be as long as a fixed array";
    info.yields = SERBENCH_YIELDS_VIEW;
    return info;
  }
  template <class T>
  [[gnu::cold]] static Value<T> prepare(T &&value) {
    auto message = std::make_unique<capnp::MallocMessageBuilder>();
    build(value, message->initRoot<Message<T>>());
    return message;
  }
  template <class T>
  static void serialize(const Value<T> &value, Buffer &out) {
    capnp::writeMessage(out, *value);
  }
  template <class T>
  static View<T> deserialize(serbench::Input in, Scratch &scratch) {
    return View<T>(in, scratch);
  }
};

/// From plain struct to plain struct.
struct Converted : serbench::Codec {
  static constexpr bool self_describing = false;
  using Buffer = Output;
  using Scratch = Words;
  template <class T>
  static constexpr const char *note = Conversion<T>::note;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info = info_of("capnproto+convert");
    info.notes =
        "misaligned input is copied first, inside the timed call; text is not checked to be UTF-8";
    // The memory that is kept decides how many segments a message has.
    info.capabilities |= SERBENCH_CAP_CONVERTS | SERBENCH_CAP_NONDETERMINISTIC;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    if (out.wanted_words > out.scratch.size()) out.scratch.resize(out.wanted_words);
    if (out.scratch.empty()) {
      capnp::MallocMessageBuilder message;
      write(value, message, out);
    } else {
      capnp::MallocMessageBuilder message(kj::arrayPtr(out.scratch.data(), out.scratch.size()));
      write(value, message, out);
    }
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &scratch) {
    capnp::FlatArrayMessageReader reader(words_of(in, scratch), limits(in));
    T value{};
    read(reader.getRoot<Message<T>>(), value);
    return value;
  }

 private:
  template <class T>
  static void write(const T &value, capnp::MallocMessageBuilder &message, Buffer &out) {
    build(value, message.initRoot<Message<T>>());
    out.wanted_words = std::max(out.wanted_words, capnp::computeSerializedSizeInWords(message));
    capnp::writeMessage(out, message);
  }
};

}  // namespace

SERBENCH_PLUGIN("capnproto", "MIT", Messages, Converted)

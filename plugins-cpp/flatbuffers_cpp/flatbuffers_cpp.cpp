// FlatBuffers' tables. There are no message classes: an application holds structs of its own,
// writes them by the builder, and reads through tables, which it verifies or trusts.
#include "values.hpp"
// After the above, which they need.
#include <serbench/datasets.hpp>
#include <serbench/flatbuffers.hpp>

namespace {

using serbench::fbs::Conversion;

template <class T>
using Table = typename Conversion<T>::Table;

/// The builder, as the SDK asks for a buffer.
struct Output : flatbuffers::FlatBufferBuilder {
  void clear() { Clear(); }
  const std::uint8_t *data() { return GetBufferPointer(); }
  std::size_t size() { return GetSize(); }
};

/// A table that is read where it lies.
template <class T>
struct View {
  const Table<T> *table;
};

template <class T>
void fold(const View<T> &view, serbench::Checksum &sum) {
  visit(sum, *view.table);
}

template <class T>
[[gnu::cold]] void encode(const View<T> &view, std::vector<std::uint8_t> &out) {
  serbench::Encoder encoder(out);
  visit(encoder, *view.table);
}

/// Verifies a buffer, with limits that a big value does not reach.
template <class T>
const Table<T> *verified(serbench::Input in) {
  flatbuffers::Verifier verifier(in.data, in.size, 64, UINT32_MAX);
  if (!verifier.VerifyBuffer<Table<T>>(nullptr)) throw serbench::malformed("not a valid buffer");
  return flatbuffers::GetRoot<Table<T>>(in.data);
}

/// FlatBuffers reads where the input lies, and so must it lie where the widest scalar may.
using Copy = std::vector<std::uint64_t>;

serbench::Input aligned(serbench::Input in, Copy &copy) {
  if (reinterpret_cast<std::uintptr_t>(in.data) % alignof(std::uint64_t) == 0) return in;
  copy.resize(in.size / sizeof(std::uint64_t) + 1);
  std::memcpy(copy.data(), in.data, in.size);
  return {reinterpret_cast<const std::uint8_t *>(copy.data()), in.size};
}

/// Refuses a value of which the builder takes a -0.0 for the default, 0.0, and leaves it out: its
/// canonical encoding comes back the same but for the bit of a sign.
template <class T>
[[gnu::cold, gnu::noinline]] void expect_signs_of_zeros(const T &value) {
  Output buffer;
  buffer.Finish(build(buffer, value, static_cast<const Table<T> *>(nullptr)));
  T back{};
  read(*flatbuffers::GetRoot<Table<T>>(buffer.data()), back);
  std::vector<std::uint8_t> before, after;
  serbench::encode(value, before);
  serbench::encode(back, after);
  const auto lost = [](std::uint8_t a, std::uint8_t b) { return a == b || (a == 0x80 && b == 0); };
  if (before != after &&
      std::equal(before.begin(), before.end(), after.begin(), after.end(), lost)) {
    throw serbench::unsupported("the library does not keep the sign of -0.0");
  }
}

enum class Reads { verified, unchecked, converted };

/// From plain struct to a table; or, converted, to a plain struct.
template <Reads reads>
struct FlatBuffers : serbench::Codec {
  static constexpr bool self_describing = false;
  using WritesAs = FlatBuffers<Reads::verified>;
  using Buffer = Output;
  using Scratch = Copy;
  template <class T>
  using Decoded = std::conditional_t<reads == Reads::converted, T, View<T>>;
  template <class T>
  static constexpr const char *note = Conversion<T>::note;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = reads == Reads::verified    ? "flatbuffers_cpp"
              : reads == Reads::unchecked ? "flatbuffers_cpp/unchecked"
                                          : "flatbuffers_cpp+convert";
    info.format = "FlatBuffers";
    info.library = "flatbuffers";
    info.library_version = std::to_string(FLATBUFFERS_VERSION_MAJOR) + "." +
                           std::to_string(FLATBUFFERS_VERSION_MINOR) + "." +
                           std::to_string(FLATBUFFERS_VERSION_REVISION);
    info.notes = "misaligned input is copied first, inside the timed call";
    if (reads == Reads::unchecked) {
      info.validation = SERBENCH_TRUSTED;
    } else {
      info.capabilities |= SERBENCH_CAP_LENIENT;
      info.notes += "; the verifier does not check that text is UTF-8";
    }
    if (reads == Reads::verified) info.notes += ", nor how long a fixed array is";
    if (reads == Reads::converted) {
      info.capabilities |= SERBENCH_CAP_CONVERTS;
    } else {
      info.yields = SERBENCH_YIELDS_VIEW;
    }
    return info;
  }
  template <class T>
  [[gnu::cold]] static T prepare(T &&value) {
    expect_signs_of_zeros(value);
    return std::move(value);
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    out.Finish(build(out, value, static_cast<const Table<T> *>(nullptr)));
  }
  template <class T>
  static Decoded<T> deserialize(serbench::Input in, Scratch &scratch) {
    in = aligned(in, scratch);
    if constexpr (reads == Reads::converted) {
      T value{};
      read(*verified<T>(in), value);
      return value;
    } else if constexpr (reads == Reads::unchecked) {
      return {flatbuffers::GetRoot<Table<T>>(in.data)};
    } else {
      return {verified<T>(in)};
    }
  }
};

}  // namespace

SERBENCH_PLUGIN("flatbuffers_cpp", "Apache-2.0", FlatBuffers<Reads::verified>,
                FlatBuffers<Reads::unchecked>, FlatBuffers<Reads::converted>)

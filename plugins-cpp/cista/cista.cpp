// cista: its own containers with offsets for pointers, copied into a buffer that is kept, and read
// where they lie: after its checks, or by a cast in the trusting variant. Its headers do not say
// their version.
#include "../shared/holds.hpp"
#include "native.hpp"

namespace {

using serbench::Input;
using serbench::cista_types::Native;

/// The value is made where it stays: its pointers are relative to themselves.
template <class T>
using Owned = std::unique_ptr<Native<T>>;

/// A value that is read where it lies.
template <class T>
struct View {
  const Native<T> *root;
};

template <class T>
void fold(const View<T> &view, serbench::Checksum &sum) {
  serbench::cista_types::walk_native<T>(sum, *view.root);
}

template <class T>
[[gnu::cold]] void encode(const View<T> &view, std::vector<std::uint8_t> &out) {
  serbench::Encoder encoder(out);
  serbench::cista_types::walk_native<T>(encoder, *view.root);
}

/// As many cases as the library's variant can tell apart.
template <class T>
struct HasManyVariants {
  static constexpr bool value = [] {
    if constexpr (serbench::is_variants<T>) return serbench::variant_count<T> > 16;
    return false;
  }();
};

template <bool Checked>
struct Cista : serbench::Codec {
  static constexpr bool self_describing = false;
  static constexpr cista::mode mode = Checked ? cista::mode::NONE : cista::mode::CAST;

  class Buffer {
   public:
    void clear() { bytes.reset(); }
    const std::uint8_t *data() const { return bytes.buf_.data(); }
    std::size_t size() const { return bytes.size(); }

    cista::buf<> bytes;
  };
  /// A copy of input that does not lie where the widest scalar may.
  using Scratch = std::vector<std::uint64_t>;
  template <class T>
  using Value = Owned<T>;
  template <class T>
  using Decoded = View<T>;
  template <class T>
  static constexpr const char *refuses =
      serbench::holds<HasManyVariants, T> ? "cista's variant has at most 16 cases" : nullptr;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = Checked ? "cista" : "cista/unchecked";
    info.format = "cista";
    info.library = "cista";
    info.library_version = "unknown";
    info.notes = "misaligned input is copied first, inside the timed call";
    info.yields = SERBENCH_YIELDS_VIEW;
    info.validation = Checked ? SERBENCH_CHECKED : SERBENCH_TRUSTED;
    return info;
  }
  template <class T>
  [[gnu::cold]] static Owned<T> prepare(T &&value) {
    auto native = std::make_unique<Native<T>>();
    if constexpr (std::is_class_v<Native<T>>) serbench::cista_types::renew(*native);
    serbench::cista_types::fill(value, *native);
    return native;
  }
  template <class T>
  static void serialize(const Owned<T> &value, Buffer &out) {
    cista::serialize<mode>(out.bytes, *value);
  }
  template <class T>
  static View<T> deserialize(Input in, Scratch &copy) {
    const std::uint8_t *first = in.data;
    if (reinterpret_cast<std::uintptr_t>(first) % alignof(std::uint64_t) != 0) {
      copy.resize(in.size / sizeof(std::uint64_t) + 1);
      std::memcpy(copy.data(), in.data, in.size);
      first = reinterpret_cast<const std::uint8_t *>(copy.data());
    }
    return {cista::deserialize<Native<T>, mode>(first, first + in.size)};
  }
};

}  // namespace

SERBENCH_PLUGIN("cista", "MIT", Cista<true>, Cista<false>)

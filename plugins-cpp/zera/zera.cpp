// ZERA: written into one buffer that is kept; read lazily, with every offset checked when it is
// followed.
#include <serbench/datasets.hpp>

#include "format.hpp"

namespace {

using serbench::Input;
using serbench::load_le;
using serbench::malformed;

/// References are put one after another, so every place is the message itself.
struct Writer {
  static constexpr bool positional = false;
  zera::Message &message;

  void null() { message.put_word(zera::null, 0); }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_same_v<S, bool>) {
      message.put_word(zera::boolean, 0, value ? 1 : 0);
    } else if constexpr (std::is_floating_point_v<S>) {
      message.put_word(zera::f64, serbench::bits_of(static_cast<double>(value)));
    } else if constexpr (std::is_signed_v<S>) {
      message.put_word(zera::i64, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
    } else {
      message.put_word(zera::u64, value);
    }
  }
  void text(std::string_view text) { message.put_string(text); }
  void blob(Input bytes) { message.put_blob(bytes); }

  struct Array {
    zera::Message &message;
    std::size_t start;
    Writer element() { return {message}; }
    void end() { message.end(start, zera::array); }
  };
  Array array(std::size_t count) { return {message, message.begin(count)}; }

  struct Object {
    zera::Message &message;
    std::size_t start;
    Writer member(std::string_view key) {
      message.put_key(key);
      return {message};
    }
    void end() { message.end(start, zera::object); }
  };
  Object object(std::size_t count) { return {message, message.begin(count)}; }
};

struct Reader {
  static constexpr bool positional = false;
  const zera::Parsed *message;
  const std::uint8_t *ref;

  bool is_null() const { return ref[0] == zera::null; }
  bool is_text() const { return ref[0] == zera::string; }

  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      expect(zera::boolean);
      return aux() != 0;
    } else if constexpr (std::is_floating_point_v<S>) {
      expect(zera::f64);
      return static_cast<S>(load_le<double>(ref + 4));
    } else {
      return integer<S>();
    }
  }

  std::string_view text() const {
    expect(zera::string);
    const bool is_inline = (ref[1] & 1) != 0;
    if (is_inline && aux() > zera::inline_max) throw malformed("ZERA: a long inline string");
    const std::size_t size = is_inline ? aux() : b();
    const std::uint8_t *data = is_inline ? ref + 4 : message->arena_at(a(), size);
    return {reinterpret_cast<const char *>(data), size};
  }

  template <class F>
  void blob(F &&f) const {
    expect(zera::typed_array);
    const std::uint8_t *shape = message->envelope_at(load_le<std::uint32_t>(ref + 12), 12);
    if (aux() != zera::dtype_u8 || load_le<std::uint32_t>(shape) != 1 ||
        load_le<std::uint64_t>(shape + 4) != b()) {
      throw malformed("ZERA: a typed array that is no blob");
    }
    f(Input{message->arena_at(a(), b()), b()});
  }

  struct Array {
    const zera::Parsed *message;
    const std::uint8_t *at;
    std::size_t left;
    std::size_t size() const { return left; }
    bool done() const { return left == 0; }
    Reader next() {
      const Reader element{message, at};
      at += zera::ref_size;
      --left;
      return element;
    }
  };
  Array array() const {
    expect(zera::array);
    const std::size_t count = open();
    return {message, message->envelope_at(a() + std::size_t{4}, count * zera::ref_size), count};
  }

  /// Entries have no fixed size, so they are found by scanning: from the last one found, since
  /// fields are mostly asked for in the order they were written in.
  class Object {
   public:
    Object(const zera::Parsed *message, std::size_t first, std::size_t count)
        : message_(message), first_(first), at_(first), size_(count), left_(count) {}

    std::size_t size() const { return size_; }
    bool done() const { return left_ == 0; }
    std::string_view key() const {
      const std::size_t length = load_le<std::uint16_t>(message_->envelope_at(at_, 4));
      const auto *bytes = message_->envelope_at(at_ + 4, length + zera::ref_size);
      return {reinterpret_cast<const char *>(bytes), length};
    }
    Reader next() {
      const std::size_t value = at_ + 4 + key().size();
      at_ = value + zera::ref_size;
      --left_;
      return {message_, message_->envelope_at(value, zera::ref_size)};
    }
    std::optional<Reader> find(std::string_view name) {
      for (std::size_t tried = 0; tried < size_; ++tried) {
        if (done()) rewind();
        const bool found = key() == name;
        const Reader value = next();
        if (found) return value;
      }
      return std::nullopt;
    }

   private:
    void rewind() {
      at_ = first_;
      left_ = size_;
    }

    const zera::Parsed *message_;
    std::size_t first_, at_, size_, left_;
  };
  Object object() const {
    expect(zera::object);
    return {message, a() + std::size_t{4}, open()};
  }

 private:
  std::uint16_t aux() const { return load_le<std::uint16_t>(ref + 2); }
  std::uint32_t a() const { return load_le<std::uint32_t>(ref + 4); }
  std::uint32_t b() const { return load_le<std::uint32_t>(ref + 8); }

  void expect(zera::Tag tag) const {
    if (ref[0] != tag) throw malformed("ZERA: a value of another type");
  }

  /// The number of entries of the container that is opened here.
  std::size_t open() const {
    const std::size_t count = load_le<std::uint32_t>(message->envelope_at(a(), 4));
    message->follow(count + 1);
    return count;
  }

  template <class S>
  S integer() const {
    const auto word = load_le<std::uint64_t>(ref + 4);
    const bool negative = ref[0] == zera::i64 && static_cast<std::int64_t>(word) < 0;
    if (ref[0] != zera::i64) expect(zera::u64);
    const S value = static_cast<S>(word);
    // Right exactly when widening it again gives the same number.
    const bool fits = static_cast<std::uint64_t>(value) == word && (value < S{}) == negative;
    if (!fits) throw malformed("ZERA: a number out of range");
    return value;
  }
};

/// A view that starts each walk with a fresh allowance; see Parsed::follow.
template <class T>
struct View {
  Reader root;
};

template <class T>
void fold(const View<T> &view, serbench::Checksum &sum) {
  view.root.message->start_walk();
  serbench::walk_view<T>(sum, view.root);
}

template <class T>
[[gnu::cold]] void encode(const View<T> &view, std::vector<std::uint8_t> &out) {
  view.root.message->start_walk();
  serbench::Encoder encoder(out);
  serbench::walk_view<T>(encoder, view.root);
}

struct Zera : serbench::Codec {
  using Buffer = zera::Message;
  using Scratch = zera::Parsed;
  template <class T>
  using Decoded = View<T>;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "zera";
    info.format = "ZERA";
    info.library = "serbench";
    info.library_version = SERBENCH_PLUGIN_VERSION;
    info.notes =
        "our own, after the specification of ZERA 1; offsets are checked when followed, text is "
        "not checked to be UTF-8";
    info.capabilities =
        SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_LENIENT | serbench::CodecInfo::reuses_and_fresh;
    info.yields = SERBENCH_YIELDS_VIEW;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    serbench::write(Writer{out}, value);
    out.finish();
  }
  template <class T>
  static View<T> deserialize(Input in, Scratch &message) {
    message.parse(in);
    return {{&message, message.root()}};
  }
};

}  // namespace

SERBENCH_PLUGIN("zera", "MIT OR Apache-2.0", Zera)

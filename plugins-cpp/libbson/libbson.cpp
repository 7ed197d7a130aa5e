// libbson: documents appended to one bson_t that is kept; read with its iterators. BSON has i32 and
// i64, so what fits an i32 by its type is one, and everything else is an i64.
#include <bson/bson.h>

#include <serbench/datasets.hpp>

namespace {

using serbench::Input;
using serbench::malformed;

int length(std::size_t size) {
  if (size > INT32_MAX) throw serbench::unsupported("BSON lengths have 31 bits");
  return static_cast<int>(size);
}

void check(bool appended) {
  if (!appended) throw serbench::unsupported("a BSON document has at most 2^31 - 1 bytes");
}

/// A place for a value: under a key of an open document.
struct Writer {
  static constexpr bool positional = false;
  bson_t *parent;
  std::string_view key;
  bool is_root = false;

  void null() { check(bson_append_null(parent, key.data(), length(key.size()))); }
  template <class S>
  void scalar(S value) {
    const char *name = key.data();
    const int size = length(key.size());
    if constexpr (std::is_same_v<S, bool>) {
      check(bson_append_bool(parent, name, size, value));
    } else if constexpr (std::is_floating_point_v<S>) {
      check(bson_append_double(parent, name, size, value));
    } else if constexpr (sizeof(S) < 4 || std::is_same_v<S, std::int32_t>) {
      check(bson_append_int32(parent, name, size, value));
    } else {
      check(bson_append_int64(parent, name, size, serbench::as_int64(value)));
    }
  }
  void text(std::string_view text) {
    check(
        bson_append_utf8(parent, key.data(), length(key.size()), text.data(), length(text.size())));
  }
  void blob(Input bytes) {
    check(bson_append_binary(parent, key.data(), length(key.size()), BSON_SUBTYPE_BINARY,
                             bytes.data, static_cast<std::uint32_t>(length(bytes.size))));
  }

  /// An open document. The child is written in place, in its parent's buffer.
  class Object {
   public:
    explicit Object(const Writer &place) : parent_(place.parent), is_root_(place.is_root) {
      if (is_root_) return;
      check(
          bson_append_document_begin(parent_, place.key.data(), length(place.key.size()), &child_));
    }
    Writer member(std::string_view key) {
      if (key.find('\0') != key.npos) throw serbench::unsupported("a key with a zero byte in it");
      return {is_root_ ? parent_ : &child_, key};
    }
    void end() {
      if (!is_root_) check(bson_append_document_end(parent_, &child_));
    }

   private:
    bson_t *parent_;
    bool is_root_;
    bson_t child_;
  };
  Object object(std::size_t) { return Object(*this); }

  /// An open array: a document whose keys are the decimal indexes.
  class Array {
   public:
    explicit Array(const Writer &place) : parent_(place.parent) {
      check(bson_append_array_begin(parent_, place.key.data(), length(place.key.size()), &child_));
    }
    Writer element() {
      const char *key = nullptr;
      const std::size_t size = bson_uint32_to_string(next_++, &key, text_, sizeof text_);
      return {&child_, {key, size}};
    }
    void end() { check(bson_append_array_end(parent_, &child_)); }

   private:
    bson_t *parent_;
    bson_t child_;
    std::uint32_t next_ = 0;
    char text_[16];
  };
  Array array(std::size_t) { return Array(*this); }
};

/// A value: where an iterator stands.
struct Reader {
  static constexpr bool positional = false;
  const bson_iter_t *iter;

  bool is_null() const { return BSON_ITER_HOLDS_NULL(iter); }
  bool is_text() const { return BSON_ITER_HOLDS_UTF8(iter); }
  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      expect(BSON_ITER_HOLDS_BOOL(iter));
      return bson_iter_bool(iter);
    } else if constexpr (std::is_floating_point_v<S>) {
      expect(BSON_ITER_HOLDS_DOUBLE(iter));
      return static_cast<S>(bson_iter_double(iter));
    } else {
      expect(BSON_ITER_HOLDS_INT(iter));
      return serbench::narrow<S>(bson_iter_as_int64(iter));
    }
  }
  std::string_view text() const {
    expect(BSON_ITER_HOLDS_UTF8(iter));
    std::uint32_t size = 0;
    const char *text = bson_iter_utf8(iter, &size);
    return {text, size};
  }
  template <class F>
  void blob(F &&f) const {
    expect(BSON_ITER_HOLDS_BINARY(iter));
    bson_subtype_t subtype;
    std::uint32_t size = 0;
    const std::uint8_t *bytes = nullptr;
    bson_iter_binary(iter, &subtype, &size, &bytes);
    f(Input{bytes, size});
  }

  /// Walks the elements of a document or array; it moves on when it is asked whether it is done.
  class Elements {
   public:
    explicit Elements(const bson_iter_t &at) : at_(at) {}
    std::size_t size() const { return 0; }
    bool done() {
      if (used_) {
        more_ = bson_iter_next(&at_);
        used_ = false;
      }
      return !more_;
    }
    std::string_view key() const { return {bson_iter_key(&at_), bson_iter_key_len(&at_)}; }
    Reader next() {
      used_ = true;
      return {&at_};
    }
    void skip() { used_ = true; }

   private:
    bson_iter_t at_;
    bool used_ = true;
    bool more_ = false;
  };
  Elements array() const {
    expect(BSON_ITER_HOLDS_ARRAY(iter));
    return enter();
  }
  Elements object() const {
    expect(BSON_ITER_HOLDS_DOCUMENT(iter));
    return enter();
  }

 private:
  static void expect(bool type) {
    if (!type) throw malformed("a value of another type");
  }
  Elements enter() const {
    bson_iter_t inside;
    expect(bson_iter_recurse(iter, &inside));
    return Elements(inside);
  }
};

/// The document itself, which no iterator stands on.
struct RootReader : Reader {
  const bson_t *document;

  bool is_text() const { return false; }
  Elements object() const {
    bson_iter_t inside;
    if (!bson_iter_init(&inside, document)) throw malformed("not a BSON document");
    return Elements(inside);
  }
};

struct Bson : serbench::Codec {
  class Buffer {
   public:
    Buffer() { bson_init(&document); }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { bson_destroy(&document); }
    void clear() {
      if (complete) {
        bson_reinit(&document);
      } else {
        bson_destroy(&document);
        bson_init(&document);
      }
    }
    const std::uint8_t *data() const { return bson_get_data(&document); }
    std::size_t size() const { return document.len; }

    bson_t document;
    /// False where an error left children open, with which a document cannot be used again.
    bool complete = true;
  };
  template <class T>
  static constexpr const char *refuses =
      serbench::is_object<T> ? nullptr : "the top level of BSON is a document, never an array";

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "libbson";
    info.format = "BSON";
    info.library = "libbson";
    info.library_version = bson_get_version();
    info.notes =
        "f32 as double; u32 and u64 as i64; its iterators do not check that text is UTF-8, which "
        "would be a walk of its own, bson_validate";
    info.capabilities =
        SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_LENIENT | serbench::CodecInfo::reuses_and_fresh;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    out.complete = false;
    serbench::write(Writer{&out.document, {}, true}, value);
    out.complete = true;
  }
  template <class T>
  static T deserialize(Input in, Scratch &) {
    bson_t document;
    if (!bson_init_static(&document, in.data, in.size)) throw malformed("not a BSON document");
    T value{};
    serbench::read(RootReader{{nullptr}, &document}, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("libbson", "Apache-2.0", Bson)

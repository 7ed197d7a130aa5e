// yyjson: a document that refers to the struct's strings, written with the library's dynamic
// allocator, whose memory is kept; and documents parsed into the same.
#include <yyjson.h>

#include <serbench/datasets.hpp>

namespace {

using serbench::Input;
using serbench::malformed;

template <class T>
T *made(T *pointer) {
  if (pointer == nullptr) throw std::bad_alloc();
  return pointer;
}

/// A place in a document: its root, the end of an array, or a member of an object.
struct Writer {
  static constexpr bool positional = false;
  yyjson_mut_doc *doc;
  yyjson_mut_val *parent = nullptr;
  yyjson_mut_val *key = nullptr;

  void null() { put(yyjson_mut_null(doc)); }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_same_v<S, bool>) {
      put(yyjson_mut_bool(doc, value));
    } else if constexpr (std::is_same_v<S, float>) {
      put(yyjson_mut_float(doc, value));
    } else if constexpr (std::is_same_v<S, double>) {
      put(yyjson_mut_double(doc, value));
    } else if constexpr (std::is_signed_v<S>) {
      put(yyjson_mut_sint(doc, value));
    } else {
      put(yyjson_mut_uint(doc, value));
    }
  }
  void text(std::string_view text) { put(yyjson_mut_strn(doc, text.data(), text.size())); }
  void blob(Input bytes) {
    std::string encoded;
    serbench::base64_encode(bytes, encoded);
    put(yyjson_mut_strncpy(doc, encoded.data(), encoded.size()));
  }

  struct Array {
    yyjson_mut_doc *doc;
    yyjson_mut_val *array;
    Writer element() { return {doc, array}; }
    void end() {}
  };
  Array array(std::size_t) { return {doc, put(yyjson_mut_arr(doc))}; }

  struct Object {
    yyjson_mut_doc *doc;
    yyjson_mut_val *object;
    Writer member(std::string_view name) {
      return {doc, object, made(yyjson_mut_strn(doc, name.data(), name.size()))};
    }
    void end() {}
  };
  Object object(std::size_t) { return {doc, put(yyjson_mut_obj(doc))}; }

 private:
  yyjson_mut_val *put(yyjson_mut_val *value) {
    made(value);
    if (parent == nullptr) {
      yyjson_mut_doc_set_root(doc, value);
    } else if (key == nullptr) {
      yyjson_mut_arr_append(parent, value);
    } else {
      yyjson_mut_obj_add(parent, key, value);
    }
    return value;
  }
};

struct Reader {
  static constexpr bool positional = false;
  yyjson_val *value;

  bool is_null() const { return yyjson_is_null(value); }
  bool is_text() const { return yyjson_is_str(value); }
  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      expect(yyjson_is_bool(value));
      return yyjson_get_bool(value);
    } else if constexpr (std::is_floating_point_v<S>) {
      expect(yyjson_is_num(value));
      return static_cast<S>(yyjson_get_num(value));
    } else if (yyjson_is_sint(value)) {
      return serbench::narrow<S>(yyjson_get_sint(value));
    } else {
      expect(yyjson_is_uint(value));
      return serbench::narrow<S>(yyjson_get_uint(value));
    }
  }
  std::string_view text() const {
    expect(is_text());
    return {yyjson_get_str(value), yyjson_get_len(value)};
  }
  template <class F>
  void blob(F &&f) const {
    const auto bytes = serbench::base64_decode(text());
    f(Input{bytes.data(), bytes.size()});
  }

  struct Array {
    yyjson_arr_iter at;
    std::size_t size() const { return at.max - at.idx; }
    bool done() { return !yyjson_arr_iter_has_next(&at); }
    Reader next() { return {yyjson_arr_iter_next(&at)}; }
  };
  Array array() const {
    expect(yyjson_is_arr(value));
    return {yyjson_arr_iter_with(value)};
  }

  struct Object {
    yyjson_obj_iter at;
    bool done() { return !yyjson_obj_iter_has_next(&at); }
    std::string_view key() const { return {yyjson_get_str(at.cur), yyjson_get_len(at.cur)}; }
    Reader next() { return {yyjson_obj_iter_get_val(yyjson_obj_iter_next(&at))}; }
    void skip() { yyjson_obj_iter_next(&at); }
  };
  Object object() const {
    expect(yyjson_is_obj(value));
    return {yyjson_obj_iter_with(value)};
  }

 private:
  static void expect(bool type) {
    if (!type) throw malformed("a value of another type");
  }
};

struct FreeAllocator {
  void operator()(yyjson_alc *alc) const { yyjson_alc_dyn_free(alc); }
};
using Allocator = std::unique_ptr<yyjson_alc, FreeAllocator>;

struct FreeDocument {
  void operator()(yyjson_doc *doc) const { yyjson_doc_free(doc); }
  void operator()(yyjson_mut_doc *doc) const { yyjson_mut_doc_free(doc); }
};

/// The text, in memory of the allocator.
class Text {
 public:
  Text() = default;
  Text(const Text &) = delete;
  Text &operator=(const Text &) = delete;
  ~Text() { clear(); }

  void clear() {
    if (json_ != nullptr) alc_->free(alc_->ctx, json_);
    json_ = nullptr;
    size_ = 0;
  }
  const char *data() const { return json_; }
  std::size_t size() const { return size_; }

  yyjson_alc *allocator() const { return alc_.get(); }
  void write(const yyjson_mut_doc *doc) {
    yyjson_write_err error;
    json_ = yyjson_mut_write_opts(doc, YYJSON_WRITE_NOFLAG, alc_.get(), &size_, &error);
    if (json_ == nullptr) throw serbench::unsupported(error.msg);
  }

 private:
  Allocator alc_{made(yyjson_alc_dyn_new())};
  char *json_ = nullptr;
  std::size_t size_ = 0;
};

template <bool InSitu>
struct YyJson : serbench::Codec {
  using Buffer = Text;
  struct Scratch {
    Allocator alc{made(yyjson_alc_dyn_new())};
    std::string copy;
  };

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = InSitu ? "yyjson/insitu" : "yyjson";
    info.format = "JSON";
    info.library = "yyjson";
    const std::uint32_t version = yyjson_version();
    info.library_version = std::to_string(version >> 16) + "." +
                           std::to_string(version >> 8 & 255) + "." + std::to_string(version & 255);
    if (InSitu) info.notes = "the mutable, padded copy is made inside deserialize";
    info.capabilities =
        SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_TEXT | serbench::CodecInfo::reuses_and_fresh;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    const std::unique_ptr<yyjson_mut_doc, FreeDocument> doc(
        made(yyjson_mut_doc_new(out.allocator())));
    serbench::write(Writer{doc.get()}, value);
    out.write(doc.get());
  }
  template <class T>
  static T deserialize(Input in, Scratch &scratch) {
    // Without the flag for in-situ parsing the library does not write to the input.
    char *text = const_cast<char *>(in.chars());
    yyjson_read_flag flags = YYJSON_READ_NOFLAG;
    if constexpr (InSitu) {
      scratch.copy.assign(in.chars(), in.size);
      scratch.copy.append(YYJSON_PADDING_SIZE, '\0');
      text = scratch.copy.data();
      flags = YYJSON_READ_INSITU;
    }
    yyjson_read_err error;
    const std::unique_ptr<yyjson_doc, FreeDocument> doc(
        yyjson_read_opts(text, in.size, flags, scratch.alc.get(), &error));
    if (doc == nullptr) throw malformed(error.msg);
    T value{};
    serbench::read(Reader{yyjson_doc_get_root(doc.get())}, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("yyjson", "MIT", YyJson<false>, YyJson<true>)

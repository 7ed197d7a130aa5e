// FlexBuffers of the FlatBuffers library: one builder, kept between calls; decoded values are the
// library's references into the input, looked up by key. The verifier runs in `deserialize`.
#include <flatbuffers/flexbuffers.h>

#include <serbench/datasets.hpp>

namespace {

using serbench::Input;
using serbench::malformed;

/// The builder keeps a stack of its own, so every place is the builder itself.
struct Writer {
  static constexpr bool positional = false;
  flexbuffers::Builder &builder;

  void null() { builder.Null(); }
  template <class S>
  void scalar(S value) {
    builder.Add(value);
  }
  void text(std::string_view text) { builder.String(text.data(), text.size()); }
  void blob(Input bytes) { builder.Blob(bytes.data, bytes.size); }

  struct Array {
    flexbuffers::Builder &builder;
    std::size_t start;
    Writer element() { return {builder}; }
    void end() { builder.EndVector(start, false, false); }
  };
  Array array(std::size_t) { return {builder, builder.StartVector()}; }

  struct Object {
    flexbuffers::Builder &builder;
    std::size_t start;
    Writer member(std::string_view key) {
      if (key.find('\0') != key.npos) throw serbench::unsupported("a key with a zero byte in it");
      builder.Key(key.data(), key.size());
      return {builder};
    }
    void end() { builder.EndMap(start); }
  };
  Object object(std::size_t) { return {builder, builder.StartMap()}; }
};

struct Reader {
  static constexpr bool positional = false;
  flexbuffers::Reference value;

  bool is_null() const { return value.IsNull(); }
  bool is_text() const { return value.IsString(); }
  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      expect(value.IsBool());
      return value.AsBool();
    } else if constexpr (std::is_floating_point_v<S>) {
      expect(value.IsNumeric());
      return static_cast<S>(value.AsDouble());
    } else if constexpr (std::is_signed_v<S>) {
      expect(value.IsIntOrUint());
      return serbench::narrow<S>(value.AsInt64());
    } else {
      expect(value.IsIntOrUint());
      return serbench::narrow<S>(value.AsUInt64());
    }
  }
  std::string_view text() const {
    expect(value.IsString());
    const auto string = value.AsString();
    return {string.c_str(), string.size()};
  }
  template <class F>
  void blob(F &&f) const {
    expect(value.IsBlob());
    const auto blob = value.AsBlob();
    f(Input{blob.data(), blob.size()});
  }

  struct Array {
    flexbuffers::Vector vector;
    std::size_t at;
    std::size_t size() const { return vector.size(); }
    bool done() const { return at == vector.size(); }
    Reader next() { return {vector[at++]}; }
  };
  Array array() const {
    expect(value.IsUntypedVector());
    return {value.AsVector(), 0};
  }

  struct Object {
    flexbuffers::Map map;
    std::size_t at;
    std::size_t size() const { return map.size(); }
    bool done() const { return at == map.size(); }
    std::string_view key() const { return map.Keys()[at].AsKey(); }
    Reader next() { return {map.Values()[at++]}; }
    std::optional<Reader> find(std::string_view key) const {
      const auto found = map[key.data()];
      if (found.IsNull()) return std::nullopt;
      return Reader{found};
    }
  };
  Object object() const {
    expect(value.IsMap());
    return {value.AsMap(), 0};
  }

 private:
  static void expect(bool type) {
    if (!type) throw malformed("a value of another type");
  }
};

template <bool Checked>
struct FlexBuffers : serbench::Codec {
  using WritesAs = FlexBuffers<true>;
  class Buffer {
   public:
    void clear() { builder.Clear(); }
    const std::uint8_t *data() const { return builder.GetBuffer().data(); }
    std::size_t size() const { return builder.GetSize(); }

    flexbuffers::Builder builder;
  };
  template <class T>
  using Decoded = serbench::View<T, Reader>;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = Checked ? "flexbuffers_cpp" : "flexbuffers_cpp/unchecked";
    info.format = "FlexBuffers";
    info.library = "flatbuffers";
    info.library_version = flatbuffers::FLATBUFFERS_VERSION();
    info.notes = Checked
                     ? "the verifier, which does not check that text is UTF-8, runs in deserialize"
                     : "no verifier";
    info.capabilities = SERBENCH_CAP_SELF_DESCRIBING | serbench::CodecInfo::reuses_and_fresh;
    if (Checked) info.capabilities |= SERBENCH_CAP_LENIENT;
    info.yields = SERBENCH_YIELDS_VIEW;
    info.validation = Checked ? SERBENCH_CHECKED : SERBENCH_TRUSTED;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    serbench::write(Writer{out.builder}, value);
    out.builder.Finish();
  }
  template <class T>
  static Decoded<T> deserialize(Input in, Scratch &) {
    if constexpr (Checked) {
      if (!flexbuffers::VerifyBuffer(in.data, in.size)) throw malformed("the verifier says no");
    }
    return {{flexbuffers::GetRoot(in.data, in.size)}};
  }
};

}  // namespace

SERBENCH_PLUGIN("flexbuffers_cpp", "Apache-2.0", FlexBuffers<true>, FlexBuffers<false>)

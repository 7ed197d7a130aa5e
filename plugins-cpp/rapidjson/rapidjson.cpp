// RapidJSON: the SAX Writer straight from the struct into a StringBuffer that is kept; documents
// parsed into a pool that is kept. `insitu` parses in a mutable copy, made inside the timed call.
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <serbench/datasets.hpp>

namespace {

using serbench::Input;
using serbench::malformed;
using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

rapidjson::SizeType length(std::size_t size) {
  if (size > UINT32_MAX) throw serbench::unsupported("RapidJSON sizes have 32 bits");
  return static_cast<rapidjson::SizeType>(size);
}

/// JSON is written in one stream, so every place is the writer itself.
struct Writer {
  static constexpr bool positional = false;
  JsonWriter &json;

  void null() { json.Null(); }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_same_v<S, bool>) {
      json.Bool(value);
    } else if constexpr (std::is_floating_point_v<S>) {
      if (!json.Double(value)) throw serbench::unsupported("JSON has no NaN and no infinity");
    } else if constexpr (std::is_signed_v<S>) {
      json.Int64(value);
    } else {
      json.Uint64(value);
    }
  }
  void text(std::string_view text) { json.String(text.data(), length(text.size())); }
  void blob(Input bytes) {
    std::string encoded;
    serbench::base64_encode(bytes, encoded);
    text(encoded);
  }

  struct Array {
    JsonWriter &json;
    Writer element() { return {json}; }
    void end() { json.EndArray(); }
  };
  Array array(std::size_t) {
    json.StartArray();
    return {json};
  }

  struct Object {
    JsonWriter &json;
    Writer member(std::string_view key) {
      json.Key(key.data(), length(key.size()));
      return {json};
    }
    void end() { json.EndObject(); }
  };
  Object object(std::size_t) {
    json.StartObject();
    return {json};
  }
};

struct Reader {
  static constexpr bool positional = false;
  const rapidjson::Value &value;

  bool is_null() const { return value.IsNull(); }
  bool is_text() const { return value.IsString(); }
  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      expect(value.IsBool());
      return value.GetBool();
    } else if constexpr (std::is_floating_point_v<S>) {
      expect(value.IsNumber());
      return static_cast<S>(value.GetDouble());
    } else if constexpr (std::is_signed_v<S>) {
      expect(value.IsInt64());
      return serbench::narrow<S>(value.GetInt64());
    } else {
      expect(value.IsUint64());
      return serbench::narrow<S>(value.GetUint64());
    }
  }
  std::string_view text() const {
    expect(value.IsString());
    return {value.GetString(), value.GetStringLength()};
  }
  template <class F>
  void blob(F &&f) const {
    const auto bytes = serbench::base64_decode(text());
    f(Input{bytes.data(), bytes.size()});
  }

  struct Array {
    rapidjson::Value::ConstValueIterator at, last;
    std::size_t size() const { return static_cast<std::size_t>(last - at); }
    bool done() const { return at == last; }
    Reader next() { return {*at++}; }
  };
  Array array() const {
    expect(value.IsArray());
    return {value.Begin(), value.End()};
  }

  struct Object {
    rapidjson::Value::ConstMemberIterator at, last;
    bool done() const { return at == last; }
    std::string_view key() const { return {at->name.GetString(), at->name.GetStringLength()}; }
    Reader next() { return {(at++)->value}; }
    void skip() { ++at; }
  };
  Object object() const {
    expect(value.IsObject());
    return {value.MemberBegin(), value.MemberEnd()};
  }

 private:
  static void expect(bool type) {
    if (!type) throw malformed("a value of another type");
  }
};

using Pool = rapidjson::MemoryPoolAllocator<>;
using Document = rapidjson::GenericDocument<rapidjson::UTF8<>, Pool>;

template <bool InSitu>
struct RapidJson : serbench::Codec {
  using WritesAs = RapidJson<false>;
  class Buffer {
   public:
    void clear() { text.Clear(); }
    const char *data() const { return text.GetString(); }
    std::size_t size() const { return text.GetSize(); }

    rapidjson::StringBuffer text;
  };
  /// The pool's first chunk lies in `room`; clearing the pool keeps that and frees the rest.
  struct Scratch {
    std::vector<char> room = std::vector<char>(std::size_t{1} << 20);
    Pool pool{room.data(), room.size()};
    std::string copy;
  };

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = InSitu ? "rapidjson/insitu" : "rapidjson";
    info.format = "JSON";
    info.library = "rapidjson";
    info.library_version = RAPIDJSON_VERSION_STRING;
    info.notes =
        "f32 is written with the digits of the double it becomes; full-precision, "
        "iterative parsing, which by default does not check that text is UTF-8";
    if (InSitu) info.notes += "; the mutable copy is made inside deserialize";
    info.capabilities = SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_TEXT | SERBENCH_CAP_LENIENT |
                        serbench::CodecInfo::reuses_and_fresh;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    JsonWriter json(out.text);
    serbench::write(Writer{json}, value);
  }
  template <class T>
  static T deserialize(Input in, Scratch &scratch) {
    // Full precision, or doubles come back an ulp off; iterative, or deep nesting ends the stack.
    constexpr unsigned flags = rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag;
    scratch.pool.Clear();
    Document document(&scratch.pool);
    if constexpr (InSitu) {
      scratch.copy.assign(in.chars(), in.size);
      document.ParseInsitu<flags>(scratch.copy.data());
    } else {
      document.Parse<flags>(in.chars(), in.size);
    }
    if (document.HasParseError()) {
      throw malformed(rapidjson::GetParseError_En(document.GetParseError()));
    }
    T value{};
    serbench::read(Reader{document}, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("rapidjson", "MIT", RapidJson<false>, RapidJson<true>)

// simdjson: documents read on demand, straight into the struct, or parsed into its DOM; in a parser
// that is kept, where they lie: the host pads its input. Since version 4 it writes, too. Version 3
// does not, and a row is measured on what its own codec wrote: JSON of another library would put
// that one's sizes and times in the row. So with version 3 the row says why it is empty.
#include <simdjson.h>

#include <cmath>
#include <serbench/datasets.hpp>

#include "../shared/version.hpp"

namespace {

serbench::CodecInfo info_of(const char *id, const char *notes) {
  serbench::CodecInfo info;
  info.id = id;
  info.format = "JSON";
  info.library = "simdjson";
  info.library_version =
      serbench::dotted(simdjson::SIMDJSON_VERSION_MAJOR, simdjson::SIMDJSON_VERSION_MINOR,
                       simdjson::SIMDJSON_VERSION_REVISION);
  info.notes = notes;
  info.capabilities =
      SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_TEXT | serbench::CodecInfo::reuses_and_fresh;
  return info;
}

#ifdef SERBENCH_SIMDJSON_WRITES

using serbench::Input;
using serbench::malformed;
namespace ondemand = simdjson::ondemand;
namespace dom = simdjson::dom;

static_assert(SERBENCH_INPUT_PADDING >= simdjson::SIMDJSON_PADDING);

using Builder = simdjson::builder::string_builder;

/// JSON is written in one stream, so every place is the builder itself.
struct Writer {
  static constexpr bool positional = false;
  Builder &json;

  void null() { json.append_null(); }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_floating_point_v<S>) {
      if (!std::isfinite(value)) throw serbench::unsupported("JSON has no NaN and no infinity");
    }
    json.append(value);
  }
  void text(std::string_view text) { json.escape_and_append_with_quotes(text); }
  void blob(Input bytes) {
    std::string encoded;
    serbench::base64_encode(bytes, encoded);
    json.append('"');
    json.append_raw(std::string_view(encoded));
    json.append('"');
  }

  struct Array {
    Builder &json;
    bool first = true;
    Writer element() {
      if (!first) json.append_comma();
      first = false;
      return {json};
    }
    void end() { json.end_array(); }
  };
  Array array(std::size_t) {
    json.start_array();
    return {json};
  }

  struct Object {
    Builder &json;
    bool first = true;
    Writer member(std::string_view key) {
      if (!first) json.append_comma();
      first = false;
      json.escape_and_append_with_quotes(key);
      json.append_colon();
      return {json};
    }
    void end() { json.end_object(); }
  };
  Object object(std::size_t) {
    json.start_object();
    return {json};
  }
};

/// The text, in memory that is kept.
class Text {
 public:
  void clear() { json.clear(); }
  const char *data() const { return json.view().value().data(); }
  std::size_t size() const { return json.size(); }

  Builder json;
};

/// What both ways of reading share. V: a document or a value of the library. Everything that it
/// does not expect throws, from the library.
template <class V>
struct Scalars {
  static constexpr bool positional = false;
  V value;

  template <class S>
  S scalar() {
    if constexpr (std::is_same_v<S, bool>) {
      return value.get_bool().value();
    } else if constexpr (std::is_floating_point_v<S>) {
      return static_cast<S>(value.get_double().value());
    } else if constexpr (std::is_signed_v<S>) {
      return serbench::narrow<S>(value.get_int64().value());
    } else {
      return serbench::narrow<S>(value.get_uint64().value());
    }
  }
  std::string_view text() { return value.get_string().value(); }
  template <class F>
  void blob(F &&f) {
    const auto bytes = serbench::base64_decode(text());
    f(Input{bytes.data(), bytes.size()});
  }
};

/// The root, by reference, or a value: a place in the text, up to which everything has been read.
template <class V>
struct OnDemandReader : Scalars<V> {
  using Next = OnDemandReader<ondemand::value>;

  bool is_null() { return this->value.is_null().value(); }
  bool is_text() { return this->value.type().value() == ondemand::json_type::string; }

  /// An element may only be looked at once, and the next one is found by going over it.
  class Array {
   public:
    explicit Array(ondemand::array array)
        : at_(array.begin().value()), last_(array.end().value()) {}

    std::size_t size() const { return 0; }
    bool done() {
      if (taken_) ++at_;
      taken_ = false;
      return !(at_ != last_);
    }
    Next next() {
      taken_ = true;
      return {{(*at_).value()}};
    }

   private:
    ondemand::array_iterator at_, last_;
    bool taken_ = false;
  };
  Array array() { return Array(this->value.get_array().value()); }

  class Object {
   public:
    explicit Object(ondemand::object object)
        : object_(object), at_(object_.begin().value()), last_(object_.end().value()) {}

    bool done() {
      if (taken_) advance();
      return !(at_ != last_);
    }
    std::string_view key() {
      if (!opened_) {
        field_ = (*at_).take_value();
        key_ = field_.unescaped_key().value();
        opened_ = true;
      }
      return key_;
    }
    Next next() {
      key();
      taken_ = true;
      return {{field_.value()}};
    }
    void skip() {
      key();
      advance();
    }

   private:
    void advance() {
      ++at_;
      opened_ = taken_ = false;
    }

    ondemand::object object_;  // which the library's iterators refer to where it checks itself
    ondemand::object_iterator at_, last_;
    ondemand::field field_;
    std::string_view key_;
    bool opened_ = false, taken_ = false;
  };
  Object object() { return Object(this->value.get_object().value()); }
};

struct DomReader : Scalars<dom::element> {
  bool is_null() const { return value.is_null(); }
  bool is_text() const { return value.is_string(); }

  struct Array {
    dom::array::iterator at, last;
    std::size_t count;
    std::size_t size() const { return count; }
    bool done() const { return !(at != last); }
    DomReader next() { return {{*at++}}; }
  };
  Array array() const {
    const dom::array array = value.get_array().value();
    return {array.begin(), array.end(), array.size()};
  }

  struct Object {
    dom::object::iterator at, last;
    bool done() const { return !(at != last); }
    std::string_view key() const { return at.key(); }
    DomReader next() { return {{(at++).value()}}; }
    void skip() { ++at; }
  };
  Object object() const {
    const dom::object object = value.get_object().value();
    return {object.begin(), object.end()};
  }
};

struct OnDemand {
  using Parser = ondemand::parser;
  static constexpr auto id = "simdjson";

  template <class T>
  static void read(Parser &parser, Input in, T &value) {
    const simdjson::padded_string_view text(in.chars(), in.size, in.size + SERBENCH_INPUT_PADDING);
    ondemand::document document = parser.iterate(text).value();
    serbench::read(OnDemandReader<ondemand::document &>{{document}}, value);
    if (!document.at_end()) throw malformed("text left over");
  }
};

struct Dom {
  using Parser = dom::parser;
  static constexpr auto id = "simdjson/dom";

  template <class T>
  static void read(Parser &parser, Input in, T &value) {
    constexpr bool copy = false;
    serbench::read(DomReader{{parser.parse(in.chars(), in.size, copy).value()}}, value);
  }
};

template <class Reading>
struct SimdJson : serbench::Codec {
  using Buffer = Text;
  using Scratch = typename Reading::Parser;

  static serbench::CodecInfo info() {
    return info_of(Reading::id, "f32 is written with the digits of the double it becomes");
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    serbench::write(Writer{out.json}, value);
  }
  template <class T>
  static T deserialize(Input in, Scratch &parser) {
    T value{};
    Reading::read(parser, in, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("simdjson", "Apache-2.0", SimdJson<OnDemand>, SimdJson<Dom>)

#else

struct SimdJson : serbench::Codec {
  template <class T>
  static constexpr const char *refuses =
      "simdjson 3 reads JSON and writes none; version 4 writes, too: build it and give "
      "-DCMAKE_PREFIX_PATH=DIR, where it is installed";

  static serbench::CodecInfo info() {
    return info_of("simdjson", "for its reading side see simd_json, its port to Rust");
  }
};

}  // namespace

SERBENCH_PLUGIN("simdjson", "Apache-2.0", SimdJson)

#endif

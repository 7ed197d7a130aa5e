// Boost.JSON: values in a pool that is kept, for writing and for reading alike, as its guide has
// it; its parser and serializer, which are kept, too. It is compiled into this plugin.
#include <boost/json/src.hpp>
#include <boost/version.hpp>
#include <cmath>
#include <serbench/datasets.hpp>

#include "../shared/version.hpp"

namespace {

namespace json = boost::json;
using serbench::Input;
using serbench::malformed;

/// A place for a value.
struct Writer {
  static constexpr bool positional = false;
  json::value &place;

  void null() { place = nullptr; }
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_floating_point_v<S>) {
      if (!std::isfinite(value)) throw serbench::unsupported("JSON has no NaN and no infinity");
      place = static_cast<double>(value);
    } else {
      place = value;
    }
  }
  void text(std::string_view text) { place.emplace_string().assign(text.data(), text.size()); }
  void blob(Input bytes) {
    std::string encoded;
    serbench::base64_encode(bytes, encoded);
    text(encoded);
  }

  struct Array {
    json::array &elements;
    Writer element() { return {elements.emplace_back(nullptr)}; }
    void end() {}
  };
  Array array(std::size_t count) {
    auto &elements = place.emplace_array();
    elements.reserve(count);
    return {elements};
  }

  struct Object {
    json::object &members;
    Writer member(std::string_view key) {
      return {members.emplace(json::string_view(key.data(), key.size()), nullptr).first->value()};
    }
    void end() {}
  };
  Object object(std::size_t count) {
    auto &members = place.emplace_object();
    members.reserve(count);
    return {members};
  }
};

/// Everything that it does not expect throws, from the library.
struct Reader {
  static constexpr bool positional = false;
  const json::value &value;

  bool is_null() const { return value.is_null(); }
  bool is_text() const { return value.is_string(); }
  template <class S>
  S scalar() const {
    if constexpr (std::is_same_v<S, bool>) {
      return value.as_bool();
    } else if constexpr (std::is_floating_point_v<S>) {
      return static_cast<S>(value.to_number<double>());
    } else {
      return value.to_number<S>();
    }
  }
  std::string_view text() const {
    const json::string &text = value.as_string();
    return {text.data(), text.size()};
  }
  template <class F>
  void blob(F &&f) const {
    const auto bytes = serbench::base64_decode(text());
    f(Input{bytes.data(), bytes.size()});
  }

  struct Array {
    json::array::const_iterator at, last;
    std::size_t size() const { return static_cast<std::size_t>(last - at); }
    bool done() const { return at == last; }
    Reader next() { return {*at++}; }
  };
  Array array() const {
    const json::array &elements = value.as_array();
    return {elements.begin(), elements.end()};
  }

  struct Object {
    json::object::const_iterator at, last;
    bool done() const { return at == last; }
    std::string_view key() const { return {at->key().data(), at->key().size()}; }
    Reader next() { return {(at++)->value()}; }
    void skip() { ++at; }
  };
  Object object() const {
    const json::object &members = value.as_object();
    return {members.begin(), members.end()};
  }
};

/// Memory for the values of a document; releasing it keeps its first block.
class Pool {
 public:
  Pool() : room_(std::size_t{1} << 20), resource_(room_.data(), room_.size()) {}

  json::storage_ptr clean() {
    resource_.release();
    return &resource_;
  }

 private:
  std::vector<unsigned char> room_;
  json::monotonic_resource resource_;
};

struct BoostJson : serbench::Codec {
  class Buffer {
   public:
    void clear() { size_ = 0; }
    const char *data() const { return room_.data(); }
    std::size_t size() const { return size_; }

    template <class T>
    void write(const T &value) {
      json::value document(pool_.clean());
      serbench::write(Writer{document}, value);
      serializer_.reset(&document);
      for (;;) {
        size_ += serializer_.read(room_.data() + size_, room_.size() - size_).size();
        if (serializer_.done()) return;
        room_.resize(room_.size() * 2);
      }
    }

   private:
    Pool pool_;
    json::serializer serializer_;
    std::vector<char> room_ = std::vector<char>(4096);
    std::size_t size_ = 0;
  };
  struct Scratch {
    Pool pool;
    // Without full precision, which is not its default, doubles come back an ulp off.
    json::parser parser = json::parser({}, [] {
      json::parse_options options;
      options.numbers = json::number_precision::precise;
      return options;
    }());
  };

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "boost_json";
    info.format = "JSON";
    info.library = "boost-json";
    info.library_version =
        serbench::dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100);
    info.notes = "f32 is written with the digits of the double it becomes; full-precision parsing";
    info.capabilities =
        SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_TEXT | serbench::CodecInfo::reuses_and_fresh;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    out.write(value);
  }
  template <class T>
  static T deserialize(Input in, Scratch &scratch) {
    scratch.parser.reset(scratch.pool.clean());
    scratch.parser.write(in.chars(), in.size);
    const json::value document = scratch.parser.release();
    T value{};
    serbench::read(Reader{document}, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("boost_json", "BSL-1.0", BoostJson)

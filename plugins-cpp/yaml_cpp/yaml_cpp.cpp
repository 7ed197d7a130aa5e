// yaml-cpp: its emitter straight from the struct into a stream that is kept; its nodes for reading.
// Text is double-quoted, so that it is never taken for a number or a null.
#include <yaml-cpp/yaml.h>

#include <serbench/datasets.hpp>
#include <serbench/streams.hpp>

namespace {

using serbench::Input;
using serbench::malformed;

// What inlines much of the library is a function here: there is one of each for every field.

/// YAML is written in one stream, so every place is the emitter itself.
struct Writer {
  static constexpr bool positional = false;
  YAML::Emitter &yaml;

  void null() { yaml << YAML::Null; }
  template <class S>
  [[gnu::noinline]] void scalar(S value) {
    if constexpr (std::is_same_v<S, bool> || std::is_floating_point_v<S>) {
      yaml << value;
    } else if constexpr (std::is_signed_v<S>) {
      yaml << std::int64_t{value};
    } else {
      yaml << std::uint64_t{value};
    }
  }
  [[gnu::noinline]] void text(std::string_view text) {
    yaml << YAML::DoubleQuoted << std::string(text);
  }
  void blob(Input bytes) {
    std::string encoded;
    serbench::base64_encode(bytes, encoded);
    yaml << YAML::DoubleQuoted << encoded;
  }

  struct Array {
    YAML::Emitter &yaml;
    Writer element() { return {yaml}; }
    void end() { yaml << YAML::EndSeq; }
  };
  Array array(std::size_t) {
    yaml << YAML::BeginSeq;
    return {yaml};
  }

  struct Object {
    YAML::Emitter &yaml;
    [[gnu::noinline]] Writer member(std::string_view key) {
      yaml << YAML::Key << std::string(key) << YAML::Value;
      return {yaml};
    }
    void end() { yaml << YAML::EndMap; }
  };
  Object object(std::size_t) {
    yaml << YAML::BeginMap;
    return {yaml};
  }
};

struct Reader {
  static constexpr bool positional = false;
  YAML::Node node;

  bool is_null() const { return node.IsNull(); }
  bool is_text() const { return node.IsScalar(); }
  template <class S>
  [[gnu::noinline]] S scalar() const {
    if constexpr (std::is_same_v<S, bool> || std::is_floating_point_v<S>) {
      return node.as<S>();
    } else if constexpr (std::is_signed_v<S>) {
      return serbench::narrow<S>(node.as<std::int64_t>());
    } else {
      return serbench::narrow<S>(node.as<std::uint64_t>());
    }
  }
  std::string_view text() const {
    expect(node.IsScalar());
    return node.Scalar();
  }
  template <class F>
  void blob(F &&f) const {
    const auto bytes = serbench::base64_decode(text());
    f(Input{bytes.data(), bytes.size()});
  }

  struct Array {
    YAML::Node node;
    YAML::const_iterator at, last;
    std::size_t size() const { return node.size(); }
    bool done() const { return at == last; }
    [[gnu::noinline]] Reader next() {
      Reader element{*at};
      ++at;
      return element;
    }
  };
  Array array() const {
    expect(node.IsSequence());
    return {node, node.begin(), node.end()};
  }

  struct Object {
    YAML::const_iterator at, last;
    bool done() const { return at == last; }
    [[gnu::noinline]] std::string_view key() const { return at->first.Scalar(); }
    [[gnu::noinline]] Reader next() {
      Reader member{at->second};
      ++at;
      return member;
    }
    void skip() { ++at; }
  };
  Object object() const {
    expect(node.IsMap());
    return {node.begin(), node.end()};
  }

 private:
  static void expect(bool type) {
    if (!type) throw malformed("a value of another type");
  }
};

struct Yaml : serbench::Codec {
  using Buffer = serbench::OutputStream;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "yaml_cpp";
    info.format = "YAML";
    info.library = "yaml-cpp";
    info.library_version = SERBENCH_LIBRARY_VERSION;
    info.notes =
        "text is double-quoted, and not checked to be UTF-8; the loader takes a std::string, made "
        "inside deserialize";
    info.capabilities = SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_TEXT | SERBENCH_CAP_LENIENT |
                        serbench::CodecInfo::reuses_and_fresh;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    YAML::Emitter yaml(out.stream());
    serbench::write(Writer{yaml}, value);
    if (!yaml.good()) throw serbench::internal(yaml.GetLastError());
  }
  template <class T>
  static T deserialize(Input in, Scratch &) {
    T value{};
    serbench::read(Reader{YAML::Load(std::string(in.view()))}, value);
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("yaml_cpp", "MIT", Yaml)

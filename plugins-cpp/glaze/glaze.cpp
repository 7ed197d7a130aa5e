// glaze: JSON, and its own BEVE with names and without, straight between the structs and a buffer
// that is kept.
#include "../shared/version.hpp"
#include "types.hpp"

namespace {

using serbench::Input;

/// Refuses floats that JSON does not have, for which the library writes null.
struct ExpectFinite {
  template <class S>
  void scalar(S value) {
    if constexpr (std::is_floating_point_v<S>) {
      if (!std::isfinite(value)) throw serbench::unsupported("JSON has no NaN and no infinity");
    }
  }
  void blob(Input) {}
  void count(std::size_t) {}
  void present(bool) {}
  void variant(std::size_t) {}
  template <class S, class At>
  void elements(std::size_t, At &&) {}
};

/// How much has been read, which is called `location` in version 6.
template <class Result>
std::size_t used(const Result &result) {
  if constexpr (requires { result.count; }) {
    return result.count;
  } else {
    return result.location;
  }
}

template <class Format>
struct Glaze : serbench::Codec {
  template <class T>
  static constexpr const char *refuses =
      !Format::leaves_out && serbench::holds<serbench::LeavesOut, T>
          ? "glaze leaves out no field in BEVE that is not optional"
          : nullptr;

  /// The library overwrites what there is, and keeps the room.
  class Buffer {
   public:
    void clear() {}
    const char *data() const { return bytes.data(); }
    std::size_t size() const { return bytes.size(); }

    std::string bytes;
  };

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = Format::id;
    info.format = Format::name;
    info.library = "glaze";
    info.library_version =
        serbench::dotted(glz::version.major, glz::version.minor, glz::version.patch);
    info.notes = Format::notes;
    info.capabilities = serbench::CodecInfo::reuses_and_fresh | Format::capabilities;
    info.validation = Format::validation;
    return info;
  }
  template <class T>
  [[gnu::cold]] static T prepare(T &&value) {
    if constexpr (Format::options.format == glz::JSON) {
      ExpectFinite sink;
      serbench::walk(sink, value);
    }
    return std::move(value);
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    const auto error = glz::write<Format::options>(value, out.bytes);
    if (error) throw serbench::internal(glz::format_error(error));
  }
  template <class T>
  static T deserialize(Input in, Scratch &) {
    const std::string_view bytes(in.chars(), in.size);
    T value{};
    const auto error = glz::read<Format::options>(value, bytes);
    if (error) throw serbench::malformed(glz::format_error(error));
    if (used(error) != in.size) throw serbench::malformed("bytes left over");
    return value;
  }
};

/// Text as others write it: by default the library leaves out what is null, and writes control
/// characters as they are, which it then does not read.
struct JsonOptions : glz::opts {
  bool skip_null_members = false;
  bool escape_control_characters = true;
};

struct Json {
  static constexpr JsonOptions options{};
  static constexpr auto id = "glaze", name = "JSON",
                        notes =
                            "text is not checked to be UTF-8; a field that is missing keeps "
                            "its default";
  static constexpr std::uint64_t capabilities =
      SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_TEXT | SERBENCH_CAP_LENIENT;
  static constexpr std::uint32_t validation = SERBENCH_CHECKED;
  static constexpr bool leaves_out = true;
};

struct Binary {
  /// Its reader of lists of bools writes beyond a fixed one, its own of variants beyond their
  /// table.
  static constexpr std::uint32_t validation = SERBENCH_TRUSTED;
  static constexpr auto name = "BEVE",
                        notes = "allocates as much as a length in the input asks for";
};

struct Beve : Binary {
  static constexpr auto id = "glaze/beve";
  static constexpr std::uint64_t capabilities = SERBENCH_CAP_SELF_DESCRIBING;
  static constexpr glz::opts options{.format = glz::BEVE};
  static constexpr bool leaves_out = false;
};

struct Untagged : Binary {
  static constexpr auto id = "glaze/beve_untagged";
  static constexpr std::uint64_t capabilities = SERBENCH_CAP_SCHEMA;
  static constexpr glz::opts options{.format = glz::BEVE, .structs_as_arrays = true};
  static constexpr bool leaves_out = false;
};

}  // namespace

SERBENCH_PLUGIN("glaze", "MIT", Glaze<Json>, Glaze<Beve>, Glaze<Untagged>)

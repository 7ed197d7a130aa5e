// bitsery, through the functions `serialize` of its guide, into a vector that is kept; reading with
// its checks, and without them in the trusting variant.
#include <bitsery/adapter/buffer.h>
#include <bitsery/bitsery.h>
#include <bitsery/ext/std_map.h>
#include <bitsery/ext/std_optional.h>
#include <bitsery/ext/std_variant.h>
#include <bitsery/traits/array.h>
#include <bitsery/traits/string.h>
#include <bitsery/traits/vector.h>

#include <serbench/datasets.hpp>

namespace {

/// The library wants to be told the most that a container may hold.
constexpr std::size_t no_limit = std::numeric_limits<std::int32_t>::max();

/// What the library copies in one go.
template <class T>
constexpr bool is_plain = serbench::is_scalar<T> && !std::is_same_v<T, bool>;

template <class S, class T>
void process(S &s, T &value);

template <class S, class T>
void process_list(S &s, T &list) {
  using E = typename T::value_type;
  const auto each = [](S &inner, E &element) { process(inner, element); };
  if constexpr (serbench::is_array<T>) {
    if constexpr (is_plain<E>) {
      s.template container<sizeof(E)>(list);
    } else {
      s.container(list, each);
    }
  } else if constexpr (is_plain<E>) {
    s.template container<sizeof(E)>(list, no_limit);
  } else {
    s.container(list, no_limit, each);
  }
}

template <class S, class T>
void process(S &s, T &value) {
  using namespace serbench;
  if constexpr (std::is_same_v<T, bool>) {
    s.boolValue(value);
  } else if constexpr (is_scalar<T> || is_unit_enum<T>) {
    s.template value<sizeof(T)>(value);
  } else if constexpr (is_string<T>) {
    s.text1b(value, no_limit);
  } else if constexpr (is_bytes<T>) {
    s.container1b(value, no_limit);
  } else if constexpr (is_list<T> || is_array<T>) {
    process_list(s, value);
  } else if constexpr (is_option<T>) {
    s.ext(value, bitsery::ext::StdOptional{},
          [](S &inner, typename T::value_type &held) { process(inner, held); });
  } else if constexpr (is_map<T>) {
    s.ext(value, bitsery::ext::StdMap{no_limit},
          [](S &inner, std::string &key, typename T::mapped_type &held) {
            process(inner, key);
            process(inner, held);
          });
  } else if constexpr (is_tensor<T>) {
    process(s, value.shape);
    process(s, value.data);
  } else if constexpr (is_variants<T>) {
    s.ext(value.value,
          bitsery::ext::StdVariant{[](S &inner, auto &payload) { process(inner, payload); }});
  } else if constexpr (!is_monostate<T>) {
    visit_fields(value, [&](auto, auto &member) { process(s, member); });
  }
}

template <bool Checked>
struct Config : bitsery::DefaultConfig {
  static constexpr bool CheckDataErrors = Checked;
  static constexpr bool CheckAdapterErrors = Checked;
};

using Bytes = std::vector<std::uint8_t>;

template <bool Checked>
struct Bitsery : serbench::Codec {
  static constexpr bool self_describing = false;
  using Reader = bitsery::InputBufferAdapter<const std::uint8_t *, Config<Checked>>;
  using Writer = bitsery::OutputBufferAdapter<Bytes>;

  /// The library writes into the room that there is, and tells how much it took.
  class Buffer {
   public:
    void clear() {}
    const std::uint8_t *data() const { return bytes.data(); }
    std::size_t size() const { return used; }

    Bytes bytes;
    std::size_t used = 0;
  };

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = Checked ? "bitsery" : "bitsery/unchecked";
    info.format = "bitsery";
    info.library = "bitsery";
    info.library_version = std::to_string(BITSERY_MAJOR_VERSION) + "." +
                           std::to_string(BITSERY_MINOR_VERSION) + "." +
                           std::to_string(BITSERY_PATCH_VERSION);
    info.notes = "allocates as much as a length in the input asks for";
    if (!Checked) info.notes += "; reads beyond the end of input that is cut short";
    info.validation = SERBENCH_TRUSTED;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    bitsery::Serializer<Writer> serializer(out.bytes);
    process(serializer, const_cast<T &>(value));  // the library reads it, by way of one function
    serializer.adapter().flush();
    out.used = serializer.adapter().writtenBytesCount();
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &) {
    bitsery::Deserializer<Reader> deserializer(in.data, in.size);
    T value{};
    process(deserializer, value);
    const auto &adapter = deserializer.adapter();
    if (adapter.error() != bitsery::ReaderError::NoError || !adapter.isCompletedSuccessfully()) {
      throw serbench::malformed("not a value of this type");
    }
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("bitsery", "MIT", Bitsery<true>, Bitsery<false>)

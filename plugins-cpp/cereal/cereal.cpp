// cereal's binary archive, through the functions `serialize` of its guide, over streams that are
// kept between calls.
#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>
#include <cereal/version.hpp>
#include <serbench/datasets.hpp>
#include <serbench/streams.hpp>

namespace cereal {

template <class Archive, class T,
          std::enable_if_t<serbench::is_record<T> || serbench::is_tuple<T>, int> = 0>
void serialize(Archive &archive, T &value) {
  serbench::visit_fields(value, [&](auto, auto &member) { archive(member); });
}

template <class Archive, class T, std::enable_if_t<serbench::is_variants<T>, int> = 0>
void serialize(Archive &archive, T &value) {
  archive(value.value);
}

template <class Archive, class T>
void serialize(Archive &archive, serbench::Tensor<T> &value) {
  archive(value.shape, value.data);
}

// A std::byte is an enum to cereal, which it would write one by one.
template <class Archive>
void save(Archive &archive, const serbench::Bytes &value) {
  archive(make_size_tag(static_cast<size_type>(value.size())));
  archive(binary_data(value.data(), value.size()));
}

template <class Archive>
void load(Archive &archive, serbench::Bytes &value) {
  size_type size = 0;
  archive(make_size_tag(size));
  value.resize(static_cast<std::size_t>(size));
  archive(binary_data(value.data(), value.size()));
}

}  // namespace cereal

namespace {

struct Cereal : serbench::Codec {
  static constexpr bool self_describing = false;
  using Buffer = serbench::OutputStream;
  using Scratch = serbench::InputStream;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "cereal";
    info.format = "cereal binary";
    info.library = "cereal";
    info.library_version = std::to_string(CEREAL_VERSION_MAJOR) + "." +
                           std::to_string(CEREAL_VERSION_MINOR) + "." +
                           std::to_string(CEREAL_VERSION_PATCH);
    info.notes = "allocates as much as a length in the input asks for";
    info.validation = SERBENCH_TRUSTED;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    cereal::BinaryOutputArchive archive(out.stream());
    archive(value);
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &scratch) {
    scratch.open(in);
    cereal::BinaryInputArchive archive(scratch.stream());
    T value{};
    archive(value);
    if (scratch.left() != 0) throw serbench::malformed("bytes left over");
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("cereal", "BSD-3-Clause", Cereal)

// Boost.Serialization's binary archive, without its header, through the functions `serialize` of
// its guide, over stream buffers that are kept between calls.
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/array.hpp>
#include <boost/serialization/is_bitwise_serializable.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <boost/version.hpp>
#include <serbench/datasets.hpp>
#include <serbench/streams.hpp>

BOOST_IS_BITWISE_SERIALIZABLE(std::byte)

namespace boost::serialization {

// A version_type is what the library calls with: an exact match, where its own catch-all converts.

template <class Archive, class T,
          std::enable_if_t<serbench::is_record<T> || serbench::is_tuple<T>, int> = 0>
void serialize(Archive &archive, T &value, version_type) {
  serbench::visit_fields(value, [&](auto, auto &member) { archive &member; });
}

template <class Archive, class T>
void serialize(Archive &archive, serbench::Tensor<T> &value, version_type) {
  archive &value.shape &value.data;
}

template <class Archive, class T>
void serialize(Archive &archive, std::optional<T> &value, version_type) {
  bool present = value.has_value();
  archive &present;
  if constexpr (Archive::is_loading::value) {
    value.reset();
    if (present) value.emplace();
  }
  if (present) archive &*value;
}

template <class Archive, class T, std::enable_if_t<serbench::is_variants<T>, int> = 0>
void serialize(Archive &archive, T &value, version_type) {
  auto index = static_cast<std::uint32_t>(serbench::variant_index(value));
  archive &index;
  const auto payload = [&](auto &held) {
    if constexpr (!serbench::is_monostate<std::decay_t<decltype(held)>>) archive &held;
  };
  if constexpr (Archive::is_loading::value) {
    if (index >= serbench::variant_count<T>) throw serbench::malformed("an unknown variant");
    serbench::emplace_payload(value, index, payload);
  } else {
    serbench::visit_payload(value, payload);
  }
}

}  // namespace boost::serialization

namespace {

struct Boost : serbench::Codec {
  static constexpr bool self_describing = false;
  using Buffer = serbench::OutputStream;
  using Scratch = serbench::InputStream;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "boost_serialization";
    info.format = "Boost binary archive";
    info.library = "boost-serialization";
    info.library_version = std::to_string(BOOST_VERSION / 100000) + "." +
                           std::to_string(BOOST_VERSION / 100 % 1000) + "." +
                           std::to_string(BOOST_VERSION % 100);
    info.notes = "allocates as much as a length in the input asks for";
    info.validation = SERBENCH_TRUSTED;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    boost::archive::binary_oarchive archive(out.buffer(), boost::archive::no_header);
    archive << value;
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &scratch) {
    scratch.open(in);
    boost::archive::binary_iarchive archive(scratch.buffer(), boost::archive::no_header);
    T value{};
    archive >> value;
    if (scratch.left() != 0) throw serbench::malformed("bytes left over");
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("boost_serialization", "BSL-1.0", Boost)

// cereal's binary archive. Its archives write to a std::ostream: ours are kept between calls and
// stand on a buffer that grows in place, since constructing a stream costs more than a small value.
#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>
#include <cereal/version.hpp>
#include <istream>
#include <ostream>
#include <serbench/datasets.hpp>
#include <streambuf>

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

/// A stream buffer that appends to a vector.
class Growing : public std::streambuf {
 public:
  std::vector<char> bytes;

 protected:
  std::streamsize xsputn(const char *data, std::streamsize size) override {
    bytes.insert(bytes.end(), data, data + size);
    return size;
  }
  int_type overflow(int_type c) override {
    bytes.push_back(traits_type::to_char_type(c));
    return c;
  }
};

/// A stream buffer that reads memory where it lies.
class Reading : public std::streambuf {
 public:
  void open(serbench::Input in) {
    char *first = const_cast<char *>(in.chars());
    setg(first, first, first + in.size);
  }
  bool at_end() const { return gptr() == egptr(); }
};

struct Cereal : serbench::Codec {
  class Buffer {
   public:
    void clear() { buffer_.bytes.clear(); }
    const char *data() const { return buffer_.bytes.data(); }
    std::size_t size() const { return buffer_.bytes.size(); }
    std::ostream &stream() { return stream_; }

   private:
    Growing buffer_;
    std::ostream stream_{&buffer_};
  };
  struct Scratch {
    Reading buffer;
    std::istream stream{&buffer};
  };

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
    scratch.buffer.open(in);
    cereal::BinaryInputArchive archive(scratch.stream);
    T value{};
    archive(value);
    if (!scratch.buffer.at_end()) throw serbench::malformed("bytes left over");
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("cereal", "BSD-3-Clause", Cereal)

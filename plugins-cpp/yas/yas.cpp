// yas: its binary archive, and its compacted one, through the functions `serialize` of its guide.
#include <serbench/datasets.hpp>
#include <yas/binary_iarchive.hpp>
#include <yas/binary_oarchive.hpp>
#include <yas/mem_streams.hpp>
#include <yas/serialize.hpp>
#include <yas/std_types.hpp>
#include <yas/version.hpp>

namespace yas {

template <class Archive, class T>
std::enable_if_t<serbench::is_record<T> || serbench::is_tuple<T>> serialize(Archive &archive,
                                                                            T &value) {
  serbench::visit_fields(value, [&](auto, auto &member) { archive &member; });
}
template <class Archive, class T>
std::enable_if_t<serbench::is_record<T> || serbench::is_tuple<T>> serialize(Archive &archive,
                                                                            const T &value) {
  serbench::visit_fields(value, [&](auto, const auto &member) { archive &member; });
}

template <class Archive, class T>
std::enable_if_t<serbench::is_variants<T>> serialize(Archive &archive, T &value) {
  archive &value.value;
}
template <class Archive, class T>
std::enable_if_t<serbench::is_variants<T>> serialize(Archive &archive, const T &value) {
  archive &value.value;
}

template <class Archive, class T>
void serialize(Archive &archive, serbench::Tensor<T> &value) {
  archive &value.shape &value.data;
}
template <class Archive, class T>
void serialize(Archive &archive, const serbench::Tensor<T> &value) {
  archive &value.shape &value.data;
}

}  // namespace yas

namespace {

template <std::size_t Flags>
struct Yas : serbench::Codec {
  static constexpr bool self_describing = false;
  static constexpr std::size_t flags = yas::mem | yas::no_header | Flags;

  /// A new stream for every call, in the memory of the one before.
  class Buffer {
   public:
    void clear() {
      yas::shared_buffer room = stream_.get_shared_buffer();
      room_size_ = std::max(room_size_, room.size);
      if (room.size != 0) stream_ = yas::mem_ostream(yas::shared_buffer(room.data, room_size_));
    }
    const char *data() const { return stream_.get_intrusive_buffer().data; }
    std::size_t size() const { return stream_.get_intrusive_buffer().size; }

    yas::mem_ostream &stream() { return stream_; }

   private:
    std::size_t room_size_ = 4096;
    yas::mem_ostream stream_{room_size_};
  };

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = (Flags & yas::compacted) != 0 ? "yas/compacted" : "yas";
    info.format = "yas binary";
    info.library = "yas";
    info.library_version = YAS_VERSION_STRING;
    info.notes = "allocates as much as a length in the input asks for";
    info.validation = SERBENCH_TRUSTED;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    yas::binary_oarchive<yas::mem_ostream, flags> archive(out.stream());
    archive &value;
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &) {
    yas::mem_istream stream(in.chars(), in.size);
    yas::binary_iarchive<yas::mem_istream, flags> archive(stream);
    T value{};
    archive &value;
    if (stream.available() != 0) throw serbench::malformed("bytes left over");
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("yas", "BSL-1.0", Yas<yas::binary>, Yas<yas::binary | yas::compacted>)

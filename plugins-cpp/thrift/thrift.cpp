// Apache Thrift: its binary and its compact protocol over a memory buffer that is kept. Structs are
// read and written by the calls that code generated with `cpp:templates` makes.
#include <thrift/config.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include "structs.hpp"

namespace {

using apache::thrift::protocol::TBinaryProtocolT;
using apache::thrift::protocol::TCompactProtocolT;
using apache::thrift::transport::TMemoryBuffer;
using thrift_structs::Reader;
using thrift_structs::Writer;

template <class Protocol_>
struct Thrift : serbench::Codec {
  static constexpr bool self_describing = false;
  using Protocol = typename Protocol_::Type;

  class Buffer {
   public:
    void clear() { memory->resetBuffer(); }
    const std::uint8_t *data() const { return written().first; }
    std::size_t size() const { return written().second; }

    std::shared_ptr<TMemoryBuffer> memory = std::make_shared<TMemoryBuffer>();
    Protocol protocol{memory};
    std::string bytes;

   private:
    std::pair<const std::uint8_t *, std::uint32_t> written() const {
      std::uint8_t *first = nullptr;
      std::uint32_t size = 0;
      memory->getBuffer(&first, &size);
      return {first, size};
    }
  };
  struct Scratch {
    std::shared_ptr<TMemoryBuffer> memory = std::make_shared<TMemoryBuffer>();
    std::string bytes;
  };

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = Protocol_::id;
    info.format = Protocol_::format;
    info.library = "thrift";
    info.library_version = PACKAGE_VERSION;
    info.notes =
        "unsigned integers are signed ones of the same width, f32 is a double, lists of u8 are "
        "binary, which the library takes in a std::string only; text is not checked to be UTF-8";
    info.capabilities |= SERBENCH_CAP_LENIENT;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    Writer<Protocol>{out.protocol, out.bytes}.root(value);
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &scratch) {
    if (in.size > INT32_MAX) throw serbench::malformed("Thrift sizes have 31 bits");
    const auto size = static_cast<std::int32_t>(in.size);
    TMemoryBuffer &memory = *scratch.memory;
    memory.resetBuffer(const_cast<std::uint8_t *>(in.data), static_cast<std::uint32_t>(size));
    memory.readEnd();  // forgets how much was read of the input before
    memory.updateKnownMessageSize(size);
    // Made anew, as one that failed is left within a struct. No length above the limits is
    // believed.
    Protocol protocol = Protocol_::reading(scratch.memory, size);
    T value{};
    Reader<Protocol>{protocol, memory, scratch.bytes}.root(value);
    if (memory.available_read() != 0) throw serbench::malformed("bytes left over");
    return value;
  }
};

struct Binary {
  using Type = TBinaryProtocolT<TMemoryBuffer>;
  static constexpr auto id = "thrift", format = "Thrift binary";
  static Type reading(const std::shared_ptr<TMemoryBuffer> &memory, std::int32_t limit) {
    return Type(memory, limit, limit, false, true);
  }
};
struct Compact {
  using Type = TCompactProtocolT<TMemoryBuffer>;
  static constexpr auto id = "thrift/compact", format = "Thrift compact";
  static Type reading(const std::shared_ptr<TMemoryBuffer> &memory, std::int32_t limit) {
    return Type(memory, limit, limit);
  }
};

}  // namespace

SERBENCH_PLUGIN("thrift", "Apache-2.0", Thrift<Binary>, Thrift<Compact>)

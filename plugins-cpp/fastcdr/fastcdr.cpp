// Fast CDR: the serializer of DDS. Fields in order, aligned to their size, in a buffer that grows
// and is kept between calls.
#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>
#include <fastcdr/config.h>

#include <serbench/datasets.hpp>

namespace {

using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;
using serbench::malformed;

std::uint32_t length(std::size_t size) {
  if (size > UINT32_MAX) throw serbench::unsupported("CDR lengths have 32 bits");
  return static_cast<std::uint32_t>(size);
}

/// Elements that the library copies in one go.
template <class T>
constexpr bool is_bulk = serbench::is_scalar<T> && !std::is_same_v<T, bool>;

template <class T>
void put(Cdr &cdr, const T &value) {
  if constexpr (serbench::is_scalar<T>) {
    cdr.serialize(value);
  } else if constexpr (serbench::is_string<T>) {
    if (value.find('\0') != value.npos) throw serbench::unsupported("CDR strings end at a zero");
    cdr.serialize(value);
  } else if constexpr (serbench::is_bytes<T>) {
    cdr.serialize(length(value.size()));
    cdr.serializeArray(reinterpret_cast<const std::uint8_t *>(value.data()), value.size());
  } else if constexpr (serbench::is_list<T> || serbench::is_array<T>) {
    if constexpr (serbench::is_list<T>) cdr.serialize(length(value.size()));
    if constexpr (is_bulk<typename T::value_type>) {
      cdr.serializeArray(value.data(), value.size());
    } else {
      for (const auto &e : value) put<typename T::value_type>(cdr, e);
    }
  } else if constexpr (serbench::is_option<T>) {
    cdr.serialize(value.has_value());
    if (value) put(cdr, *value);
  } else if constexpr (serbench::is_map<T>) {
    cdr.serialize(length(value.size()));
    for (const auto &entry : value) {
      put(cdr, entry.first);
      put(cdr, entry.second);
    }
  } else if constexpr (serbench::is_tensor<T>) {
    put(cdr, value.shape);
    put(cdr, value.data);
  } else if constexpr (serbench::is_record<T> || serbench::is_tuple<T>) {
    serbench::visit_fields(value, [&](auto, const auto &member) { put(cdr, member); });
  } else {
    cdr.serialize(static_cast<std::uint32_t>(serbench::variant_index(value)));
    if constexpr (serbench::is_variants<T>) {
      serbench::visit_payload(value, [&](const auto &payload) {
        if constexpr (!serbench::is_monostate<std::decay_t<decltype(payload)>>) put(cdr, payload);
      });
    }
  }
}

class Source {
 public:
  Source(Cdr &cdr, std::size_t size) : cdr_(cdr), size_(size) {}

  template <class T>
  void get(T &value) {
    if constexpr (serbench::is_scalar<T>) {
      cdr_.deserialize(value);
    } else if constexpr (serbench::is_string<T>) {
      cdr_.deserialize(value);
    } else if constexpr (serbench::is_bytes<T>) {
      value.resize(count(1));
      cdr_.deserializeArray(reinterpret_cast<std::uint8_t *>(value.data()), value.size());
    } else if constexpr (serbench::is_list<T>) {
      get_list(value);
    } else if constexpr (serbench::is_array<T>) {
      if constexpr (is_bulk<typename T::value_type>) {
        cdr_.deserializeArray(value.data(), value.size());
      } else {
        for (auto &element : value) get(element);
      }
    } else if constexpr (serbench::is_option<T>) {
      bool present = false;
      cdr_.deserialize(present);
      value.reset();
      if (present) get(value.emplace());
    } else if constexpr (serbench::is_map<T>) {
      for (std::size_t left = count(4); left != 0; --left) {
        std::string key;
        get(key);
        get(value[std::move(key)]);
      }
    } else if constexpr (serbench::is_tensor<T>) {
      get(value.shape);
      get(value.data);
      using E = typename decltype(value.data)::value_type;
      serbench::detail::element_count<E>(value.shape, value.data.size() * sizeof(E));
    } else if constexpr (serbench::is_record<T> || serbench::is_tuple<T>) {
      serbench::visit_fields(value, [&](auto, auto &member) { get(member); });
    } else {
      get_enum(value);
    }
  }

 private:
  /// A count whose elements take at least `min_size` bytes each.
  std::size_t count(std::size_t min_size) {
    std::uint32_t count = 0;
    cdr_.deserialize(count);
    if (count > (size_ - cdr_.getSerializedDataLength()) / min_size) {
      throw malformed("a length that cannot be");
    }
    return count;
  }

  template <class T>
  void get_list(std::vector<T> &list) {
    const std::size_t size = count(1);
    list.clear();
    if constexpr (is_bulk<T>) {
      if (size > size_ / sizeof(T)) throw malformed("a length that cannot be");
      list.resize(size);
      cdr_.deserializeArray(list.data(), size);
    } else {
      // More than the input's size explains is not set aside before it is there.
      list.reserve(std::min(size, 64 * size_ / sizeof(T)));
      for (std::size_t i = 0; i < size; ++i) {
        serbench::append(list, [&](auto &element) { get(element); });
      }
    }
  }

  template <class T>
  void get_enum(T &value) {
    std::uint32_t index = 0;
    cdr_.deserialize(index);
    if (index >= serbench::variant_count<T>) throw malformed("an unknown variant");
    if constexpr (serbench::is_unit_enum<T>) {
      value = static_cast<T>(index);
    } else {
      serbench::emplace_payload(value, index, [&](auto &payload) {
        if constexpr (!serbench::is_monostate<std::decay_t<decltype(payload)>>) get(payload);
      });
    }
  }

  Cdr &cdr_;
  std::size_t size_;
};

struct FastCdr : serbench::Codec {
  static constexpr bool self_describing = false;
  class Buffer {
   public:
    void clear() { cdr.reset(); }
    const char *data() { return buffer.getBuffer(); }
    std::size_t size() const { return cdr.getSerializedDataLength(); }

    FastBuffer buffer;
    Cdr cdr{buffer};
  };

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "fastcdr";
    info.format = "CDR";
    info.library = "fastcdr";
    info.library_version = FASTCDR_VERSION_STR;
    info.notes =
        "an option is a bool and its value, a variant its number and its value; padding "
        "bytes keep what the buffer held; text is not checked to be UTF-8";
    info.capabilities |= SERBENCH_CAP_NONDETERMINISTIC | SERBENCH_CAP_LENIENT;
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    put(out.cdr, value);
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &) {
    FastBuffer buffer(const_cast<char *>(in.chars()), in.size);
    Cdr cdr(buffer);
    T value{};
    Source(cdr, in.size).get(value);
    if (cdr.getSerializedDataLength() != in.size) throw malformed("bytes left over");
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("fastcdr", "Apache-2.0", FastCdr)

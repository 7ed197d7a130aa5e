// The structs and the descriptors that nanopb's generator writes for a message whose strings, bytes
// and lists have the type FT_POINTER, made from the generated type instead of from a .proto file.
// All that encodes and decodes is in the library, and goes by the descriptors.
#pragma once

#include <pb.h>

#include "../shared/proto3.hpp"

namespace messages {

template <class M, class = void>
struct Message;

template <class S>
constexpr auto storage_of() {
  if constexpr (std::is_integral_v<S> && sizeof(S) < 4 && !std::is_same_v<S, bool>) {
    return proto3::Named<std::conditional_t<std::is_signed_v<S>, std::int32_t, std::uint32_t>>{};
  } else if constexpr (serbench::is_scalar<S>) {
    return proto3::Named<S>{};
  } else if constexpr (serbench::is_unit_enum<S>) {
    return proto3::Named<std::uint32_t>{};
  } else if constexpr (serbench::is_string<S>) {
    return proto3::Named<char *>{};
  } else if constexpr (serbench::is_binary<S>) {
    return proto3::Named<pb_bytes_array_t *>{};
  } else {
    return proto3::Named<Message<S>>{};
  }
}

/// The C type of a single value: messages are inline.
template <class S>
using Storage = typename decltype(storage_of<S>())::Type;

template <class S>
constexpr bool is_pointer = std::is_pointer_v<Storage<S>>;

template <class S, class = void>
struct One {
  using Type = S;
  Storage<S> value;
};
template <class S>
struct One<S, std::enable_if_t<proto3::is_message<S>()>> {
  using Type = S;
  bool has;
  Storage<S> value;
};
template <class S>
struct Optional {
  using Type = S;
  bool has;  // of strings and bytes, the pointer tells
  Storage<S> value;
};
template <class S>
struct Repeated {
  using Type = S;
  pb_size_t count;
  Storage<S> *values;
};

}  // namespace messages

#include "../shared/proto3_slots.hpp"

namespace messages {

template <class M, class>
struct Message {
  Slots<M> fields;
};

template <class... S>
struct Room {
  static constexpr std::size_t size = std::max({sizeof(Storage<S>)...});
  alignas(Storage<S>...) unsigned char bytes[size];
};
template <class... S>
Room<S...> room_of(serbench::TypeList<S...>);

/// A oneof: the number of the field that there is, and a union.
template <class M>
struct Message<M, std::enable_if_t<serbench::is_variants<M>>> {
  pb_size_t which;
  decltype(room_of(proto3::Alternatives<M>{})) room;

  template <class S>
  Storage<S> &value() {
    return reinterpret_cast<Storage<S> &>(room);
  }
  template <class S>
  const Storage<S> &value() const {
    return reinterpret_cast<const Storage<S> &>(room);
  }
};

template <class M>
const pb_msgdesc_t *descriptor();

template <class S>
constexpr pb_type_t type_of() {
  if constexpr (std::is_same_v<S, bool>) {
    return PB_LTYPE_BOOL;
  } else if constexpr (std::is_floating_point_v<S>) {
    return sizeof(S) == 4 ? PB_LTYPE_FIXED32 : PB_LTYPE_FIXED64;
  } else if constexpr (std::is_integral_v<S>) {
    return std::is_signed_v<S> ? PB_LTYPE_SVARINT : PB_LTYPE_UVARINT;
  } else if constexpr (serbench::is_unit_enum<S>) {
    return PB_LTYPE_UVARINT;
  } else if constexpr (serbench::is_string<S>) {
    return PB_LTYPE_STRING;
  } else if constexpr (serbench::is_binary<S>) {
    return PB_LTYPE_BYTES;
  } else {
    return PB_LTYPE_SUBMESSAGE;
  }
}

namespace detail {

/// The tables of one descriptor.
class Tables {
 public:
  template <class S>
  [[gnu::cold]] void add(const void *message, pb_type_t kind, const void *place,
                         const void *presence) {
    using Pointed = std::remove_pointer_t<Storage<S>>;
    const bool repeated = (kind & PB_HTYPE_MASK) == PB_HTYPE_REPEATED;
    const pb_type_t pointer = repeated || is_pointer<S> ? PB_ATYPE_POINTER : PB_ATYPE_STATIC;
    const auto type = static_cast<pb_type_t>(type_of<S>() | kind | pointer);
    const auto offset = static_cast<std::uint32_t>(distance(place, message));
    const auto before = presence == nullptr ? 0 : distance(place, presence);
    const std::uint32_t size = repeated ? sizeof(Storage<S>) : sizeof(Pointed);
    static_assert(sizeof(Storage<S>) <= PB_SIZE_MAX, "a struct that the library cannot describe");
    const std::uint32_t tag = ++tag_;
    const std::uint32_t words[] = {PB_FIELDINFO_8(tag, type, offset, size, before, 1)};
    info.insert(info.end(), std::begin(words), std::end(words));
    if constexpr (proto3::is_message<S>()) messages.push_back(descriptor<S>());
  }

  pb_size_t count() const { return static_cast<pb_size_t>(tag_); }

  std::vector<std::uint32_t> info;
  std::vector<const pb_msgdesc_t *> messages;

 private:
  static std::ptrdiff_t distance(const void *to, const void *from) {
    return static_cast<const char *>(to) - static_cast<const char *>(from);
  }

  std::uint32_t tag_ = 0;
};

template <class S>
void describe(Tables &tables, const void *message, const One<S> &slot) {
  const void *presence = nullptr;
  if constexpr (proto3::is_message<S>()) presence = &slot.has;
  tables.add<S>(message, PB_HTYPE_SINGULAR, &slot.value, presence);
}

template <class S>
void describe(Tables &tables, const void *message, const Optional<S> &slot) {
  tables.add<S>(message, PB_HTYPE_OPTIONAL, &slot.value, is_pointer<S> ? nullptr : &slot.has);
}

template <class S>
void describe(Tables &tables, const void *message, const Repeated<S> &slot) {
  tables.add<S>(message, PB_HTYPE_REPEATED, &slot.values, &slot.count);
}

template <class M, class... A>
void describe_oneof(Tables &tables, const Message<M> &message, serbench::TypeList<A...>) {
  (tables.add<A>(&message, PB_HTYPE_ONEOF, &message.room, &message.which), ...);
}

template <class M, std::size_t... I>
void describe_all(Tables &tables, const Message<M> &message, std::index_sequence<I...>) {
  (describe(tables, &message, proto3::member<I>(message.fields)), ...);
}

template <class M>
[[gnu::cold]] Tables tables_of() {
  Tables tables;
  const auto message = std::make_unique<Message<M>>();
  if constexpr (serbench::is_variants<M>) {
    describe_oneof(tables, *message, proto3::Alternatives<M>{});
  } else {
    describe_all(tables, *message, std::make_index_sequence<proto3::FieldTypes<M>::size>{});
  }
  return tables;
}

}  // namespace detail

/// A message's descriptor, made once.
template <class M>
const pb_msgdesc_t *descriptor() {
  static const detail::Tables tables = detail::tables_of<M>();
  static const pb_msgdesc_t made = {tables.info.data(),
                                    tables.messages.data(),
                                    nullptr,
                                    pb_default_field_callback,
                                    tables.count(),
                                    0,
                                    tables.count()};
  return &made;
}

// ---- What the walks need ------------------------------------------------------------------------

constexpr bool loses_negative_zero = false;

template <class M>
void init(Message<M> &message) {
  std::memset(static_cast<void *>(&message), 0, sizeof message);
}

template <class S>
Message<S> &open(Message<S> &place, proto3::Arena &) {
  return place;
}
template <class S>
const Message<S> &at(const Message<S> &place) {
  return place;
}

inline void store_bytes(pb_bytes_array_t *&place, std::string_view bytes, proto3::Arena &arena) {
  if (bytes.size() > PB_SIZE_MAX - sizeof(pb_bytes_array_t)) {
    throw serbench::unsupported("nanopb is built with sizes of 16 bits here: too many bytes");
  }
  place = static_cast<pb_bytes_array_t *>(arena.allocate(PB_BYTES_ARRAY_T_ALLOCSIZE(bytes.size())));
  place->size = static_cast<pb_size_t>(bytes.size());
  if (!bytes.empty()) std::memcpy(place->bytes, bytes.data(), bytes.size());
}
inline std::string_view text_of(const pb_bytes_array_t *bytes) {
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char *>(bytes->bytes), bytes->size};
}
inline std::string_view text_of(const char *text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

template <class Slot>
void set_present(Slot &slot) {
  slot.has = true;
}
template <class S>
bool is_present(const One<S> &slot) {
  return slot.has;
}
template <class S>
bool is_present(const Optional<S> &slot) {
  if constexpr (is_pointer<S>) {
    return slot.value != nullptr;
  } else {
    return slot.has;
  }
}

}  // namespace messages

// The way of values into these structs and back, and the codecs, which are the same for every such
// library.
#include "../shared/proto3_codecs.hpp"

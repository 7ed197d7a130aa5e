// The structs and the descriptors that protoc-c writes for a message, made from the generated type
// instead of from a .proto file. All that packs and unpacks is in the library, and goes by the
// descriptors.
#pragma once

#include <protobuf-c/protobuf-c.h>

#include "../shared/proto3.hpp"

namespace messages {

template <class M, class = void>
struct Message;

template <class S>
constexpr auto storage_of() {
  if constexpr (std::is_same_v<S, bool>) {
    return protobuf_c_boolean{};
  } else if constexpr (std::is_integral_v<S> && sizeof(S) < 4) {
    return std::conditional_t<std::is_signed_v<S>, std::int32_t, std::uint32_t>{};
  } else if constexpr (serbench::is_scalar<S>) {
    return S{};
  } else if constexpr (serbench::is_unit_enum<S>) {
    return int{};
  } else if constexpr (serbench::is_string<S>) {
    return static_cast<char *>(nullptr);
  } else if constexpr (serbench::is_binary<S>) {
    return ProtobufCBinaryData{};
  } else {
    return static_cast<Message<S> *>(nullptr);
  }
}

/// The C type of a single value.
template <class S>
using Storage = decltype(storage_of<S>());

template <class S>
struct One {
  using Type = S;
  Storage<S> value;
};
template <class S>
struct Optional {
  using Type = S;
  protobuf_c_boolean has;  // of strings and messages, the pointer tells
  Storage<S> value;
};
template <class S>
struct Repeated {
  using Type = S;
  std::size_t count;
  Storage<S> *values;
};

}  // namespace messages

#include "../shared/proto3_slots.hpp"

namespace messages {

template <class M, class>
struct Message {
  ProtobufCMessage base;
  Slots<M> fields;
};

/// A oneof: the number of the field that there is, and a union.
template <class M>
struct Message<M, std::enable_if_t<serbench::is_variants<M>>> {
  ProtobufCMessage base;
  int which;
  union {
    std::uint64_t number;
    void *pointer;
    ProtobufCBinaryData bytes;
  } room;

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
const ProtobufCMessageDescriptor *descriptor();

template <class S>
constexpr ProtobufCType type_of() {
  if constexpr (std::is_same_v<S, bool>) {
    return PROTOBUF_C_TYPE_BOOL;
  } else if constexpr (std::is_same_v<S, float>) {
    return PROTOBUF_C_TYPE_FLOAT;
  } else if constexpr (std::is_same_v<S, double>) {
    return PROTOBUF_C_TYPE_DOUBLE;
  } else if constexpr (std::is_integral_v<S>) {
    if (sizeof(S) == 8) {
      return std::is_signed_v<S> ? PROTOBUF_C_TYPE_SINT64 : PROTOBUF_C_TYPE_UINT64;
    }
    return std::is_signed_v<S> ? PROTOBUF_C_TYPE_SINT32 : PROTOBUF_C_TYPE_UINT32;
  } else if constexpr (serbench::is_unit_enum<S>) {
    return PROTOBUF_C_TYPE_ENUM;
  } else if constexpr (serbench::is_string<S>) {
    return PROTOBUF_C_TYPE_STRING;
  } else if constexpr (serbench::is_binary<S>) {
    return PROTOBUF_C_TYPE_BYTES;
  } else {
    return PROTOBUF_C_TYPE_MESSAGE;
  }
}

namespace detail {

/// What is the same for every field that holds an S.
template <class S>
[[gnu::cold]] ProtobufCFieldDescriptor field(std::size_t index, ProtobufCLabel label) {
  ProtobufCFieldDescriptor field{};
  field.name = "";
  field.id = static_cast<std::uint32_t>(index + 1);
  field.label = label;
  field.type = type_of<S>();
  if constexpr (proto3::is_message<S>()) field.descriptor = descriptor<S>();
  return field;
}

template <class M>
unsigned offset(const M &message, const void *part) {
  return static_cast<unsigned>(static_cast<const char *>(part) -
                               reinterpret_cast<const char *>(&message));
}

template <class M, class S>
[[gnu::cold]] ProtobufCFieldDescriptor describe(const M &message, const One<S> &slot,
                                                std::size_t index) {
  auto out = field<S>(index, PROTOBUF_C_LABEL_NONE);
  out.offset = offset(message, &slot.value);
  if constexpr (serbench::is_string<S>) out.default_value = protobuf_c_empty_string;
  return out;
}

template <class M, class S>
[[gnu::cold]] ProtobufCFieldDescriptor describe(const M &message, const Optional<S> &slot,
                                                std::size_t index) {
  auto out = field<S>(index, PROTOBUF_C_LABEL_OPTIONAL);
  out.offset = offset(message, &slot.value);
  if (out.type != PROTOBUF_C_TYPE_STRING && out.type != PROTOBUF_C_TYPE_MESSAGE) {
    out.quantifier_offset = offset(message, &slot.has);
  }
  return out;
}

template <class M, class S>
[[gnu::cold]] ProtobufCFieldDescriptor describe(const M &message, const Repeated<S> &slot,
                                                std::size_t index) {
  auto out = field<S>(index, PROTOBUF_C_LABEL_REPEATED);
  out.quantifier_offset = offset(message, &slot.count);
  out.offset = offset(message, &slot.values);
  if constexpr (serbench::is_scalar<S> || serbench::is_unit_enum<S>) {
    out.flags = PROTOBUF_C_FIELD_FLAG_PACKED;
  }
  return out;
}

template <class M, class... A>
[[gnu::cold]] std::vector<ProtobufCFieldDescriptor> oneof(const Message<M> &message,
                                                          serbench::TypeList<A...>) {
  std::vector<ProtobufCFieldDescriptor> fields;
  const auto add = [&](ProtobufCFieldDescriptor field) {
    field.quantifier_offset = offset(message, &message.which);
    field.offset = offset(message, &message.room);
    field.flags = PROTOBUF_C_FIELD_FLAG_ONEOF;
    fields.push_back(field);
  };
  (add(field<A>(fields.size(), PROTOBUF_C_LABEL_NONE)), ...);
  return fields;
}

template <class M, std::size_t... I>
[[gnu::cold]] std::vector<ProtobufCFieldDescriptor> all_fields(const Message<M> &message,
                                                               std::index_sequence<I...>) {
  return {describe(message, proto3::member<I>(message.fields), I)...};
}

template <class M>
[[gnu::cold]] std::vector<ProtobufCFieldDescriptor> describe_fields(const Message<M> &message) {
  if constexpr (serbench::is_variants<M>) {
    return oneof(message, proto3::Alternatives<M>{});
  } else {
    return all_fields(message, std::make_index_sequence<proto3::FieldTypes<M>::size>{});
  }
}

/// Sets what a message of zeros, which `base` begins, has before anything is set.
[[gnu::cold]] inline void set_defaults(ProtobufCMessage &base,
                                       const ProtobufCMessageDescriptor *descriptor) {
  base.descriptor = descriptor;
  for (unsigned i = 0; i < descriptor->n_fields; ++i) {
    const auto &field = descriptor->fields[i];
    if (field.default_value != nullptr) {
      std::memcpy(reinterpret_cast<char *>(&base) + field.offset, &field.default_value,
                  sizeof field.default_value);
    }
  }
}

/// A message as it is before anything is set.
template <class M>
const Message<M> &initial() {
  static const Message<M> message = [] {
    Message<M> empty{};
    set_defaults(empty.base, descriptor<M>());
    return empty;
  }();
  return message;
}

template <class M>
void init(ProtobufCMessage *message) {
  *reinterpret_cast<Message<M> *>(message) = initial<M>();
}

}  // namespace detail

namespace detail {

/// A descriptor, and what it refers to. Made cold, and by one function for all messages: it is
/// never timed.
struct Described {
  [[gnu::cold]] Described(std::vector<ProtobufCFieldDescriptor> of, std::size_t size,
                          ProtobufCMessageInit init)
      : fields(std::move(of)), ranges{{1, 0}, {0, static_cast<unsigned>(fields.size())}} {
    message.magic = PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC;
    message.name = message.short_name = message.c_name = message.package_name = "";
    message.sizeof_message = size;
    message.n_fields = static_cast<unsigned>(fields.size());
    message.fields = fields.data();
    message.n_field_ranges = fields.empty() ? 0 : 1;
    message.field_ranges = fields.empty() ? ranges + 1 : ranges;
    message.message_init = init;
  }

  std::vector<ProtobufCFieldDescriptor> fields;
  ProtobufCIntRange ranges[2];
  ProtobufCMessageDescriptor message{};
};

}  // namespace detail

/// A message's descriptor, made once.
template <class M>
const ProtobufCMessageDescriptor *descriptor() {
  static const detail::Described made(detail::describe_fields<M>(Message<M>{}), sizeof(Message<M>),
                                      &detail::init<M>);
  return &made.message;
}

// ---- What the walks need ------------------------------------------------------------------------

constexpr bool loses_negative_zero = true;

template <class M>
void init(Message<M> &message) {
  message = detail::initial<M>();
}

template <class S>
Message<S> &open(Storage<S> &place, proto3::Arena &arena) {
  place = static_cast<Message<S> *>(arena.allocate(sizeof(Message<S>)));
  return *place;
}
template <class S>
const Message<S> &at(const Storage<S> &place) {
  serbench::expect_present(place != nullptr, "a message");
  return *place;
}

inline void store_bytes(ProtobufCBinaryData &place, std::string_view bytes, proto3::Arena &) {
  auto *first = reinterpret_cast<const std::uint8_t *>(bytes.data());
  place = {bytes.size(), const_cast<std::uint8_t *>(first)};
}
inline std::string_view text_of(const ProtobufCBinaryData &bytes) {
  return {reinterpret_cast<const char *>(bytes.data), bytes.len};
}
inline std::string_view text_of(const char *text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

template <class S>
void set_present(One<S> &) {}
template <class S>
bool is_present(const One<S> &slot) {
  return slot.value != nullptr;
}
template <class S>
void set_present(Optional<S> &slot) {
  slot.has = 1;
}
template <class S>
bool is_present(const Optional<S> &slot) {
  if constexpr (std::is_pointer_v<Storage<S>>) {
    return slot.value != nullptr;
  } else {
    return slot.has != 0;
  }
}

}  // namespace messages

// The way of values into these structs and back, and the codecs, which are the same for every such
// library.
#include "../shared/proto3_codecs.hpp"

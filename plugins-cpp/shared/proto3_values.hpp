// The way of values into the structs of a library's messages, and out of them. Included behind what
// the library brings, in a namespace `messages`: the structs Message<M>, of the slots One<S>,
// Optional<S> and Repeated<S> for its fields, and
//   init<M>(Message<M> &)                     sets every field to its default
//   open(Storage<S> &, Arena &) -> Message &  the place for a message
//   at(const Storage<S> &) -> const Message & the message, or throws where there is none
//   store_bytes(Storage &, string_view, Arena &), text_of(const Storage &)
//   set_present(slot), is_present(slot)       of optional fields and of messages
//   loses_negative_zero                       whether it takes -0.0 for the default
#pragma once

#include <cmath>

#include "proto3.hpp"

namespace messages {

using proto3::Arena;
using serbench::malformed;

// ---- Filling: strings, bytes and lists that are alike on both sides are not copied --------------

template <class M, class N>
void fill(const N &native, Message<M> &message, Arena &arena);

template <class S, class N>
void put(const N &native, Storage<S> &place, Arena &arena) {
  if constexpr (serbench::is_scalar<S> || serbench::is_unit_enum<S>) {
    place = static_cast<Storage<S>>(native);
  } else if constexpr (serbench::is_string<S>) {
    place = proto3::c_string(native);
  } else if constexpr (serbench::is_binary<S>) {
    store_bytes(place, {reinterpret_cast<const char *>(native.data()), native.size()}, arena);
  } else {
    fill<S>(native, open<S>(place, arena), arena);
  }
}

template <class S, class N>
void put_slot(const N &native, One<S> &slot, Arena &arena) {
  if constexpr (std::is_floating_point_v<S> && loses_negative_zero) {
    if (native == 0 && std::signbit(native)) {
      throw serbench::unsupported("a negative zero is left out as if it were the default");
    }
  }
  if constexpr (serbench::is_string<S> || serbench::is_binary<S>) {
    if (native.empty()) return;
  }
  if constexpr (proto3::is_message<S>()) set_present(slot);
  put<S>(native, slot.value, arena);
}

template <class S, class N>
void put_slot(const N &native, Optional<S> &slot, Arena &arena) {
  if (!native) return;
  set_present(slot);
  put<S>(*native, slot.value, arena);
}

template <class S, class N>
void put_slot(const N &native, Repeated<S> &slot, Arena &arena) {
  using Element = typename N::value_type;
  using Count = decltype(slot.count);
  if (native.size() > std::numeric_limits<Count>::max()) {
    throw serbench::unsupported("more elements than the library counts");
  }
  slot.count = static_cast<Count>(native.size());
  if (slot.count == 0) return;
  if constexpr (serbench::is_scalar<S> && std::is_same_v<Element, Storage<S>> &&
                !std::is_same_v<S, bool>) {
    slot.values = const_cast<Storage<S> *>(native.data());
  } else {
    slot.values = static_cast<Storage<S> *>(arena.allocate(native.size() * sizeof(Storage<S>)));
    auto *at = slot.values;
    for (const auto &element : native) put<S, Element>(element, *at++, arena);
  }
}

template <class M, class N>
void fill(const N &native, Message<M> &message, Arena &arena) {
  init(message);
  if constexpr (serbench::is_variants<M>) {
    const std::size_t index = native.value.index();
    message.which = static_cast<decltype(message.which)>(index + 1);
    serbench::visit_payload(native, [&](const auto &payload) {
      using S = Single<std::decay_t<decltype(payload)>>;
      put<S>(payload, message.template value<S>(), arena);
    });
  } else {
    proto3::visit_members<M>(native, [&](auto index, const auto &member) {
      put_slot(member, proto3::member<index>(message.fields), arena);
    });
  }
}

// ---- Taking -------------------------------------------------------------------------------------

template <class M, class N>
void take(const Message<M> &message, N &native);

template <class S, class N>
void get(const Storage<S> &stored, N &native) {
  if constexpr (std::is_same_v<S, bool>) {
    native = stored != 0;
  } else if constexpr (serbench::is_scalar<S>) {
    native = serbench::narrow<S>(stored);
  } else if constexpr (serbench::is_unit_enum<S>) {
    native = serbench::enumerator<S>(stored, serbench::variant_count<S>, "an enum");
  } else if constexpr (serbench::is_string<S>) {
    native = text_of(stored);
  } else if constexpr (serbench::is_binary<S>) {
    serbench::assign_bytes(native, text_of(stored), "a byte string");
  } else {
    take<S>(at<S>(stored), native);
  }
}

template <class S, class N>
void get_slot(const One<S> &slot, N &native) {
  if constexpr (proto3::is_message<S>()) serbench::expect_present(is_present(slot), "a message");
  get<S>(slot.value, native);
}

template <class S, class N>
void get_slot(const Optional<S> &slot, N &native) {
  if (is_present(slot)) get<S>(slot.value, native.emplace());
}

template <class S, class N>
void get_slot(const Repeated<S> &slot, N &native) {
  if constexpr (serbench::is_map<N>) {
    for (std::size_t i = 0; i < slot.count; ++i) {
      const auto &entry = at<proto3::Entry<typename N::mapped_type>>(slot.values[i]).fields;
      get_slot(proto3::member<1>(entry),
               native[std::string(text_of(proto3::member<0>(entry).value))]);
    }
  } else if constexpr (serbench::is_array<N>) {
    serbench::expect_size(slot.count, native.size(), "an array");
    for (std::size_t i = 0; i < slot.count; ++i) get<S>(slot.values[i], native[i]);
  } else if constexpr (serbench::is_scalar<S> &&
                       std::is_same_v<typename N::value_type, Storage<S>>) {
    native.assign(slot.values, slot.values + slot.count);
  } else {
    native.reserve(slot.count);
    for (std::size_t i = 0; i < slot.count; ++i) {
      serbench::append(native, [&](auto &element) { get<S>(slot.values[i], element); });
    }
  }
}

template <class M, class N>
void take(const Message<M> &message, N &native) {
  if constexpr (serbench::is_variants<M>) {
    const auto index = static_cast<std::size_t>(message.which) - 1;
    if (index >= serbench::variant_count<M>) throw malformed("a oneof without a value");
    serbench::emplace_payload(native, index, [&](auto &payload) {
      using S = Single<std::decay_t<decltype(payload)>>;
      get<S>(message.template value<S>(), payload);
    });
  } else {
    proto3::visit_members<M>(native, [&](auto index, auto &member) {
      get_slot(proto3::member<index>(message.fields), member);
    });
    if constexpr (serbench::is_tensor<M>) serbench::expect_elements(native);
  }
}

// ---- What codecs hold ---------------------------------------------------------------------------

template <class T>
using MessageOf = Message<proto3::Root<T>>;

/// A struct, and the message whose strings and lists refer to it.
template <class T>
class Filled {
 public:
  explicit Filled(T &&value) : native_(std::make_unique<const T>(std::move(value))) {
    try {
      fill(*native_, message_, *arena_);
    } catch (const serbench::Error &error) {
      refusal_ = error.what();  // for this value alone
    }
  }

  const MessageOf<T> &message() const {
    if (!refusal_.empty()) throw serbench::unsupported(refusal_);
    return message_;
  }

 private:
  std::unique_ptr<const T> native_;
  std::unique_ptr<Arena> arena_ = std::make_unique<Arena>();
  MessageOf<T> message_;
  std::string refusal_;
};

/// The output, and the memory that messages are built in.
struct Workshop : proto3::Output {
  Arena arena;
};

}  // namespace messages

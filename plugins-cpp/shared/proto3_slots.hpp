// What stands in a message's struct for each of its fields. Included behind what the library
// brings, in a namespace `messages`: the slots One<S>, Optional<S> and Repeated<S>.
#pragma once

#include "proto3.hpp"

namespace messages {

using proto3::Single;

template <class F>
constexpr auto slot_of() {
  if constexpr (serbench::is_option<F>) {
    return proto3::Named<Optional<Single<typename F::value_type>>>{};
  } else if constexpr (serbench::is_map<F>) {
    return proto3::Named<Repeated<proto3::Entry<typename F::mapped_type>>>{};
  } else if constexpr (serbench::is_sequence<F>) {
    return proto3::Named<Repeated<Single<typename F::value_type>>>{};
  } else {
    return proto3::Named<One<F>>{};
  }
}

template <class F>
using Slot = typename decltype(slot_of<F>())::Type;

template <class... F>
proto3::Members<Slot, F...> slots_of(serbench::TypeList<F...>);

/// The slots of a message's fields, one after the other.
template <class M>
using Slots = decltype(slots_of(proto3::FieldTypes<M>{}));

}  // namespace messages

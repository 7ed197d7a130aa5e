// Reading a message where it stands, in the order of the type that it was made from.
#pragma once

#include "proto3_values.hpp"

namespace messages {

template <class M, class Sink>
void visit(Sink &sink, const Message<M> &message);

/// A single value, which stands for an F.
template <class F, class Sink>
void visit_single(Sink &sink, const Storage<F> &stored) {
  if constexpr (serbench::is_scalar<F>) {
    sink.scalar(static_cast<F>(stored));
  } else if constexpr (serbench::is_unit_enum<F>) {
    sink.variant(static_cast<std::uint32_t>(stored));
  } else if constexpr (serbench::is_string<F> || serbench::is_bytes<F>) {
    sink.blob(serbench::input_of(text_of(stored)));
  } else if constexpr (serbench::is_binary<F>) {
    const std::string_view bytes = text_of(stored);
    if constexpr (serbench::is_list<F>) sink.count(bytes.size());
    for (const char byte : bytes) sink.scalar(static_cast<std::uint8_t>(byte));
  } else {
    visit<F>(sink, at<F>(stored));
  }
}

/// A field that stands for an F.
template <class F, class S, class Sink>
void visit_slot(Sink &sink, const One<S> &slot) {
  if constexpr (proto3::is_message<S>()) serbench::expect_present(is_present(slot), "a message");
  visit_single<S>(sink, slot.value);
}

template <class F, class S, class Sink>
void visit_slot(Sink &sink, const Optional<S> &slot) {
  const bool present = is_present(slot);
  sink.present(present);
  if (present) visit_single<S>(sink, slot.value);
}

/// The entries of a map in ascending order of their keys, as the value has them: there are
/// libraries that write them in another.
template <class S>
std::vector<const Storage<S> *> sorted(const Repeated<S> &slot) {
  std::vector<const Storage<S> *> entries(slot.count);
  for (std::size_t i = 0; i < slot.count; ++i) entries[i] = &slot.values[i];
  const auto key = [](const Storage<S> *entry) {
    return text_of(proto3::member<0>(at<S>(*entry).fields).value);
  };
  std::sort(entries.begin(), entries.end(),
            [&](const auto *a, const auto *b) { return key(a) < key(b); });
  return entries;
}

template <class F, class S, class Sink>
void visit_slot(Sink &sink, const Repeated<S> &slot) {
  if constexpr (!serbench::is_array<F>) sink.count(slot.count);
  if constexpr (serbench::is_map<F>) {
    for (const auto *entry : sorted(slot)) visit_single<S>(sink, *entry);
  } else {
    for (std::size_t i = 0; i < slot.count; ++i) visit_single<S>(sink, slot.values[i]);
  }
}

template <class M, class Sink, class... F, std::size_t... I>
void visit_all(Sink &sink, const Message<M> &message, serbench::TypeList<F...>,
               std::index_sequence<I...>) {
  (visit_slot<F>(sink, proto3::member<I>(message.fields)), ...);
}

template <class S>
auto elements_of(const Repeated<S> &slot) {
  return std::pair(slot.values, static_cast<std::size_t>(slot.count));
}
inline auto elements_of(const One<std::vector<std::uint8_t>> &slot) {
  const std::string_view bytes = text_of(slot.value);
  return std::pair(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
}

template <class E, class Sink>
void visit_tensor(Sink &sink, const Message<serbench::Tensor<E>> &message) {
  visit_slot<std::vector<std::uint32_t>>(sink, proto3::member<0>(message.fields));
  const auto [first, count] = elements_of(proto3::member<1>(message.fields));
  const auto at = [first = first](std::size_t i) { return static_cast<E>(first[i]); };
  sink.template elements<E>(count, at);
}

template <class M, class Sink>
void visit(Sink &sink, const Message<M> &message) {
  if constexpr (serbench::is_variants<M>) {
    const auto index = static_cast<std::size_t>(message.which) - 1;
    if (index >= serbench::variant_count<M>) throw malformed("a oneof without a value");
    sink.variant(static_cast<std::uint32_t>(index));
    proto3::with_alternative(index, proto3::Alternatives<M>{}, [&](auto type) {
      using S = typename decltype(type)::Type;
      if constexpr (!serbench::is_monostate<S>) visit_single<S>(sink, message.template value<S>());
    });
  } else if constexpr (serbench::is_tensor<M>) {
    visit_tensor(sink, message);
  } else {
    using Types = proto3::FieldTypes<M>;
    visit_all<M>(sink, message, Types{}, std::make_index_sequence<Types::size>{});
  }
}

}  // namespace messages

/*
 * serbench/view.hpp - decoded values that stay in their bytes: fields are decoded when they are
 * read.
 *
 * A codec whose library looks values up lazily has, instead of T,
 *   template <class T> using Decoded = serbench::View<T, MyReader>;
 * where MyReader is a Reader as in wire.hpp whose objects have find(), and whose arrays know their
 * size. Where objects have get(key), too, that is asked for what must be there; it throws
 * otherwise. `read` and `export` then walk the schema of T and ask the reader for every field.
 */
#ifndef SERBENCH_VIEW_HPP
#define SERBENCH_VIEW_HPP

#include "wire.hpp"

namespace serbench {

/// A T that is read by a Reader when it is asked for.
template <class T, class Reader>
struct View {
  Reader reader;
};

template <class T, class Sink, class R>
void walk_view(Sink &sink, R &&in);

namespace detail {

template <class T>
struct Named {
  using type = T;
};

template <std::size_t I, class Variant, class F>
void with_alternative(std::size_t index, F &&f) {
  if constexpr (I < std::variant_size_v<Variant>) {
    using P = std::variant_alternative_t<I, Variant>;
    if (index != I) {
      with_alternative<I + 1, Variant>(index, f);
    } else if constexpr (!is_monostate<P>) {
      f(Named<P>{});
    }
  }
}

/// Calls `f` with the name of the type that variant number `index` of T carries, if it does.
template <class T, class F>
void with_payload(std::size_t index, F &&f) {
  with_alternative<0, decltype(T::value)>(index, f);
}

template <class O, class = void>
struct can_get : std::false_type {};
template <class O>
struct can_get<O, std::void_t<decltype(std::declval<O &>().get(std::string_view{}))>>
    : std::true_type {};

template <class F, class Sink>
void walk_absent(Sink &sink, F field) {
  check_absent(field);
  if constexpr (F::skip_default) {
    walk(sink, field.of(default_of<typename F::Owner>));
  } else {
    sink.present(false);
  }
}

template <class T, class Sink, class O>
void walk_members(Sink &sink, O &object) {
  for_each_field<T>([&](auto field) {
    using F = decltype(field);
    if constexpr (can_get<O>::value && !F::skip_default && !is_option<typename F::Type>) {
      walk_view<typename F::Type>(sink, object.get(field.name));
    } else if (auto found = object.find(field.name)) {
      walk_view<typename F::Type>(sink, *found);
    } else {
      walk_absent(sink, field);
    }
  });
}

template <class E, class Sink, class R>
void walk_tensor(Sink &sink, R &in) {
  auto array = in.array();
  if (expect_next(array).template scalar<std::int32_t>() != dtype<E>()) {
    reject("a tensor of another element type");
  }
  std::vector<std::uint32_t> shape;
  read(expect_next(array), shape);
  walk(sink, shape);
  expect_next(array).blob([&](Input bytes) {
    const auto at = [&](std::size_t i) { return load_le<E>(bytes.data + i * sizeof(E)); };
    sink.template elements<E>(element_count<E>(shape, bytes.size), at);
  });
  expect_done(array);
}

template <class T, class Sink, class R>
void walk_tagged(Sink &sink, R &in) {
  if constexpr (is_unit_enum<T>) {
    sink.variant(expect_variant<T>(in.text()));
  } else if (in.is_text()) {
    const std::size_t index = expect_variant<T>(in.text());
    sink.variant(index);
    with_payload<T>(index, [](auto) { reject("a variant lacks its payload"); });
  } else {
    auto object = in.object();
    if (object.done()) reject("an enum without a variant");
    const std::size_t index = expect_variant<T>(object.key());
    sink.variant(index);
    with_payload<T>(
        index, [&](auto type) { walk_view<typename decltype(type)::type>(sink, object.next()); });
  }
}

template <class T, class Sink, class R>
void walk_internally_tagged(Sink &sink, R &in) {
  auto object = in.object();
  const std::size_t index = expect_variant<T>(read_tag(object, Meta<T>::tag));
  sink.variant(index);
  if constexpr (is_variants<T>) {
    with_payload<T>(index, [&](auto type) {
      using P = typename decltype(type)::type;
      if constexpr (is_record<P>) walk_members<P>(sink, object);
    });
  }
}

}  // namespace detail

/// Feeds a value that is still in its bytes to a sink.
template <class T, class Sink, class R>
void walk_view(Sink &sink, R &&in) {
  using Reader = std::remove_reference_t<R>;
  if constexpr (is_scalar<T>) {
    sink.scalar(in.template scalar<T>());
  } else if constexpr (is_string<T>) {
    const std::string_view text = in.text();
    sink.blob({reinterpret_cast<const std::uint8_t *>(text.data()), text.size()});
  } else if constexpr (is_bytes<T>) {
    in.blob([&](Input bytes) { sink.blob(bytes); });
  } else if constexpr (is_list<T>) {
    auto array = in.array();
    sink.count(array.size());
    while (!array.done()) walk_view<typename T::value_type>(sink, array.next());
  } else if constexpr (is_array<T>) {
    auto array = in.array();
    for (std::size_t i = 0; i < std::tuple_size_v<T>; ++i) {
      walk_view<typename T::value_type>(sink, detail::expect_next(array));
    }
    detail::expect_done(array);
  } else if constexpr (is_option<T>) {
    const bool present = !in.is_null();
    sink.present(present);
    if (present) walk_view<typename T::value_type>(sink, in);
  } else if constexpr (is_map<T>) {
    auto object = in.object();
    sink.count(object.size());
    while (!object.done()) {
      const std::string_view key = object.key();
      sink.blob({reinterpret_cast<const std::uint8_t *>(key.data()), key.size()});
      walk_view<typename T::mapped_type>(sink, object.next());
    }
  } else if constexpr (is_tensor<T>) {
    detail::walk_tensor<typename decltype(T::data)::value_type>(sink, in);
  } else if constexpr (is_tuple<T> || (is_record<T> && Reader::positional)) {
    auto array = in.array();
    for_each_field<T>([&](auto field) {
      walk_view<typename decltype(field)::Type>(sink, detail::expect_next(array));
    });
    detail::expect_done(array);
  } else if constexpr (is_record<T>) {
    auto object = in.object();
    detail::walk_members<T>(sink, object);
  } else if constexpr (Meta<T>::tag.empty()) {
    detail::walk_tagged<T>(sink, in);
  } else {
    detail::walk_internally_tagged<T>(sink, in);
  }
}

/// The checksum of a view.
template <class T, class R>
void fold(const View<T, R> &view, Checksum &sum) {
  walk_view<T>(sum, view.reader);
}

/// Appends the canonical encoding of a view.
template <class T, class R>
[[gnu::cold]] void encode(const View<T, R> &view, std::vector<std::uint8_t> &out) {
  Encoder encoder(out);
  walk_view<T>(encoder, view.reader);
}

}  // namespace serbench

#endif  // SERBENCH_VIEW_HPP

// The types of an application that uses cista: the library's own containers, for every type of a
// dataset, and the way between the two.
#ifndef SERBENCH_CISTA_NATIVE_HPP
#define SERBENCH_CISTA_NATIVE_HPP

#include <cista/serialization.h>

#include <serbench/datasets.hpp>

namespace serbench::cista_types {

namespace data = ::cista::offset;

/// What a variant without payload, or an absent option, holds.
struct Nothing {
  std::uint8_t zero;
};

/// Members as they lie in a struct. In a tuple alone they could not be: where its last element is a
/// tuple, too, the library's get() yields the first element of that one.
template <class... Members>
struct Record {
  ::cista::tuple<Members...> members;

  auto cista_members() { return std::tie(members); }
  template <std::size_t I>
  auto &get() {
    return ::cista::get<I>(members);
  }
  template <std::size_t I>
  const auto &get() const {
    return ::cista::get<I>(members);
  }
};

template <class T>
struct Is {
  using type = T;
};

template <class T>
constexpr auto native_of();

template <class T>
using Native = typename decltype(native_of<T>())::type;

template <class... Fields>
constexpr auto tuple_of(TypeList<Fields...>) {
  return Is<Record<Native<typename Fields::Type>...>>{};
}
constexpr auto tuple_of(TypeList<>) { return Is<Nothing>{}; }

template <class... Payloads>
constexpr auto variant_of(const std::variant<Payloads...> *) {
  return Is<::cista::variant<Native<Payloads>...>>{};
}

template <class T>
constexpr auto native_of() {
  if constexpr (is_scalar<T> || is_unit_enum<T>) {
    return Is<T>{};
  } else if constexpr (is_string<T>) {
    return Is<data::string>{};
  } else if constexpr (is_bytes<T> || is_list<T>) {
    return Is<data::vector<Native<typename T::value_type>>>{};
  } else if constexpr (is_array<T>) {
    return Is<std::array<Native<typename T::value_type>, std::tuple_size_v<T>>>{};
  } else if constexpr (is_option<T>) {
    // The library's own optional never destroys what it holds.
    return Is<::cista::variant<Nothing, Native<typename T::value_type>>>{};
  } else if constexpr (is_map<T>) {
    return Is<data::vector<Record<data::string, Native<typename T::mapped_type>>>>{};
  } else if constexpr (is_tensor<T>) {
    using E = typename decltype(T::data)::value_type;
    return Is<Record<data::vector<std::uint32_t>, data::vector<E>>>{};
  } else if constexpr (is_record<T> || is_tuple<T>) {
    return tuple_of(typename Meta<T>::Fields{});
  } else if constexpr (is_variants<T>) {
    return variant_of(static_cast<const decltype(T::value) *>(nullptr));
  } else if constexpr (std::is_same_v<T, std::byte>) {
    return Is<T>{};
  } else {
    static_assert(is_monostate<T>, "not a type of a dataset");
    return Is<Nothing>{};
  }
}

// ---- From the struct ---------------------------------------------------------------------------

/// Makes a value anew in memory of zeros: the library copies the padding of structs, too. Called
/// by a pointer that might change, or the compiler leaves it out.
template <class N>
void renew(N &place) {
  static void *(*volatile const fill_bytes)(void *, int, std::size_t) = std::memset;
  place.~N();
  fill_bytes(&place, 0, sizeof place);
  new (&place) N{};
}

template <class T>
void fill(const T &from, Native<T> &to);

template <class List, class N>
void fill_list(const List &from, data::vector<N> &to) {
  if (from.size() > UINT32_MAX) throw unsupported("cista's lengths have 32 bits");
  to.resize(static_cast<std::uint32_t>(from.size()));
  std::size_t i = 0;
  for (const auto &element : from) {
    if constexpr (std::is_class_v<N>) renew(to.begin()[i]);
    fill<typename List::value_type>(element, to.begin()[i++]);
  }
}

template <class T>
void fill_map(const T &from, Native<T> &to) {
  to.resize(static_cast<std::uint32_t>(from.size()));
  std::size_t i = 0;
  for (const auto &[key, value] : from) {
    auto &entry = to.begin()[i++];
    renew(entry);
    fill(key, entry.template get<0>());
    fill(value, entry.template get<1>());
  }
}

/// Makes `to` hold alternative number `index`, which `fill_in(alternative)` fills.
template <std::size_t I = 0, class Variant, class F>
void emplace(Variant &to, std::size_t index, F &&fill_in) {
  if constexpr (I < ::cista::variant_size_v<Variant>) {
    if (index == I) {
      auto &place = to.template emplace<I>();
      renew(place);
      fill_in(place);
    } else {
      emplace<I + 1>(to, index, fill_in);
    }
  }
}

template <class T>
void fill(const T &from, Native<T> &to) {
  if constexpr (is_string<T>) {
    to = data::string{from};
    // A short string has no length, but ends at the first zero byte.
    if (to.view() != from) throw unsupported("cista has no short strings with zero bytes in them");
  } else if constexpr (is_bytes<T> || is_list<T>) {
    fill_list(from, to);
  } else if constexpr (is_array<T>) {
    for (std::size_t i = 0; i < from.size(); ++i) fill(from[i], to[i]);
  } else if constexpr (is_option<T>) {
    if (from) {
      renew(to.template emplace<1>());
      fill(*from, ::cista::get<1>(to));
    } else {
      to.template emplace<0>();
    }
  } else if constexpr (is_map<T>) {
    fill_map(from, to);
  } else if constexpr (is_tensor<T>) {
    fill_list(from.shape, to.template get<0>());
    fill_list(from.data, to.template get<1>());
  } else if constexpr (is_record<T> || is_tuple<T>) {
    visit_fields(from, [&](auto field, const auto &member) {
      fill(member, to.template get<decltype(field)::index>());
    });
  } else if constexpr (is_variants<T>) {
    visit_payload(from, [&](const auto &payload) {
      using P = std::decay_t<decltype(payload)>;
      emplace(to, variant_index(from), [&](auto &place) {
        if constexpr (std::is_same_v<std::decay_t<decltype(place)>, Native<P>>) {
          fill(payload, place);
        }
      });
    });
  } else if constexpr (!is_monostate<T>) {
    to = from;
  }
}

// ---- Reading where it lies ---------------------------------------------------------------------

template <class T, class Sink>
void walk_native(Sink &sink, const Native<T> &value);

template <class T, class Sink>
void walk_tensor(Sink &sink, const Native<T> &value) {
  using E = typename decltype(T::data)::value_type;
  const auto &dims = value.template get<0>();
  const auto &elements = value.template get<1>();
  const std::vector<std::uint32_t> shape(dims.begin(), dims.end());
  walk(sink, shape);
  sink.template elements<E>(detail::element_count<E>(shape, elements.size() * sizeof(E)),
                            [&](std::size_t i) { return elements.begin()[i]; });
}

template <class Variant, class Sink, std::size_t... I>
void walk_payload(Sink &sink, const Native<Variant> &value, std::index_sequence<I...>) {
  using Payloads = decltype(Variant::value);
  const std::size_t index = value.index();
  ((index == I ? walk_native<std::variant_alternative_t<I, Payloads>>(sink, ::cista::get<I>(value))
               : void()),
   ...);
}

/// The byte of a bool, which may be any.
inline bool bool_of(const bool &value) {
  std::uint8_t byte;
  std::memcpy(&byte, &value, sizeof byte);
  if (byte > 1) throw malformed("a bool is 0 or 1");
  return byte == 1;
}

/// Feeds a value to a sink.
template <class T, class Sink>
void walk_native(Sink &sink, const Native<T> &value) {
  if constexpr (std::is_same_v<T, bool>) {
    sink.scalar(bool_of(value));
  } else if constexpr (is_scalar<T>) {
    sink.scalar(value);
  } else if constexpr (is_string<T>) {
    sink.blob({reinterpret_cast<const std::uint8_t *>(value.data()), value.size()});
  } else if constexpr (is_bytes<T>) {
    sink.blob({reinterpret_cast<const std::uint8_t *>(value.begin()), value.size()});
  } else if constexpr (is_list<T> || is_array<T>) {
    if constexpr (is_list<T>) sink.count(value.size());
    for (const auto &element : value) walk_native<typename T::value_type>(sink, element);
  } else if constexpr (is_option<T>) {
    sink.present(value.index() == 1);
    if (value.index() == 1) {
      walk_native<typename T::value_type>(sink, ::cista::get<1>(value));
    }
  } else if constexpr (is_map<T>) {
    sink.count(value.size());
    for (const auto &entry : value) {
      walk_native<std::string>(sink, entry.template get<0>());
      walk_native<typename T::mapped_type>(sink, entry.template get<1>());
    }
  } else if constexpr (is_tensor<T>) {
    walk_tensor<T>(sink, value);
  } else if constexpr (is_record<T> || is_tuple<T>) {
    for_each_field<T>([&](auto field) {
      using F = decltype(field);
      walk_native<typename F::Type>(sink, value.template get<F::index>());
    });
  } else if constexpr (is_unit_enum<T>) {
    const auto index = static_cast<std::size_t>(value);
    if (index >= variant_count<T>) throw malformed("an unknown variant");
    sink.variant(index);
  } else if constexpr (is_variants<T>) {
    sink.variant(value.index());
    walk_payload<T>(sink, value, std::make_index_sequence<variant_count<T>>{});
  }
}

}  // namespace serbench::cista_types

#endif  // SERBENCH_CISTA_NATIVE_HPP

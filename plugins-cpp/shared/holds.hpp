// Whether something is true of a type or of any type that its values hold: for what a library
// cannot carry wherever it stands.
#ifndef SERBENCH_SHARED_HOLDS_HPP
#define SERBENCH_SHARED_HOLDS_HPP

#include <serbench.hpp>

namespace serbench {

namespace detail {

template <template <class> class Is, class... Fields>
constexpr bool any_field_holds(TypeList<Fields...>);
template <template <class> class Is, class... Payloads>
constexpr bool any_payload_holds(const std::variant<Payloads...> *);

template <template <class> class Is, class T>
constexpr bool find_type() {
  if constexpr (Is<T>::value) {
    return true;
  } else if constexpr (is_list<T> || is_array<T> || is_option<T>) {
    return find_type<Is, typename T::value_type>();
  } else if constexpr (is_map<T>) {
    return find_type<Is, typename T::mapped_type>();
  } else if constexpr (is_record<T> || is_tuple<T>) {
    return any_field_holds<Is>(typename Meta<T>::Fields{});
  } else if constexpr (is_variants<T>) {
    return any_payload_holds<Is>(static_cast<const decltype(T::value) *>(nullptr));
  } else {
    return false;
  }
}

template <template <class> class Is, class... Fields>
constexpr bool any_field_holds(TypeList<Fields...>) {
  return (find_type<Is, typename Fields::Type>() || ...);
}
template <template <class> class Is, class... Payloads>
constexpr bool any_payload_holds(const std::variant<Payloads...> *) {
  return (find_type<Is, Payloads>() || ...);
}

template <class... Fields>
constexpr bool any_left_out(TypeList<Fields...>) {
  return (Fields::skip_default || ...);
}

}  // namespace detail

/// Whether Is<U>::value for T or for a type U that its values hold.
template <template <class> class Is, class T>
inline constexpr bool holds = detail::find_type<Is, T>();

/// A record with fields that are left out when they equal their default.
template <class T, class = void>
struct LeavesOut : std::false_type {};
template <class T>
struct LeavesOut<T, std::enable_if_t<is_record<T>>>
    : std::bool_constant<detail::any_left_out(typename Meta<T>::Fields{})> {};

}  // namespace serbench

#endif  // SERBENCH_SHARED_HOLDS_HPP

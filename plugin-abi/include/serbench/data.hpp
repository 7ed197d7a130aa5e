/*
 * serbench/data.hpp - what the generated C++ types of a dataset are made of.
 *
 * The types themselves are plain aggregates. What a codec must know beyond their members (names
 * on the wire, defaults, variants) stands beside them, in specialisations of Meta.
 */
#ifndef SERBENCH_DATA_HPP
#define SERBENCH_DATA_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace serbench {

/// A byte string; a list of u8 is a std::vector<std::uint8_t>.
using Bytes = std::vector<std::byte>;

/// String keys in ascending order of their bytes.
template <class T>
using Map = std::map<std::string, T, std::less<>>;

/// A shape and contiguous elements in row-major order.
template <class T>
struct Tensor {
  std::vector<std::uint32_t> shape;
  std::vector<T> data;
};

/// A list of types.
template <class... T>
struct TypeList {
  static constexpr std::size_t size = sizeof...(T);
};

/// What kind of named type a T is.
enum class Kind {
  none,     ///< not a generated type
  record,   ///< a struct: named fields
  tuple,    ///< positional elements
  unit,     ///< an enum whose variants carry nothing: `enum class`
  variants  ///< an enum with payloads: a struct around `std::variant value`
};

/// What is known of the generated type T. Specialisations have `kind` and `name`, and
///   record, tuple:   `Fields`, a TypeList of types derived from Field;
///   unit, variants:  `tag` (empty: tagged externally) and `variants`, the names on the wire.
template <class T>
struct Meta {
  static constexpr Kind kind = Kind::none;
};

/// A field, or an element of a tuple. The generated types derive from it and add its `name`.
template <std::size_t Index, auto Member, bool SkipDefault = false>
struct Field;

template <std::size_t Index, class Owner_, class Type_, Type_ Owner_::*Member, bool SkipDefault>
struct Field<Index, Member, SkipDefault> {
  using Owner = Owner_;
  using Type = Type_;
  static constexpr std::size_t index = Index;
  /// Left out, by formats that write names, when it equals its default.
  static constexpr bool skip_default = SkipDefault;

  static Type &of(Owner &owner) { return owner.*Member; }
  static const Type &of(const Owner &owner) { return owner.*Member; }
};

template <class T>
inline constexpr Kind kind_of = Meta<T>::kind;
template <class T>
inline constexpr bool is_record = kind_of<T> == Kind::record;
template <class T>
inline constexpr bool is_tuple = kind_of<T> == Kind::tuple;
template <class T>
inline constexpr bool is_unit_enum = kind_of<T> == Kind::unit;
template <class T>
inline constexpr bool is_variants = kind_of<T> == Kind::variants;
template <class T>
inline constexpr bool is_generated = kind_of<T> != Kind::none;

namespace detail {
template <class T, template <class...> class Template>
struct is_instance : std::false_type {};
template <template <class...> class Template, class... Args>
struct is_instance<Template<Args...>, Template> : std::true_type {};
template <class T>
struct is_std_array : std::false_type {};
template <class T, std::size_t N>
struct is_std_array<std::array<T, N>> : std::true_type {};

template <class F, class... Fields>
constexpr void for_each(F &&f, TypeList<Fields...>) {
  (f(Fields{}), ...);
}

// Not by way of for_each, which would cost the compiler a function more for every field.
template <class T, class F, class... Fields>
constexpr void visit_each([[maybe_unused]] T &value, [[maybe_unused]] F &&f, TypeList<Fields...>) {
  (f(Fields{}, Fields::of(value)), ...);
}
}  // namespace detail

template <class T>
inline constexpr bool is_scalar = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_string = std::is_same_v<T, std::string>;
template <class T>
inline constexpr bool is_bytes = std::is_same_v<T, Bytes>;
template <class T>
inline constexpr bool is_list = detail::is_instance<T, std::vector>::value && !is_bytes<T>;
template <class T>
inline constexpr bool is_array = detail::is_std_array<T>::value;
template <class T>
inline constexpr bool is_option = detail::is_instance<T, std::optional>::value;
template <class T>
inline constexpr bool is_map = detail::is_instance<T, std::map>::value;
template <class T>
inline constexpr bool is_tensor = detail::is_instance<T, Tensor>::value;
template <class T>
inline constexpr bool is_monostate = std::is_same_v<T, std::monostate>;

/// False, but only once T is known: for the last branch of an `if constexpr`.
template <class T>
inline constexpr bool always_false = false;

/// Calls `f(field)` for every field of the type, in order.
template <class T, class F>
constexpr void for_each_field(F &&f) {
  detail::for_each(f, typename Meta<T>::Fields{});
}

/// Calls `f(field, member)` for every field of a record or element of a tuple, in order.
template <class T, class F>
constexpr void visit_fields(T &value, F &&f) {
  detail::visit_each(value, f, typename Meta<std::remove_const_t<T>>::Fields{});
}

/// How many fields a record or tuple has.
template <class T>
inline constexpr std::size_t field_count = Meta<T>::Fields::size;

/// The value of a T that nobody has written to: its fields at their declared defaults.
template <class T>
inline const T default_of{};

namespace detail {
template <std::size_t I, class Variant, class F>
void emplace_at(Variant &value, std::size_t index, F &&f) {
  if constexpr (I < std::variant_size_v<Variant>) {
    if (index == I) {
      f(value.template emplace<I>());
    } else {
      emplace_at<I + 1>(value, index, f);
    }
  }
}

template <std::size_t I, class Variant, class F>
void visit_at(const Variant &value, F &&f) {
  if constexpr (I < std::variant_size_v<Variant>) {
    if (value.index() == I) {
      f(*std::get_if<I>(&value));
    } else {
      visit_at<I + 1>(value, f);
    }
  }
}
}  // namespace detail

/// Calls `f(payload)` with what the variant in `value` carries: std::monostate for a unit variant.
template <class T, class F>
void visit_payload(const T &value, F &&f) {
  detail::visit_at<0>(value.value, f);
}

/// Makes `value` hold variant number `index` (which exists) and calls `f(payload)`.
template <class T, class F>
void emplace_payload(T &value, std::size_t index, F &&f) {
  detail::emplace_at<0>(value.value, index, f);
}

/// The number of variants of an enum.
template <class T>
inline constexpr std::size_t variant_count = Meta<T>::variants.size();

/// Which variant a value of an enum has.
template <class T>
std::size_t variant_index(const T &value) {
  if constexpr (is_unit_enum<T>) {
    return static_cast<std::size_t>(value);
  } else {
    return value.value.index();
  }
}

/// Which variant has this name on the wire, if any.
template <class T>
std::optional<std::size_t> variant_named(std::string_view name) {
  for (std::size_t i = 0; i < variant_count<T>; ++i) {
    if (Meta<T>::variants[i] == name) return i;
  }
  return std::nullopt;
}

/// Appends an element to a list and calls `read(element)` with it.
template <class T, class F>
void append(std::vector<T> &list, F &&read) {
  if constexpr (std::is_same_v<T, bool>) {
    bool element{};
    read(element);
    list.push_back(element);
  } else {
    read(list.emplace_back());
  }
}

/// The bits of a float, so that it compares and hashes exactly.
inline std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline std::uint64_t bits_of(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Whether two values are the same, floats bit by bit.
template <class T>
bool same(const T &a, const T &b) {
  if constexpr (std::is_floating_point_v<T>) {
    return bits_of(a) == bits_of(b);
  } else if constexpr (is_list<T> || is_array<T>) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!same<typename T::value_type>(a[i], b[i])) return false;
    }
    return true;
  } else if constexpr (is_option<T>) {
    return a.has_value() == b.has_value() && (!a || same(*a, *b));
  } else if constexpr (is_map<T>) {
    if (a.size() != b.size()) return false;
    for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j) {
      if (i->first != j->first || !same(i->second, j->second)) return false;
    }
    return true;
  } else if constexpr (is_tensor<T>) {
    return a.shape == b.shape && same(a.data, b.data);
  } else if constexpr (is_record<T> || is_tuple<T>) {
    bool equal = true;
    visit_fields(
        a, [&](auto field, const auto &member) { equal = equal && same(member, field.of(b)); });
    return equal;
  } else if constexpr (is_variants<T>) {
    bool equal = a.value.index() == b.value.index();
    if (equal) {
      visit_payload(a, [&](const auto &left) {
        visit_payload(b, [&](const auto &right) {
          if constexpr (std::is_same_v<decltype(left), decltype(right)>) equal = same(left, right);
        });
      });
    }
    return equal;
  } else {
    return a == b;
  }
}

/// Whether a format that writes names leaves this member out.
template <class F>
bool is_left_out(F field, const typename F::Type &member) {
  if constexpr (F::skip_default) {
    return same(member, field.of(default_of<typename F::Owner>));
  } else {
    return false;
  }
}

}  // namespace serbench

#endif  // SERBENCH_DATA_HPP

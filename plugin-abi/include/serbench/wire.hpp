/*
 * serbench/wire.hpp - values in formats of the JSON kind: objects, arrays, strings, numbers.
 *
 * The rules by which a value of the schema becomes such a document are the same for every format,
 * and are those of serde: a record is an object, or an array where the format is used positionally;
 * a tuple is an array; a variant without payload is its name, one with a payload an object with
 * that name as the only key (or, with a tag, the payload's object with the tag as one key more);
 * an absent option is null. A tensor is [dtype, [dims...], blob]. A codec brings the two ends:
 *
 * A Writer is a place for one value:
 *   static constexpr bool positional;      records are arrays
 *   null()  scalar(x)  text(string_view)  blob(Input)
 *   array(count) -> A:   A.element() -> Writer,      A.end()
 *   object(count) -> O:  O.member(key) -> Writer,    O.end()
 *
 * A Reader is one value:
 *   static constexpr bool positional;
 *   is_null()  is_text()  scalar<S>() -> S  text() -> string_view  blob(f): calls f(Input)
 *   array() -> A:   A.size() (a hint, unless for views), A.done(), A.next() -> Reader
 *   object() -> O:  O.size(), O.done(), O.key(), O.next() -> Reader, O.skip()
 *                   and, where looking up is better: O.find(key) -> optional<Reader>
 * Each element is used up before the next one is asked for. Text and blobs that are written stay
 * where they are until the whole value is written; but on a big-endian machine the blob of a tensor
 * is there for the call alone.
 */
#ifndef SERBENCH_WIRE_HPP
#define SERBENCH_WIRE_HPP

#include "base64.hpp"
#include "canonical.hpp"

namespace serbench {

namespace detail {

template <class O, class = void>
struct can_find : std::false_type {};
template <class O>
struct can_find<O, std::void_t<decltype(std::declval<O &>().find(std::string_view{}))>>
    : std::true_type {};

template <class... Fields>
constexpr bool any_holds_bytes(TypeList<Fields...>);
template <class... Alternatives>
constexpr bool any_holds_bytes(const std::variant<Alternatives...> *);

template <class T>
constexpr bool find_bytes() {
  if constexpr (is_bytes<T> || is_tensor<T>) {
    return true;
  } else if constexpr (is_list<T> || is_array<T> || is_option<T>) {
    return find_bytes<typename T::value_type>();
  } else if constexpr (is_map<T>) {
    return find_bytes<typename T::mapped_type>();
  } else if constexpr (is_record<T> || is_tuple<T>) {
    return any_holds_bytes(typename Meta<T>::Fields{});
  } else if constexpr (is_variants<T>) {
    return any_holds_bytes(static_cast<const decltype(T::value) *>(nullptr));
  } else {
    return false;
  }
}

template <class... Fields>
constexpr bool any_holds_bytes(TypeList<Fields...>) {
  return (find_bytes<typename Fields::Type>() || ...);
}
template <class... Alternatives>
constexpr bool any_holds_bytes(const std::variant<Alternatives...> *) {
  return (find_bytes<Alternatives>() || ...);
}

template <class... Alternatives>
constexpr bool none_is_unit(const std::variant<Alternatives...> *) {
  return (!is_monostate<Alternatives> && ...);
}

template <class T>
constexpr bool becomes_object() {
  if constexpr (is_generated<T> && !is_tuple<T>) {
    if constexpr (is_record<T>) {
      return true;
    } else if constexpr (!Meta<T>::tag.empty()) {
      return true;
    } else if constexpr (is_variants<T>) {
      return none_is_unit(static_cast<const decltype(T::value) *>(nullptr));
    } else {
      return false;
    }
  } else {
    return is_map<T>;
  }
}

/// How many members of a record are written.
template <class T>
std::size_t written_count(const T &value) {
  std::size_t count = 0;
  visit_fields(value,
               [&](auto field, const auto &member) { count += !is_left_out(field, member); });
  return count;
}

/// The little-endian bytes of a tensor's elements, in `scratch` where they must be converted.
template <class T>
Input element_bytes(const std::vector<T> &data, std::vector<std::uint8_t> &scratch) {
  if (is_little_endian()) {
    return {reinterpret_cast<const std::uint8_t *>(data.data()), data.size() * sizeof(T)};
  }
  scratch.resize(data.size() * sizeof(T));
  for (std::size_t i = 0; i < data.size(); ++i) store_le(data[i], &scratch[i * sizeof(T)]);
  return {scratch.data(), scratch.size()};
}

// Failures stand here once: what finds them is there for every field and enum.
[[noreturn, gnu::cold, gnu::noinline]] inline void no_variant(std::string_view type,
                                                              std::string_view name) {
  throw malformed(std::string(type) + " has no variant \"" + std::string(name) + "\"");
}
[[noreturn, gnu::cold, gnu::noinline]] inline void no_payload(std::string_view name) {
  throw malformed("variant \"" + std::string(name) + "\" lacks its payload");
}
[[noreturn, gnu::cold, gnu::noinline]] inline void no_field(std::string_view name) {
  throw malformed("field \"" + std::string(name) + "\" is missing");
}
[[noreturn, gnu::cold, gnu::noinline]] inline void no_tag(std::string_view tag) {
  throw malformed("the tag \"" + std::string(tag) + "\" is missing");
}

template <class T>
std::size_t expect_variant(std::string_view name) {
  if (const auto index = variant_named<T>(name)) return *index;
  no_variant(Meta<T>::name, name);
}

}  // namespace detail

/// Whether every value of T is an object in formats of this kind: some allow no other root.
template <class T>
inline constexpr bool is_object = detail::becomes_object<T>();

/// Whether a T holds byte strings, or tensors, which bring some: not every format has them.
template <class T>
inline constexpr bool holds_bytes = detail::find_bytes<T>();

// ---- Writing ----------------------------------------------------------------------------------

template <class W, class T>
void write(W &&out, const T &value);

namespace detail {

template <class O, class T>
void write_members(O &object, const T &value) {
  visit_fields(value, [&](auto field, const auto &member) {
    if (!is_left_out(field, member)) write(object.member(field.name), member);
  });
}

template <class W, class T>
void write_positional(W &out, const T &value) {
  auto array = out.array(field_count<T>);
  visit_fields(value, [&](auto, const auto &member) { write(array.element(), member); });
  array.end();
}

template <class W, class T>
void write_tagged(W &out, std::string_view variant, const T &payload) {
  if constexpr (is_monostate<T>) {
    out.text(variant);
  } else {
    auto object = out.object(1);
    write(object.member(variant), payload);
    object.end();
  }
}

/// An enum whose tag stands among the fields of its payload.
template <class W, class T>
void write_internally_tagged(W &out, std::string_view tag, std::string_view variant,
                             const T &payload) {
  if constexpr (is_monostate<T>) {
    auto object = out.object(1);
    object.member(tag).text(variant);
    object.end();
  } else if constexpr (is_record<T>) {
    auto object = out.object(1 + written_count(payload));
    object.member(tag).text(variant);
    write_members(object, payload);
    object.end();
  } else {
    throw unsupported("an internally tagged variant holds a record or nothing");
  }
}

template <class W, class T>
void write_tensor(W &out, const Tensor<T> &tensor) {
  std::vector<std::uint8_t> scratch;
  auto array = out.array(3);
  array.element().scalar(std::int32_t{dtype<T>()});
  write(array.element(), tensor.shape);
  array.element().blob(element_bytes(tensor.data, scratch));
  array.end();
}

}  // namespace detail

/// Writes a value into its place.
template <class W, class T>
void write(W &&out, const T &value) {
  using Writer = std::remove_reference_t<W>;
  if constexpr (is_scalar<T>) {
    out.scalar(value);
  } else if constexpr (is_string<T>) {
    out.text(value);
  } else if constexpr (is_bytes<T>) {
    out.blob(input_of(value));
  } else if constexpr (is_list<T> || is_array<T>) {
    auto array = out.array(value.size());
    for (const auto &e : value)
      write<decltype(array.element()), typename T::value_type>(array.element(), e);
    array.end();
  } else if constexpr (is_option<T>) {
    if (value) {
      write(out, *value);
    } else {
      out.null();
    }
  } else if constexpr (is_map<T>) {
    auto object = out.object(value.size());
    for (const auto &entry : value) write(object.member(entry.first), entry.second);
    object.end();
  } else if constexpr (is_tensor<T>) {
    detail::write_tensor(out, value);
  } else if constexpr (is_tuple<T> || (is_record<T> && Writer::positional)) {
    detail::write_positional(out, value);
  } else if constexpr (is_record<T>) {
    auto object = out.object(detail::written_count(value));
    detail::write_members(object, value);
    object.end();
  } else {
    static_assert(is_unit_enum<T> || is_variants<T>, "not a type of a dataset");
    const std::string_view variant = Meta<T>::variants[variant_index(value)];
    const auto put = [&](const auto &payload) {
      if constexpr (Meta<T>::tag.empty()) {
        detail::write_tagged(out, variant, payload);
      } else {
        detail::write_internally_tagged(out, Meta<T>::tag, variant, payload);
      }
    };
    if constexpr (is_unit_enum<T>) {
      put(std::monostate{});
    } else {
      visit_payload(value, put);
    }
  }
}

/// A number read as the widest integer, as the integer that is wanted.
template <class S, class Wide>
S narrow(Wide wide) {
  const S value = static_cast<S>(wide);
  if (static_cast<Wide>(value) != wide || (value < S{}) != (wide < Wide{})) {
    reject("a number out of range");
  }
  return value;
}

/// An integer for a format that knows only those of 64 bits and a sign.
template <class S>
std::int64_t as_int64(S value) {
  if constexpr (std::is_same_v<S, std::uint64_t>) {
    if (value > std::uint64_t{INT64_MAX}) {
      throw unsupported("there are no integers above 2^63 - 1 in the format");
    }
  }
  return static_cast<std::int64_t>(value);
}

// ---- Reading ----------------------------------------------------------------------------------

template <class R, class T>
void read(R &&in, T &value);

namespace detail {

template <class F>
void check_absent(F field) {
  if constexpr (!F::skip_default && !is_option<typename F::Type>) no_field(field.name);
}

template <class O, class T>
void read_members(O &object, T &value) {
  if constexpr (can_find<O>::value) {
    visit_fields(value, [&](auto field, auto &member) {
      if (auto found = object.find(field.name)) {
        read(*found, member);
      } else {
        check_absent(field);
      }
    });
  } else {
    std::array<bool, field_count<T>> seen{};
    // Members mostly come in the declared order, without those that were left out.
    visit_fields(value, [&](auto field, auto &member) {
      if (!object.done() && object.key() == field.name) {
        read(object.next(), member);
        seen[field.index] = true;
      }
    });
    while (!object.done()) {
      bool known = false;
      visit_fields(value, [&](auto field, auto &member) {
        if (!known && !seen[field.index] && object.key() == field.name) {
          read(object.next(), member);
          known = seen[field.index] = true;
        }
      });
      if (!known) object.skip();
    }
    for_each_field<T>([&](auto field) {
      if (!seen[field.index]) check_absent(field);
    });
  }
}

template <class A>
auto expect_next(A &array) {
  if (array.done()) reject("an array is too short");
  return array.next();
}

template <class A>
void expect_done(A &array) {
  if (!array.done()) reject("an array is too long");
}

template <class R, class T>
void read_map(R &in, Map<T> &map) {
  auto object = in.object();
  while (!object.done()) {
    std::string key(object.key());
    read(object.next(), map[std::move(key)]);
  }
}

template <class R, class T>
void read_tensor(R &in, Tensor<T> &tensor) {
  auto array = in.array();
  if (expect_next(array).template scalar<std::int32_t>() != dtype<T>()) {
    reject("a tensor of another element type");
  }
  read(expect_next(array), tensor.shape);
  expect_next(array).blob([&](Input bytes) {
    tensor.data.resize(element_count<T>(tensor.shape, bytes.size));
    if (is_little_endian()) {
      if (bytes.size != 0) std::memcpy(tensor.data.data(), bytes.data, bytes.size);
    } else {
      for (std::size_t i = 0; i < tensor.data.size(); ++i) {
        tensor.data[i] = load_le<T>(bytes.data + i * sizeof(T));
      }
    }
  });
  expect_done(array);
}

template <class T>
void set_unit(T &value, std::string_view name) {
  const std::size_t index = expect_variant<T>(name);
  if constexpr (is_unit_enum<T>) {
    value = static_cast<T>(index);
  } else {
    emplace_payload(value, index, [&](auto &payload) {
      if constexpr (!is_monostate<std::decay_t<decltype(payload)>>) {
        no_payload(name);
      }
    });
  }
}

template <class R, class T>
void read_tagged(R &in, T &value) {
  if constexpr (is_unit_enum<T>) {
    set_unit(value, in.text());
  } else {
    if (in.is_text()) return set_unit(value, in.text());
    auto object = in.object();
    if (object.done()) reject("an enum without a variant");
    const std::size_t index = expect_variant<T>(object.key());
    emplace_payload(value, index, [&](auto &payload) {
      if constexpr (is_monostate<std::decay_t<decltype(payload)>>) {
        object.skip();
      } else {
        read(object.next(), payload);
      }
    });
    if (!object.done()) reject("an enum with two variants");
  }
}

template <class O>
std::string read_tag(O &object, std::string_view tag) {
  if constexpr (can_find<O>::value) {
    if (auto found = object.find(tag)) return std::string(found->text());
  } else {
    if (!object.done() && object.key() == tag) return std::string(object.next().text());
  }
  no_tag(tag);
}

template <class R, class T>
void read_internally_tagged(R &in, T &value) {
  auto object = in.object();
  const std::size_t index = expect_variant<T>(read_tag(object, Meta<T>::tag));
  if constexpr (is_unit_enum<T>) {
    value = static_cast<T>(index);
  } else {
    emplace_payload(value, index, [&](auto &payload) {
      if constexpr (is_record<std::decay_t<decltype(payload)>>) read_members(object, payload);
    });
  }
}

}  // namespace detail

/// Reads a value over its declared default.
template <class R, class T>
void read(R &&in, T &value) {
  using Reader = std::remove_reference_t<R>;
  if constexpr (is_scalar<T>) {
    value = in.template scalar<T>();
  } else if constexpr (is_string<T>) {
    value = in.text();
  } else if constexpr (is_bytes<T>) {
    in.blob([&](Input bytes) {
      const auto *first = reinterpret_cast<const std::byte *>(bytes.data);
      value.assign(first, first + bytes.size);
    });
  } else if constexpr (is_list<T>) {
    auto array = in.array();
    value.clear();
    value.reserve(array.size());
    while (!array.done()) append(value, [&](auto &element) { read(array.next(), element); });
  } else if constexpr (is_array<T>) {
    auto array = in.array();
    for (auto &element : value) read(detail::expect_next(array), element);
    detail::expect_done(array);
  } else if constexpr (is_option<T>) {
    if (in.is_null()) {
      value.reset();
    } else {
      read(in, value.emplace());
    }
  } else if constexpr (is_map<T>) {
    detail::read_map(in, value);
  } else if constexpr (is_tensor<T>) {
    detail::read_tensor(in, value);
  } else if constexpr (is_tuple<T> || (is_record<T> && Reader::positional)) {
    auto array = in.array();
    visit_fields(value, [&](auto, auto &member) { read(detail::expect_next(array), member); });
    detail::expect_done(array);
  } else if constexpr (is_record<T>) {
    auto object = in.object();
    detail::read_members(object, value);
  } else if constexpr (Meta<T>::tag.empty()) {
    detail::read_tagged(in, value);
  } else {
    detail::read_internally_tagged(in, value);
  }
}

}  // namespace serbench

#endif  // SERBENCH_WIRE_HPP

// What glaze is told of the generated types: names on the wire, fields that are left out, and how
// variants, tensors and byte strings look. The library reads and writes the structs themselves.
#ifndef SERBENCH_GLAZE_TYPES_HPP
#define SERBENCH_GLAZE_TYPES_HPP

#include <glaze/glaze.hpp>
#include <serbench/datasets.hpp>
#include <span>

#include "../shared/holds.hpp"

namespace serbench::glaze_types {

template <std::size_t I, auto Member, bool SkipDefault>
constexpr auto pointer_of(Field<I, Member, SkipDefault>) {
  return Member;
}

template <class... Fields>
constexpr auto object_of(TypeList<Fields...>) {
  return std::apply(
      [](auto... names_and_members) { return glz::object(names_and_members...); },
      std::tuple_cat(std::make_tuple(std::string_view(Fields::name), pointer_of(Fields{}))...));
}

template <class... Fields>
constexpr auto array_of(TypeList<Fields...>) {
  return glz::array(pointer_of(Fields{})...);
}

template <class T, std::size_t... I>
constexpr auto enum_of(std::index_sequence<I...>) {
  return std::apply([](auto... names_and_values) { return glz::enumerate(names_and_values...); },
                    std::tuple_cat(std::make_tuple(Meta<T>::variants[I], static_cast<T>(I))...));
}

template <class T>
struct Record {
  static constexpr auto value = object_of(typename Meta<T>::Fields{});
};

/// A record with fields that are left out when they equal their default.
template <class T>
struct SkippingRecord : Record<T> {
  template <class V>
  static bool skip_if(const V &member, std::string_view key, const glz::meta_context &) {
    bool skip = false;
    for_each_field<T>([&](auto field) {
      using F = decltype(field);
      if constexpr (F::skip_default && std::is_same_v<V, typename F::Type>) {
        if (F::name == key) skip = is_left_out(field, member);
      }
    });
    return skip;
  }
};

/// What a variant begins with in BEVE.
inline constexpr std::uint8_t beve_variant = glz::tag::extensions | 0b00001'000;

/// Types with readers and writers of their own.
template <class T>
concept Special = is_variants<T> || is_tensor<T> || is_bytes<T>;

}  // namespace serbench::glaze_types

namespace glz {

template <class T>
requires serbench::is_record<T>
struct meta<T>
    : std::conditional_t<serbench::LeavesOut<T>::value, serbench::glaze_types::SkippingRecord<T>,
                         serbench::glaze_types::Record<T>> {
};

template <class T>
requires serbench::is_tuple<T>
struct meta<T> {
  static constexpr auto value =
      serbench::glaze_types::array_of(typename serbench::Meta<T>::Fields{});
};

template <class T>
requires serbench::is_unit_enum<T>
struct meta<T> {
  static constexpr auto value =
      serbench::glaze_types::enum_of<T>(std::make_index_sequence<serbench::variant_count<T>>{});
};

template <serbench::glaze_types::Special T>
struct meta<T> {
  static constexpr bool custom_read = true, custom_write = true;
};

// ---- JSON --------------------------------------------------------------------------------------

/// A variant without payload is its name, one with a payload an object with that name as its key.
/// With a tag, it is the payload's object, which begins with the tag.
template <class T>
requires serbench::is_variants<T>
struct to<JSON, T> {
  template <auto Opts>
  static void op(auto &&value, is_context auto &&ctx, auto &&out, auto &&at) {
    constexpr std::string_view tag = serbench::Meta<T>::tag;
    const std::string_view name = serbench::Meta<T>::variants[serbench::variant_index(value)];
    serbench::visit_payload(value, [&](const auto &payload) {
      using P = std::decay_t<decltype(payload)>;
      if constexpr (!tag.empty()) {
        write_tagged<Opts>(tag, name, payload, ctx, out, at);
      } else if constexpr (serbench::is_monostate<P>) {
        serialize<JSON>::op<Opts>(name, ctx, out, at);
      } else {
        const std::pair<std::string_view, const P &> member{name, payload};
        serialize<JSON>::op<Opts>(member, ctx, out, at);
      }
    });
  }

 private:
  template <auto Opts, class P>
  static void write_tagged(std::string_view tag, std::string_view name, const P &payload,
                           is_context auto &&ctx, auto &&out, auto &&at) {
    dump<'{'>(out, at);
    serialize<JSON>::op<Opts>(tag, ctx, out, at);
    dump<':'>(out, at);
    serialize<JSON>::op<Opts>(name, ctx, out, at);
    if constexpr (serbench::is_record<P>) {
      dump<','>(out, at);
      to<JSON, P>::template op<opening_and_closing_handled<Opts>()>(payload, ctx, out, at);
      if (out[at - 1] == ',') --at;
    }
    dump<'}'>(out, at);
  }
};

template <class T>
requires serbench::is_variants<T>
struct from<JSON, T> {
  template <auto Options>
  static void op(auto &&value, is_context auto &&ctx, auto &&it, auto &&end) {
    constexpr auto Opts = ws_handled_off<Options>();
    if (skip_ws<Opts>(ctx, it, end)) return;
    const bool is_object = *it == '{';
    if (is_object) ++it;
    const auto start = it;
    std::string_view name;
    parse<JSON>::op<Opts>(name, ctx, it, end);
    if (bool(ctx.error) || (is_object && parse_ws_colon<Opts>(ctx, it, end))) return;
    if constexpr (serbench::Meta<T>::tag.empty()) {
      read_payload<Opts>(value, name, is_object, ctx, it, end);
    } else {
      if (!is_object || name != serbench::Meta<T>::tag) return mismatch(ctx);
      parse<JSON>::op<Opts>(name, ctx, it, end);
      if (!bool(ctx.error)) read_tagged<Opts>(value, name, start, ctx, it, end);
    }
  }

 private:
  static void mismatch(is_context auto &&ctx) { ctx.error = error_code::no_matching_variant_type; }

  template <auto Opts>
  static void read_payload(T &value, std::string_view name, bool is_object, is_context auto &&ctx,
                           auto &&it, auto &&end) {
    const auto index = serbench::variant_named<T>(name);
    if (!index) return mismatch(ctx);
    serbench::emplace_payload(value, *index, [&](auto &payload) {
      if (is_object == serbench::is_monostate<std::decay_t<decltype(payload)>>) {
        mismatch(ctx);
      } else if (is_object) {
        parse<JSON>::op<Opts>(payload, ctx, it, end);
      }
    });
    if (is_object) close<Opts>(ctx, it, end);
  }

  template <auto Opts>
  static void read_tagged(T &value, std::string_view name, auto start, is_context auto &&ctx,
                          auto &&it, auto &&end) {
    constexpr std::string_view tag = serbench::Meta<T>::tag;
    const auto index = serbench::variant_named<T>(name);
    if (!index) return mismatch(ctx);
    serbench::emplace_payload(value, *index, [&](auto &payload) {
      using P = std::decay_t<decltype(payload)>;
      if constexpr (serbench::is_record<P>) {
        it = start;
        from<JSON, P>::template op<opening_handled<Opts>(), string_literal_from_view<tag.size()>(
                                                                tag)>(payload, ctx, it, end);
      } else {
        close<Opts>(ctx, it, end);
      }
    });
  }

  template <auto Opts>
  static void close(is_context auto &&ctx, auto &&it, auto &&end) {
    if (!bool(ctx.error) && !skip_ws<Opts>(ctx, it, end)) match<'}'>(ctx, it);
  }
};

template <>
struct to<JSON, serbench::Bytes> {
  template <auto Opts>
  static void op(auto &&value, is_context auto &&ctx, auto &&out, auto &&at) {
    std::string encoded;
    serbench::base64_encode(serbench::input_of(value), encoded);
    serialize<JSON>::op<Opts>(encoded, ctx, out, at);
  }
};

template <>
struct from<JSON, serbench::Bytes> {
  template <auto Opts>
  static void op(auto &&value, is_context auto &&ctx, auto &&it, auto &&end) {
    std::string encoded;
    parse<JSON>::op<Opts>(encoded, ctx, it, end);
    if (bool(ctx.error)) return;
    const auto bytes = serbench::base64_decode(encoded);
    const auto *first = reinterpret_cast<const std::byte *>(bytes.data());
    value.assign(first, first + bytes.size());
  }
};

template <class E>
struct to<JSON, serbench::Tensor<E>> {
  template <auto Opts>
  static void op(auto &&value, is_context auto &&ctx, auto &&out, auto &&at) {
    std::string encoded;
    std::vector<std::uint8_t> scratch;
    serbench::base64_encode(serbench::detail::element_bytes(value.data, scratch), encoded);
    const std::tuple<std::int32_t, const std::vector<std::uint32_t> &, const std::string &> parts{
        serbench::dtype<E>(), value.shape, encoded};
    serialize<JSON>::op<Opts>(parts, ctx, out, at);
  }
};

template <class E>
struct from<JSON, serbench::Tensor<E>> {
  template <auto Opts>
  static void op(auto &&value, is_context auto &&ctx, auto &&it, auto &&end) {
    std::tuple<std::int32_t, std::vector<std::uint32_t>, std::string> parts;
    parse<JSON>::op<Opts>(parts, ctx, it, end);
    if (bool(ctx.error)) return;
    auto &[dtype, shape, encoded] = parts;
    if (dtype != serbench::dtype<E>()) {
      ctx.error = error_code::no_matching_variant_type;
      return;
    }
    const auto bytes = serbench::base64_decode(encoded);
    value.data.resize(serbench::detail::element_count<E>(shape, bytes.size()));
    for (std::size_t i = 0; i < value.data.size(); ++i) {
      value.data[i] = serbench::load_le<E>(bytes.data() + i * sizeof(E));
    }
    value.shape = std::move(shape);
  }
};

// ---- BEVE --------------------------------------------------------------------------------------

/// As the library has it for a std::variant, but that it tells alternatives apart by their type, of
/// which an enum may have several, and reads them without looking at their number.
template <class T>
requires serbench::is_variants<T>
struct to<BEVE, T> {
  template <auto Opts>
  static void op(auto &&value, is_context auto &&ctx, auto &&out, auto &&at) {
    dump_type(serbench::glaze_types::beve_variant, out, at);
    dump_compressed_int<Opts>(serbench::variant_index(value), out, at);
    serbench::visit_payload(
        value, [&](const auto &payload) { serialize<BEVE>::op<Opts>(payload, ctx, out, at); });
  }
};

template <class T>
requires serbench::is_variants<T>
struct from<BEVE, T> {
  template <auto Opts>
  static void op(auto &&value, is_context auto &&ctx, auto &&it, auto &&end) {
    if (invalid_end(ctx, it, end)) return;
    if (static_cast<std::uint8_t>(*it) != serbench::glaze_types::beve_variant) {
      ctx.error = error_code::syntax_error;
      return;
    }
    ++it;
    const std::size_t index = int_from_compressed(ctx, it, end);
    if (bool(ctx.error)) return;
    if (index >= serbench::variant_count<T>) {
      ctx.error = error_code::no_matching_variant_type;
      return;
    }
    serbench::emplace_payload(value, index,
                              [&](auto &payload) { parse<BEVE>::op<Opts>(payload, ctx, it, end); });
  }
};

/// An array of small numbers.
template <>
struct to<BEVE, serbench::Bytes> {
  template <auto Opts>
  static void op(auto &&value, is_context auto &&ctx, auto &&out, auto &&at) {
    const auto *first = reinterpret_cast<const std::uint8_t *>(value.data());
    serialize<BEVE>::op<Opts>(std::span(first, value.size()), ctx, out, at);
  }
};

template <>
struct from<BEVE, serbench::Bytes> {
  template <auto Opts>
  static void op(auto &&value, is_context auto &&ctx, auto &&it, auto &&end) {
    std::vector<std::uint8_t> bytes;
    parse<BEVE>::op<Opts>(bytes, ctx, it, end);
    const auto *first = reinterpret_cast<const std::byte *>(bytes.data());
    value.assign(first, first + bytes.size());
  }
};

template <class E>
struct to<BEVE, serbench::Tensor<E>> {
  template <auto Opts>
  static void op(auto &&value, is_context auto &&ctx, auto &&out, auto &&at) {
    const std::tuple<const std::vector<std::uint32_t> &, const std::vector<E> &> parts{value.shape,
                                                                                       value.data};
    serialize<BEVE>::op<Opts>(parts, ctx, out, at);
  }
};

template <class E>
struct from<BEVE, serbench::Tensor<E>> {
  template <auto Opts>
  static void op(auto &&value, is_context auto &&ctx, auto &&it, auto &&end) {
    std::tuple<std::vector<std::uint32_t> &, std::vector<E> &> parts{value.shape, value.data};
    parse<BEVE>::op<Opts>(parts, ctx, it, end);
    if (bool(ctx.error)) return;
    serbench::detail::element_count<E>(value.shape, value.data.size() * sizeof(E));
  }
};

}  // namespace glz

#endif  // SERBENCH_GLAZE_TYPES_HPP

// What reflect-cpp is told of the generated types. It reflects plain structs itself; here stand the
// names on the wire, where they are not those of the members, and how enums, tuples and tensors
// look. Nothing is copied to be written, but for the elements of a tensor.
#pragma once

#include <rfl.hpp>
#include <serbench/datasets.hpp>

namespace reflect_cpp {

template <const std::string_view &Name>
consteval auto literal() {
  std::array<char, Name.size() + 1> text{};
  for (std::size_t i = 0; i < Name.size(); ++i) text[i] = Name[i];
  return rfl::internal::StringLiteral<Name.size() + 1>(text);
}

/// A processor: fields get their names on the wire.
struct WireNames {
  template <class T>
  static auto process(auto &&fields) {
    if constexpr (serbench::is_record<T>) {
      return rename(fields, typename serbench::Meta<T>::Fields{});
    } else {
      return fields;
    }
  }

 private:
  template <class... Old, class... New>
  static auto rename(const rfl::NamedTuple<Old...> &fields, serbench::TypeList<New...>) {
    return rfl::make_named_tuple(
        rfl::Field<literal<New::name>(), typename Old::Type>(fields.template get<Old::name_>())...);
  }
};

/// An enum with payloads as the library has it: one field, named after the variant.
template <class T, bool Writing>
struct Tagged {
  template <std::size_t I>
  static constexpr std::string_view name = serbench::Meta<T>::variants[I];
  template <std::size_t I>
  using Payload = std::variant_alternative_t<I, decltype(T::value)>;
  template <std::size_t I>
  using Field =
      rfl::Field<literal<name<I>>(), std::conditional_t<Writing, const Payload<I> *, Payload<I>>>;

  template <std::size_t... I>
  static rfl::Variant<Field<I>...> type(std::index_sequence<I...>);
  using Type = decltype(type(std::make_index_sequence<serbench::variant_count<T>>{}));
};

/// A tuple's elements as a std::tuple of pointers, or of themselves.
template <bool Writing, class... Fields>
auto tuple_of(serbench::TypeList<Fields...>) -> std::tuple<
    std::conditional_t<Writing, const typename Fields::Type *, typename Fields::Type>...>;

/// A tensor as the library's own benchmark has it.
using Tensor = std::tuple<std::int32_t, std::vector<std::uint32_t>, rfl::Bytestring>;

template <class T>
constexpr bool is_special = serbench::is_tuple<T> || serbench::is_unit_enum<T> ||
                            serbench::is_variants<T> || serbench::is_tensor<T>;

}  // namespace reflect_cpp

namespace rfl::parsing {

template <class R, class W, class T, class P>
requires AreReaderAndWriter<R, W, T> && reflect_cpp::is_special<T>
struct Parser<R, W, T, P> {
  template <class As>
  using Other = Parser<R, W, As, P>;

  static Result<T> read(const R &reader, const typename R::InputVarType &var) noexcept {
    if constexpr (serbench::is_unit_enum<T>) {
      return Other<std::string>::read(reader, var).and_then(variant_named);
    } else if constexpr (serbench::is_variants<T>) {
      return read_variants(reader, var);
    } else if constexpr (serbench::is_tensor<T>) {
      return Other<reflect_cpp::Tensor>::read(reader, var).and_then(tensor_of);
    } else {
      using Tuple = decltype(reflect_cpp::tuple_of<false>(typename serbench::Meta<T>::Fields{}));
      return Other<Tuple>::read(reader, var).transform([](Tuple &&elements) {
        return std::apply([](auto &&...e) { return T{std::move(e)...}; }, std::move(elements));
      });
    }
  }

  template <class Parent>
  static void write(const W &writer, const T &value, const Parent &parent) {
    if constexpr (serbench::is_unit_enum<T>) {
      write_name(writer, static_cast<std::size_t>(value), parent);
    } else if constexpr (serbench::is_variants<T>) {
      write_variants(writer, value, parent);
    } else if constexpr (serbench::is_tensor<T>) {
      using E = typename decltype(value.data)::value_type;
      const auto *first = reinterpret_cast<const std::byte *>(value.data.data());
      const reflect_cpp::Tensor tensor{
          serbench::dtype<E>(), value.shape, {first, first + value.data.size() * sizeof(E)}};
      Other<reflect_cpp::Tensor>::write(writer, tensor, parent);
    } else {
      using Fields = typename serbench::Meta<T>::Fields;
      using Tuple = decltype(reflect_cpp::tuple_of<true>(Fields{}));
      Other<Tuple>::write(writer, pointers(value, Fields{}), parent);
    }
  }

  static schema::Type to_schema(std::map<std::string, schema::Type> *) { return {}; }

 private:
  static std::string_view name_of(std::size_t index) { return serbench::Meta<T>::variants[index]; }

  static Result<T> variant_named(const std::string &name) noexcept {
    const auto index = serbench::variant_named<T>(name);
    if (!index) return error("no variant " + name);
    T value{};
    if constexpr (serbench::is_unit_enum<T>) {
      value = static_cast<T>(*index);
    } else {
      serbench::emplace_payload(value, *index, [](auto &) {});
    }
    return value;
  }

  template <class Parent>
  static void write_name(const W &writer, std::size_t index, const Parent &parent) {
    Other<std::string_view>::write(writer, name_of(index), parent);
  }

  static Result<T> tensor_of(reflect_cpp::Tensor &&read) noexcept {
    T tensor;
    using E = typename decltype(tensor.data)::value_type;
    auto &[code, shape, bytes] = read;
    if (code != serbench::dtype<E>()) return error("a tensor of another element type");
    // Not by element_count(), which throws where it does not fit.
    std::size_t size = sizeof(E);
    bool fits = true;
    for (const std::uint32_t dim : shape) fits &= !__builtin_mul_overflow(size, dim, &size);
    if (!fits || size != bytes.size()) return error("a tensor's shape does not fit its elements");
    tensor.shape = std::move(shape);
    tensor.data.resize(bytes.size() / sizeof(E));
    if (!bytes.empty()) std::memcpy(tensor.data.data(), bytes.data(), bytes.size());
    return tensor;
  }

  static Result<T> read_variants(const R &reader, const typename R::InputVarType &var) noexcept {
    if (auto name = Other<std::string>::read(reader, var)) return variant_named(*name);
    using Type = typename reflect_cpp::Tagged<T, false>::Type;
    return Other<Type>::read(reader, var).transform([](Type &&fields) {
      T value;
      take<0>(fields, value);
      return value;
    });
  }

  /// Moves the payload that is there; the variant may hold one type more than once.
  template <std::size_t I>
  static void take(auto &fields, T &value) {
    if constexpr (I < serbench::variant_count<T>) {
      if (fields.index() == static_cast<decltype(fields.index())>(I)) {
        value.value.template emplace<I>(std::move(rfl::get<I>(fields).value()));
      } else {
        take<I + 1>(fields, value);
      }
    }
  }

  template <class Parent, std::size_t I = 0>
  static void write_variants(const W &writer, const T &value, const Parent &parent) {
    using Tagged = reflect_cpp::Tagged<T, true>;
    if constexpr (I < serbench::variant_count<T>) {
      if (value.value.index() != I) return write_variants<Parent, I + 1>(writer, value, parent);
      if constexpr (serbench::is_monostate<typename Tagged::template Payload<I>>) {
        write_name(writer, I, parent);
      } else {
        const typename Tagged::Type field(
            typename Tagged::template Field<I>(std::get_if<I>(&value.value)));
        Other<typename Tagged::Type>::write(writer, field, parent);
      }
    }
  }

  template <class... Fields>
  static auto pointers(const T &value, serbench::TypeList<Fields...>) {
    return std::make_tuple(&Fields::of(value)...);
  }
};

}  // namespace rfl::parsing

// How a generated type is a proto3 message, by the rules of datasets/IDL.md, for libraries whose
// messages are plain C structs: fields are numbered from 1 in their order; an enum with payloads is
// a message of a oneof; binary data is `bytes`; what is repeated or optional within such is in a
// message of its own.
#pragma once

#include <serbench/convert.hpp>
#include <serbench/datasets.hpp>

#include "kinds.hpp"

namespace proto3 {

using serbench::TypeList;

template <class T>
constexpr bool is_plural() {
  return serbench::is_sequence<T> || serbench::is_map<T> || serbench::is_option<T>;
}

/// The message whose one field is a T.
template <class T>
struct Wrapped {};
/// The message that is an entry of a map.
template <class V>
struct Entry {};

/// What stands for a T where there can be neither `repeated` nor `optional`.
template <class T>
using Single = std::conditional_t<is_plural<T>(), Wrapped<T>, T>;

/// The message that a T, as the value of a dataset, is.
template <class T>
constexpr bool is_message() {
  return !is_plural<T>() && !serbench::is_binary<T> && !serbench::is_scalar<T> &&
         !serbench::is_string<T> && !serbench::is_unit_enum<T>;
}
template <class T>
using Root = std::conditional_t<is_message<T>(), T, Wrapped<T>>;

namespace detail {

template <class M>
struct Shape {
  template <class... Fields>
  static TypeList<typename Fields::Type...> types(TypeList<Fields...>);
  using Types = decltype(types(typename serbench::Meta<M>::Fields{}));

  template <class N, class F>
  static void visit(N &native, F &&f) {
    serbench::visit_fields(native, [&](auto field, auto &member) {
      f(std::integral_constant<std::size_t, decltype(field)::index>{}, member);
    });
  }
};

template <>
struct Shape<std::monostate> {
  using Types = TypeList<>;
  template <class N, class F>
  static void visit(N &, F &&) {}
};

template <class E>
struct Shape<serbench::Tensor<E>> {
  using Types = TypeList<std::vector<std::uint32_t>, std::vector<E>>;
  template <class N, class F>
  static void visit(N &tensor, F &&f) {
    f(std::integral_constant<std::size_t, 0>{}, tensor.shape);
    f(std::integral_constant<std::size_t, 1>{}, tensor.data);
  }
};

template <class T>
struct Shape<Wrapped<T>> {
  using Types = TypeList<T>;
  template <class N, class F>
  static void visit(N &native, F &&f) {
    f(std::integral_constant<std::size_t, 0>{}, native);
  }
};

template <class V>
struct Shape<Entry<V>> {
  using Types = TypeList<std::string, Single<V>>;
  template <class N, class F>
  static void visit(N &entry, F &&f) {
    f(std::integral_constant<std::size_t, 0>{}, entry.first);
    f(std::integral_constant<std::size_t, 1>{}, entry.second);
  }
};

template <class... Payloads>
TypeList<Single<Payloads>...> alternatives(const std::variant<Payloads...> *);

}  // namespace detail

/// The types of a message's fields, in order.
template <class M>
using FieldTypes = typename detail::Shape<M>::Types;

/// Calls `f(index, member)` for every field of the native value behind a message.
template <class M, class N, class F>
void visit_members(N &native, F &&f) {
  detail::Shape<M>::visit(native, f);
}

/// The types of a oneof's alternatives, in order.
template <class T>
using Alternatives =
    decltype(detail::alternatives(static_cast<const decltype(T::value) *>(nullptr)));

template <class T>
struct Named {
  using Type = T;
};

/// Calls `f(Named<A>)` with the alternative of that index. False: there is none.
template <class F, class... A>
bool with_alternative(std::size_t index, TypeList<A...>, F &&f) {
  std::size_t at = 0;
  return ((at++ == index ? (f(Named<A>{}), true) : false) || ...);
}

/// The members of a struct, one after the other.
template <template <class> class Member, class... Fields>
struct Members {};
template <template <class> class Member, class First, class... Rest>
struct Members<Member, First, Rest...> {
  Member<First> first;
  Members<Member, Rest...> rest;
};

template <std::size_t I, class M>
auto &member(M &members) {
  if constexpr (I == 0) {
    return members.first;
  } else {
    return member<I - 1>(members.rest);
  }
}

/// Memory that is given back all at once, and kept.
class Arena {
 public:
  void reset() {
    if (chunks_.size() > 1) {
      // One chunk that would have been enough.
      const std::size_t all = total_;
      chunks_.clear();
      total_ = 0;
      add(all);
    }
    used_ = 0;
  }

  void *allocate(std::size_t size) {
    constexpr std::size_t align = alignof(std::max_align_t);
    size = (size + align - 1) / align * align;
    if (chunks_.empty() || size > chunks_.back().size - used_) {
      add(std::max({size, total_, std::size_t{4096}}));
      used_ = 0;
    }
    void *at = chunks_.back().bytes.get() + used_;
    used_ += size;
    return at;
  }

  /// A zeroed array.
  template <class T>
  T *make(std::size_t count = 1) {
    void *room = allocate(count * sizeof(T));
    std::memset(room, 0, count * sizeof(T));
    return static_cast<T *>(room);
  }

 private:
  struct Chunk {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t size;
  };

  void add(std::size_t size) {
    chunks_.push_back({std::unique_ptr<std::uint8_t[]>(new std::uint8_t[size]), size});
    total_ += size;
  }

  std::vector<Chunk> chunks_;
  std::size_t used_ = 0, total_ = 0;
};

/// An output buffer of a known size, which is not zeroed before it is filled.
class Output {
 public:
  void clear() { size_ = 0; }
  std::uint8_t *data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

  void resize(std::size_t size) {
    if (size > capacity_) {
      bytes_.reset(new std::uint8_t[size]);
      capacity_ = size;
    }
    size_ = size;
  }

 private:
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t size_ = 0, capacity_ = 0;
};

/// A C string, where the text can be one.
inline char *c_string(const std::string &text) {
  if (text.find('\0') != text.npos) throw serbench::unsupported("C strings end at a zero byte");
  return const_cast<char *>(text.c_str());
}

}  // namespace proto3

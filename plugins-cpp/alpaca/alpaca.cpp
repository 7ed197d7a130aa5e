// alpaca: plain aggregates, whose members it finds out itself, appended to a vector that is kept.
// Its headers do not say their version.
#include "overloads.hpp"
// After the above, which its templates must see.
#include <alpaca/alpaca.h>

#include <span>

#include "../shared/holds.hpp"

namespace {

using alpaca::options;

/// A struct whose members the library counts wrongly, and would leave out.
template <class T>
struct IsMiscounted {
  static constexpr bool value = [] {
    if constexpr (serbench::is_record<T> || serbench::is_tuple<T>) {
      return alpaca::detail::aggregate_arity<T>::size() != serbench::field_count<T>;
    } else if constexpr (serbench::is_variants<T>) {
      return alpaca::detail::aggregate_arity<T>::size() != 1;
    } else {
      return false;
    }
  }();
};

struct Alpaca : serbench::Codec {
  static constexpr bool self_describing = false;
  /// Of its variable-length integers, the default, the upper bits of large ones are lost.
  static constexpr options flags = options::fixed_length_encoding;

  template <class T>
  static constexpr const char *refuses =
      !std::is_aggregate_v<T> ? "alpaca writes structs only"
      : serbench::holds<IsMiscounted, T>
          ? "alpaca counts the members of one of the structs wrongly, and would leave some out"
          : nullptr;

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "alpaca";
    info.format = "alpaca";
    info.library = "alpaca";
    info.library_version = "unknown";
    info.notes =
        "integers of fixed length: its variable-length ones lose the upper bits of large integers";
    info.validation = SERBENCH_TRUSTED;  // altered bytes become a bool or an enum that is none
    return info;
  }
  template <class T>
  static void serialize(const T &value, Buffer &out) {
    alpaca::serialize<flags>(value, out);
  }
  template <class T>
  static T deserialize(serbench::Input in, Scratch &) {
    const std::span bytes(in.data, in.size);
    T value{};
    std::error_code error;
    std::size_t at = 0, end = in.size;
    alpaca::deserialize<flags, T>(value, bytes, at, end, error);
    if (error) throw serbench::malformed(error.message());
    if (at != in.size) throw serbench::malformed("bytes left over, or too few of them");
    return value;
  }
};

}  // namespace

SERBENCH_PLUGIN("alpaca", "MIT", Alpaca)

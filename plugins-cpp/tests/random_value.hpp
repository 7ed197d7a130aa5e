// Values of any generated type, drawn at random.
#pragma once

#include <random>
#include <serbench.hpp>

namespace serbench::test {

class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : rng_(seed) {}

  template <class T>
  T draw() {
    T value{};
    fill(value);
    return value;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(rng_() % bound); }

  /// Mostly short: nested lists must not explode.
  std::size_t length() {
    if (depth_ > 6) return 0;
    return below(10) == 0 ? below(40) : below(4);
  }

  template <class S>
  S scalar() {
    if constexpr (std::is_same_v<S, bool>) {
      return below(2) == 1;
    } else if constexpr (std::is_floating_point_v<S>) {
      static constexpr S special[] = {S(0), S(-0.0), S(1), S(-1.5), S(0.1), S(1e30), S(-3.25e-7)};
      if (below(2) == 0) return special[below(std::size(special))];
      return static_cast<S>(static_cast<double>(rng_()) / 1e12 - 5e6);
    } else {
      switch (below(4)) {
        case 0:
          return std::numeric_limits<S>::min();
        case 1:
          return std::numeric_limits<S>::max();
        case 2:
          return static_cast<S>(below(100));
        default:
          return static_cast<S>(rng_() >> below(64));
      }
    }
  }

  std::string text() {
    static constexpr const char *pieces[] = {
        "a",    "serbench", " ", "\"", "\\", "\n", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\xa6\x80",
        "\x01", "/"};
    std::string out;
    for (std::size_t left = below(4) == 0 ? below(60) : below(5); left != 0; --left) {
      out += pieces[below(std::size(pieces))];
    }
    return out;
  }

  template <class T>
  void fill(T &value) {
    ++depth_;
    if constexpr (is_scalar<T>) {
      value = scalar<T>();
    } else if constexpr (is_string<T>) {
      value = text();
    } else if constexpr (is_bytes<T>) {
      value.resize(length());
      for (auto &byte : value) byte = static_cast<std::byte>(below(256));
    } else if constexpr (is_list<T>) {
      for (std::size_t left = length(); left != 0; --left) {
        append(value, [&](auto &element) { fill(element); });
      }
    } else if constexpr (is_array<T>) {
      for (auto &element : value) fill(element);
    } else if constexpr (is_option<T>) {
      if (below(2) == 1) fill(value.emplace());
    } else if constexpr (is_map<T>) {
      for (std::size_t left = length(); left != 0; --left) {
        fill(value["k" + std::to_string(below(1000))]);
      }
    } else if constexpr (is_tensor<T>) {
      std::size_t count = 1;
      for (std::size_t rank = below(4); rank != 0; --rank) {
        value.shape.push_back(static_cast<std::uint32_t>(below(4)));
        count *= value.shape.back();
      }
      value.data.resize(count);
      for (auto &element : value.data) fill(element);
    } else if constexpr (is_record<T> || is_tuple<T>) {
      visit_fields(value, [&](auto field, auto &member) {
        if (!field.skip_default || below(2) == 0) fill(member);
      });
    } else if constexpr (is_unit_enum<T>) {
      value = static_cast<T>(below(variant_count<T>));
    } else if constexpr (is_variants<T>) {
      emplace_payload(value, below(variant_count<T>), [&](auto &payload) { fill(payload); });
    }
    --depth_;
  }

  std::mt19937_64 rng_;
  int depth_ = 0;
};

}  // namespace serbench::test

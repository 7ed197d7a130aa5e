// Values come back as they went in, and what is cut short is refused.
#include "../src/codec.hpp"

#include <cstdio>
#include <limits>
#include <serbench/datasets.hpp>

namespace {

int failures = 0;

void expect(bool holds, const char *what, const char *of) {
  if (!holds) {
    std::fprintf(stderr, "%s: %s\n", of, what);
    ++failures;
  }
}

template <class T>
bool is_refused(serbench::Input in) {
  try {
    format::read<T>(in);
    return false;
  } catch (const serbench::Error &) {
    return true;
  }
}

template <class T>
void check(const char *name, const T &value) {
  std::vector<std::uint8_t> out;
  format::write(value, out);
  expect(serbench::same(format::read<T>({out.data(), out.size()}), value), "came back changed",
         name);
  for (std::size_t size = 0; size < out.size(); ++size) {
    expect(is_refused<T>({out.data(), size}), "was read though it was cut short", name);
  }
  out.push_back(0);
  expect(is_refused<T>({out.data(), out.size()}), "was read with a byte left over", name);
}

/// Integers at their limits.
template <class... T>
void check_limits() {
  (check("limits", std::array<T, 2>{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}),
   ...);
}

/// The values that the types of the datasets have to begin with.
template <class... D>
void check_datasets(serbench::TypeList<D...>) {
  (check(D::name, typename D::Root{}), ...);
}

}  // namespace

int main() {
  check_limits<std::int8_t, std::int16_t, std::int32_t, std::int64_t>();
  check_limits<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>();
  check("floats", std::vector<double>{-0.0, 1e300, -1e-300});
  check("bools", std::vector<bool>{true, false, true});
  check("bytes", serbench::Bytes{std::byte{0}, std::byte{255}});
  check("map", serbench::Map<std::optional<std::string>>{{"", "empty"}, {"none", std::nullopt}});
  check("tensor", serbench::Tensor<float>{{2, 3}, {1, 2, 3, 4, 5, 6}});
  check_datasets(serbench::data::Datasets{});
  return failures == 0 ? 0 : 1;
}

// Reads cases (u32 number, u32 size, canonical bytes) and answers each with the same value as this
// language sees it: u64 checksum, u32 size, canonical bytes. The number is that of a dataset; from
// the count of datasets on it asks, without looking at the bytes, for a dataset's default value.
#include <cstdio>
#include <serbench/datasets.hpp>

namespace {

using Bytes = std::vector<std::uint8_t>;

bool receive(void *data, std::size_t size) { return std::fread(data, 1, size, stdin) == size; }
void send(const void *data, std::size_t size) { std::fwrite(data, 1, size, stdout); }

template <class T>
void answer(const T &value) {
  serbench::Checksum sum;
  serbench::fold(value, sum);
  Bytes encoded;
  serbench::encode(value, encoded);
  const std::uint64_t checksum = sum.finish();
  const auto size = static_cast<std::uint32_t>(encoded.size());
  send(&checksum, sizeof checksum);
  send(&size, sizeof size);
  send(encoded.data(), encoded.size());
}

template <class D>
void echo(const Bytes &bytes) {
  answer(serbench::Decoder::decode<typename D::Root>({bytes.data(), bytes.size()}));
}

template <class D>
void answer_default(const Bytes &) {
  answer(serbench::default_of<typename D::Root>);
}

template <class... D>
void answer_case(std::uint32_t index, const Bytes &bytes, serbench::TypeList<D...>) {
  using Handler = void (*)(const Bytes &);
  static constexpr Handler echoes[] = {&echo<D>...};
  static constexpr Handler defaults[] = {&answer_default<D>...};
  if (index < sizeof...(D)) {
    echoes[index](bytes);
  } else {
    defaults[index - sizeof...(D)](bytes);
  }
}

}  // namespace

int main() {
  std::uint32_t index, size;
  while (receive(&index, sizeof index) && receive(&size, sizeof size)) {
    Bytes bytes(size);
    if (!receive(bytes.data(), size)) return 1;
    answer_case(index, bytes, serbench::data::Datasets{});
  }
}

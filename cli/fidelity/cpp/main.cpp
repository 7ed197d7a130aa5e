// A codec's plugin source, compiled in, and measured by Google Benchmark: `serialize` into a kept
// buffer, and `deserialize`, whose time contains the drop of the value, as it does in serbench.
//
// Usage: PROGRAM DATASET FILE [benchmark flags]; FILE holds the values' canonical bytes.
#include PLUGIN_SOURCE

#include <benchmark/benchmark.h>

#include <cstdio>
#include <fstream>
#include <iterator>

namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint64_t word(const Bytes &file, std::size_t &at) {
  std::uint64_t value = 0;
  std::memcpy(&value, file.data() + at, sizeof value);
  at += sizeof value;
  return value;
}

template <class T>
std::vector<T> read_values(const char *path) {
  std::ifstream stream(path, std::ios::binary);
  const Bytes file((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  std::size_t at = 0;
  std::vector<T> values(word(file, at));
  for (T &value : values) {
    const std::size_t size = word(file, at);
    value = serbench::Decoder::decode<T>({file.data() + at, size});
    at += size;
  }
  return values;
}

template <class T>
void serialize(benchmark::State &state, const std::vector<T> &values) {
  typename CODEC::Buffer buffer;
  std::size_t next = 0;
  for (auto _ : state) {
    buffer.clear();
    CODEC::serialize<T>(values[next], buffer);
    benchmark::DoNotOptimize(buffer.data());
    benchmark::ClobberMemory();
    if (++next == values.size()) next = 0;
  }
}

template <class T>
void deserialize(benchmark::State &state, const std::vector<T> &values) {
  std::vector<Bytes> messages;
  for (const T &value : values) {
    typename CODEC::Buffer buffer;
    CODEC::serialize<T>(value, buffer);
    const auto *data = reinterpret_cast<const std::uint8_t *>(buffer.data());
    Bytes message(data, data + buffer.size());
    // As serbench's input, of which some libraries make use: readable zero bytes follow.
    message.resize(message.size() + SERBENCH_INPUT_PADDING);
    messages.push_back(std::move(message));
  }
  typename CODEC::Scratch scratch;
  std::size_t next = 0;
  for (auto _ : state) {
    const Bytes &message = messages[next];
    auto value =
        CODEC::deserialize<T>({message.data(), message.size() - SERBENCH_INPUT_PADDING}, scratch);
    benchmark::DoNotOptimize(&value);
    benchmark::ClobberMemory();
    if (++next == messages.size()) next = 0;
  }
}

template <class D>
bool register_if(const char *dataset, const char *path) {
  using T = typename D::Root;
  if (std::strcmp(dataset, D::name) != 0) return false;
  static std::vector<T> values;
  values = read_values<T>(path);
  benchmark::RegisterBenchmark("serialize", [](benchmark::State &s) { serialize(s, values); });
  benchmark::RegisterBenchmark("deserialize", [](benchmark::State &s) { deserialize(s, values); });
  return true;
}

template <class... D>
bool register_any(const char *dataset, const char *path, serbench::TypeList<D...>) {
  return (register_if<D>(dataset, path) || ...);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3 || !register_any(argv[1], argv[2], serbench::data::Datasets{})) {
    std::fprintf(stderr, "usage: %s DATASET FILE [benchmark flags]\n", argv[0]);
    return 2;
  }
  argv[2] = argv[0];
  argc -= 2;
  argv += 2;
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

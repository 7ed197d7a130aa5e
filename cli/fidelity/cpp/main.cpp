// A plugin that is linked statically, measured by Google Benchmark: `serialize`, and `deserialize`,
// whose time contains the drop of the value before.
//
// Usage: PROGRAM CODEC DATASET FINGERPRINT FILE [benchmark flags]; FILE holds the schema and then
// the values, each after its size.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "serbench.h"

namespace {

/// Stops the program where a call failed.
void expect_ok(std::int32_t status, const char *call) {
  if (status == SERBENCH_OK) return;
  std::fprintf(stderr, "%s failed with status %d\n", call, static_cast<int>(status));
  std::exit(1);
}

/// What stands in a file, a size before each.
std::vector<std::string> read_parts(const char *path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string file((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < file.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, file.data() + at, sizeof size);
    parts.push_back(file.substr(at + sizeof size, size));
    at += sizeof size + size;
  }
  return parts;
}

const serbench_codec &find_codec(const char *id) {
  const serbench_plugin *plugin = serbench_plugin_entry_v1();
  for (std::uint64_t i = 0; i < plugin->codec_count; ++i) {
    if (std::strcmp(plugin->codecs[i]->id, id) == 0) return *plugin->codecs[i];
  }
  std::fprintf(stderr, "there is no codec %s in this plugin\n", id);
  std::exit(2);
}

/// A copy of a message, where the contract has it: on a boundary, with zeros behind. Never freed.
serbench_bytes placed(serbench_bytes message) {
  const std::size_t lines = message.size / SERBENCH_INPUT_ALIGN + 1;
  const std::size_t room = lines * SERBENCH_INPUT_ALIGN + SERBENCH_INPUT_PADDING;
  auto *place = static_cast<std::uint8_t *>(std::aligned_alloc(SERBENCH_INPUT_ALIGN, room));
  std::memset(place, 0, room);
  std::memcpy(place, message.data, message.size);
  return {place, message.size};
}

/// Runs `call`, a copy of its own, over and over, with the number of each value in turn.
template <class F>
void measure(benchmark::State &state, std::size_t values, F call) {
  std::size_t next = 0;
  for (auto _ : state) {
    call(next);
    if (++next == values) next = 0;
  }
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: %s CODEC DATASET FINGERPRINT FILE [benchmark flags]\n", argv[0]);
    return 2;
  }
  const auto parts = read_parts(argv[4]);
  std::vector<serbench_bytes> values;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    values.push_back({reinterpret_cast<const std::uint8_t *>(parts[i].data()), parts[i].size()});
  }
  serbench_open_args args{};
  args.struct_size = sizeof args;
  args.dataset = {argv[2], argv[3]};
  args.schema = parts.at(0).c_str();
  args.values = values.data();
  args.value_count = values.size();
  const serbench_instance *instance = nullptr;
  expect_ok(find_codec(argv[1]).open(&args, &instance), "open");

  std::vector<serbench_bytes> messages;
  const auto serialize = [codec = *instance](std::size_t value) {
    serbench_bytes out{};
    expect_ok(codec.serialize(codec.self, value, &out), "serialize");
    benchmark::DoNotOptimize(out.data);
    return out;
  };
  const auto deserialize = [codec = *instance, &messages](std::size_t value) {
    expect_ok(codec.deserialize(codec.self, messages[value]), "deserialize");
  };
  for (std::size_t i = 0; i < values.size(); ++i) messages.push_back(placed(serialize(i)));

  benchmark::RegisterBenchmark(
      "serialize", [&](benchmark::State &state) { measure(state, values.size(), serialize); });
  benchmark::RegisterBenchmark(
      "deserialize", [&](benchmark::State &state) { measure(state, values.size(), deserialize); });
  argv[4] = argv[0];
  argc -= 4;
  benchmark::Initialize(&argc, argv + 4);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

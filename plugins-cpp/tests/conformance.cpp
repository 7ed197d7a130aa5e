// Checks plugins against the contract: every codec on every dataset, with values drawn at random.
//
//   serbench_conformance [--codec GLOB] plugin.so...
//
// A value must come back as it went in, in every mode; a checked codec must survive bytes that are
// cut short or altered. Run it on a build with -DSERBENCH_SANITIZE=ON to make that mean something.
#include <dlfcn.h>
#include <fnmatch.h>

#include <cstdio>
#include <memory>
#include <serbench/datasets.hpp>

#include "random_value.hpp"

namespace {

using serbench::Input;
using Buffer = std::vector<std::uint8_t>;

constexpr std::size_t value_count = 40;
int failures = 0;

/// Input as the host lays it out: aligned or one byte off, with zero bytes behind.
class Placed {
 public:
  Placed(const std::uint8_t *data, std::size_t size, bool misaligned)
      : room_(SERBENCH_INPUT_ALIGN + 1 + size + SERBENCH_INPUT_PADDING) {
    void *start = room_.data();
    std::size_t space = room_.size();
    std::align(SERBENCH_INPUT_ALIGN, 1, start, space);
    auto *first = static_cast<std::uint8_t *>(start) + (misaligned ? 1 : 0);
    if (size != 0) std::memcpy(first, data, size);
    bytes_ = {first, size};
  }
  serbench_bytes get() const { return bytes_; }

 private:
  Buffer room_;
  serbench_bytes bytes_{};
};

struct Sample {
  Buffer canonical;
  std::uint64_t checksum = 0;
};

template <class T>
std::vector<Sample> draw_samples() {
  serbench::test::RandomValues random(7);
  std::vector<Sample> samples(value_count);
  for (std::size_t i = 0; i < value_count; ++i) {
    const T value = random.draw<T>();
    serbench::encode(value, samples[i].canonical);
    serbench::Checksum sum;
    serbench::fold(value, sum);
    samples[i].checksum = sum.finish();
  }
  return samples;
}

struct Outcome {
  std::size_t passed = 0, unsupported = 0;
  std::string reason, failure;
};

void fail(Outcome &outcome, const serbench_instance &it, std::size_t index, const char *what) {
  outcome.failure =
      "value " + std::to_string(index) + ": " + what + " (" + it.last_error(it.self) + ")";
}

bool equal(serbench_bytes a, const Buffer &b) {
  return a.size == b.size() && (b.empty() || std::memcmp(a.data, b.data(), b.size()) == 0);
}

/// One value there and back. False: no use going on.
bool check_value(const serbench_instance &it, const serbench_codec &codec, std::size_t index,
                 const Sample &sample, bool misaligned, Outcome &outcome, Buffer &wire) {
  serbench_bytes out{};
  const std::int32_t status = it.serialize(it.self, index, &out);
  if (status == SERBENCH_UNSUPPORTED) {
    ++outcome.unsupported;
    outcome.reason = it.last_error(it.self);
    wire.clear();
    return true;
  }
  if (status != SERBENCH_OK) return fail(outcome, it, index, "serialize failed"), false;
  wire.assign(out.data, out.data + out.size);
  if ((codec.capabilities & SERBENCH_CAP_NONDETERMINISTIC) == 0) {
    if (it.serialize(it.self, index, &out) != SERBENCH_OK || !equal(out, wire)) {
      return fail(outcome, it, index, "serializes differently a second time"), false;
    }
  }
  const Placed placed(wire.data(), wire.size(), misaligned);
  if (it.deserialize(it.self, placed.get()) != SERBENCH_OK) {
    return fail(outcome, it, index, "deserialize failed"), false;
  }
  std::uint64_t checksum = 0;
  if (it.read(it.self, &checksum) != SERBENCH_OK || checksum != sample.checksum) {
    return fail(outcome, it, index, "read another checksum"), false;
  }
  if (it.export_value(it.self, &out) != SERBENCH_OK || !equal(out, sample.canonical)) {
    return fail(outcome, it, index, "another value came back"), false;
  }
  ++outcome.passed;
  return true;
}

/// Input that no serializer wrote: anything may come of it but a fault.
void attack(const serbench_instance &it, const Buffer &wire, std::mt19937_64 &rng) {
  const auto attempt = [&](const Buffer &bytes) {
    const Placed placed(bytes.data(), bytes.size(), rng() % 2 == 0);
    serbench_bytes out{};
    std::uint64_t checksum = 0;
    if (it.deserialize(it.self, placed.get()) == SERBENCH_OK) {
      (void)it.read(it.self, &checksum);
      (void)it.export_value(it.self, &out);
    } else if (it.read(it.self, &checksum) == SERBENCH_OK) {
      std::puts("FAILED: a value can be read after a failed deserialize");
      ++failures;
    }
  };
  for (std::size_t cut = 0; cut < wire.size(); cut += 1 + wire.size() / 64) {
    attempt(Buffer(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(cut)));
  }
  for (int round = 0; round < 64 && !wire.empty(); ++round) {
    Buffer altered = wire;
    for (std::uint64_t left = 1 + rng() % 3; left != 0; --left) {
      auto &byte = altered[rng() % altered.size()];
      byte = rng() % 2 == 0 ? static_cast<std::uint8_t>(rng()) : static_cast<std::uint8_t>(255);
    }
    attempt(altered);
  }
}

template <class D>
Outcome check_mode(const serbench_codec &codec, const std::vector<Sample> &samples,
                   std::uint64_t mode) {
  std::vector<serbench_bytes> values;
  for (const auto &sample : samples) {
    values.push_back({sample.canonical.data(), sample.canonical.size()});
  }
  serbench_open_args args{};
  args.struct_size = sizeof args;
  args.mode = mode;
  args.dataset = {D::name, D::fingerprint};
  args.schema = "{}";
  args.values = values.data();
  args.value_count = values.size();
  Outcome outcome;
  const serbench_instance *it = nullptr;
  const std::int32_t status = codec.open(&args, &it);
  if (status == SERBENCH_UNSUPPORTED) {
    outcome.reason = codec.open_error();
    return outcome;
  }
  if (status != SERBENCH_OK) {
    outcome.failure = std::string("open: ") + codec.open_error();
    return outcome;
  }
  std::mt19937_64 rng(11);
  Buffer wire;
  const bool misaligned = (mode & SERBENCH_MODE_MISALIGNED_INPUT) != 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!check_value(*it, codec, i, samples[i], misaligned, outcome, wire)) break;
    if (codec.validation == SERBENCH_CHECKED && i % 4 == 0) attack(*it, wire, rng);
  }
  it->close(it->self);
  return outcome;
}

template <class D>
void check_dataset(const serbench_codec &codec) {
  const auto samples = draw_samples<typename D::Root>();
  Outcome outcome;
  for (std::uint64_t mode :
       {UINT64_C(0), SERBENCH_MODE_FRESH_OUTPUT, SERBENCH_MODE_MISALIGNED_INPUT}) {
    outcome = check_mode<D>(codec, samples, mode);
    if (!outcome.failure.empty()) break;
  }
  if (!outcome.failure.empty()) {
    ++failures;
    std::printf("%-28s %-28s FAILED: %s\n", codec.id, D::name, outcome.failure.c_str());
  } else if (outcome.passed == 0) {
    std::printf("%-28s %-28s unsupported: %s\n", codec.id, D::name, outcome.reason.c_str());
  } else {
    std::printf("%-28s %-28s ok, %zu values%s%s\n", codec.id, D::name, outcome.passed,
                outcome.unsupported != 0 ? "; the others: " : "", outcome.reason.c_str());
  }
}

template <class... D>
void check_codec(const serbench_codec &codec, serbench::TypeList<D...>) {
  std::printf("%-28s %s %s %s\n", codec.id, codec.format, codec.library, codec.library_version);
  (check_dataset<D>(codec), ...);
}

const serbench_plugin *load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::printf("FAILED: %s\n", dlerror());
    return nullptr;
  }
  using Entry = const serbench_plugin *(*)();
  void *symbol = dlsym(library, SERBENCH_ENTRY_SYMBOL);
  Entry entry = nullptr;
  std::memcpy(&entry, &symbol, sizeof entry);
  return entry == nullptr ? nullptr : entry();
}

}  // namespace

// What the sanitizers are told, where the build has them. Codecs that declare
// SERBENCH_CAP_UNBOUNDED ask for more memory than there is, and are to be told that there is none.
// The second: where gcc 12's looks for leaks in the thread-local storage of a plugin, it crashes
// now and then itself.
extern "C" const char *__asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char *__lsan_default_options() { return "use_tls=0"; }

int main(int argc, char **argv) {
  const char *glob = "*";
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--codec" && i + 1 < argc) {
      glob = argv[++i];
      continue;
    }
    const serbench_plugin *plugin = load(argv[i]);
    if (plugin == nullptr || plugin->magic != SERBENCH_MAGIC) {
      std::printf("FAILED: %s is no plugin\n", argv[i]);
      ++failures;
      continue;
    }
    for (std::uint64_t c = 0; c < plugin->codec_count; ++c) {
      const serbench_codec &codec = *plugin->codecs[c];
      if (fnmatch(glob, codec.id, 0) == 0) check_codec(codec, serbench::data::Datasets{});
      std::fflush(stdout);
    }
  }
  return failures == 0 ? 0 : 1;
}

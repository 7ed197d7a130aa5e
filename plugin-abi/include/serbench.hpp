/*
 * serbench.hpp - the C++17 SDK for codec plugins, on top of serbench.h.
 *
 * A plugin is one struct per codec, derived from serbench::Codec, and one line:
 *
 *   #include <serbench/datasets.hpp>   // the generated types; includes this file
 *
 *   struct Mine : serbench::Codec {
 *     static serbench::CodecInfo info();
 *     template <class T> static void serialize(const T &value, Buffer &out);
 *     template <class T> static T deserialize(serbench::Input in, Scratch &);
 *   };
 *   SERBENCH_PLUGIN("mine", "MIT", Mine)
 *
 * T is the root type of a dataset: a plain aggregate whose fields serbench::visit_fields walks.
 * The SDK does the rest: datasets, canonical conversion, `read`, `export`, modes and errors.
 */
#ifndef SERBENCH_HPP
#define SERBENCH_HPP

#include <algorithm>
#include <memory>
#include <new>

#include "serbench.h"
#include "serbench/canonical.hpp"
#include "serbench/data.hpp"
#include "serbench/view.hpp"
#include "serbench/wire.hpp"

namespace serbench {

/// What a codec says about itself.
struct CodecInfo {
  std::string id;               ///< "library" or "library/variant"
  std::string format;           ///< the wire format: "JSON", "MessagePack", ...
  std::string library;          ///< the library's package name
  std::string library_version;  ///< of the library that is linked, asked of it where it can tell
  std::string notes;            ///< what a reader of the table must know
  std::uint64_t capabilities = SERBENCH_CAP_SCHEMA | reuses_and_fresh;
  std::uint32_t yields = SERBENCH_YIELDS_OWNED;
  std::uint32_t validation = SERBENCH_CHECKED;

  static constexpr std::uint64_t reuses_and_fresh =
      SERBENCH_CAP_REUSES_OUTPUT | SERBENCH_CAP_FRESH_OUTPUT;

  bool has(std::uint64_t capability) const { return (capabilities & capability) != 0; }
};

/// What a codec may leave as it is. All of it is hidden by members of the same name in the codec.
struct Codec {
  /// The output container: has clear(), data() and size(). It is kept between calls, or made anew
  /// for each in *fresh* mode, so whatever else `serialize` wants to keep may stand in it, too.
  using Buffer = std::vector<std::uint8_t>;
  /// What `deserialize` keeps between calls. It outlives the decoded value, which may point in it.
  struct Scratch {};
  /// What an application that uses the library holds, and `serialize` starts from.
  template <class T>
  using Value = T;
  /// What `deserialize` yields. One that is not a T has overloads of fold() and encode().
  template <class T>
  using Decoded = T;
  /// The codec that this one writes as, where they differ in reading alone: one whose Buffer,
  /// Value, prepare() and serialize() are its own, which are then compiled once for both. void:
  /// itself.
  using WritesAs = void;
  /// False: the format is not self-describing, and nothing is instantiated for the datasets that
  /// need one which is. The capability of that name decides whether they are refused.
  static constexpr bool self_describing = true;
  /// Why the codec cannot carry T at all; then nothing is instantiated for it.
  template <class T>
  static constexpr const char *refuses = nullptr;
  /// What a reader of the row for T must know, such as what had to be widened.
  template <class T>
  static constexpr const char *note = "";

  /// Makes what `serialize` starts from. Never timed.
  template <class T>
  [[gnu::cold]] static T prepare(T &&value) {
    return std::move(value);
  }
};

namespace detail {

/// Room for a T that is made in place, and dropped before the next one is made.
template <class T>
class Slot {
 public:
  Slot() = default;
  Slot(const Slot &) = delete;
  Slot &operator=(const Slot &) = delete;
  [[gnu::cold]] ~Slot() { reset(); }  // of an instance that is closed

  void reset() {
    if (filled_) {
      filled_ = false;
      get().~T();
    }
  }
  /// Puts what `make()` returns in the slot, without moving it.
  template <class F>
  void fill(F &&make) {
    reset();
    new (static_cast<void *>(room_)) T(make());
    filled_ = true;
  }
  bool filled() const { return filled_; }
  T &get() { return *std::launder(reinterpret_cast<T *>(room_)); }

 private:
  alignas(T) unsigned char room_[sizeof(T)];
  bool filled_ = false;
};

/// What is thrown and not yet caught, as a status and a message. A standard exception that is none
/// of ours has the status `other`. It stands here once, since what calls it is there for every
/// codec and dataset.
[[gnu::cold, gnu::noinline]] inline std::int32_t caught(std::string &message,
                                                        std::int32_t other) noexcept {
  try {
    try {
      throw;
    } catch (const Error &error) {
      message = error.what();
      return error.status();
    } catch (const std::bad_alloc &) {
      message = "out of memory";
      return SERBENCH_OUT_OF_MEMORY;
    } catch (const std::exception &error) {
      message = error.what();
      return other;
    } catch (...) {
      message = "something that is no std::exception was thrown";
      return SERBENCH_INTERNAL;
    }
  } catch (...) {
    return SERBENCH_OUT_OF_MEMORY;  // not even the message could be kept
  }
}

/// Runs `f` and turns whatever it throws into a status and a message.
template <class F>
std::int32_t guarded(std::string &message, std::int32_t other, F &&f) noexcept {
  try {
    f();
    return SERBENCH_OK;
  } catch (...) {
    return caught(message, other);
  }
}

[[noreturn, gnu::cold, gnu::noinline]] inline void no_value() {
  throw internal("there is no decoded value");
}

/// What is the same in every instance.
struct InstanceBase {
  serbench_instance abi{};
  bool fresh = false;  ///< a new output container for every call
  std::vector<std::uint8_t> exported;
  std::string error;
};

// What is never timed is marked as cold in what follows, which spares the compiler from inlining
// there: there is one of each for every codec and dataset.

/// The half of an instance that writes values of dataset D as codec C does.
template <class C, class D>
class Writing : protected InstanceBase {
 protected:
  using T = typename D::Root;
  using Buffer = typename C::Buffer;
  using Value = typename C::template Value<T>;

  [[gnu::cold]] explicit Writing(const serbench_open_args &args) : values_(args.value_count) {
    for (std::uint64_t i = 0; i < args.value_count; ++i) {
      const Input bytes{args.values[i].data, static_cast<std::size_t>(args.values[i].size)};
      values_[i].fill([&] { return C::template prepare<T>(from_canonical<D>(bytes)); });
    }
    fresh = (args.mode & SERBENCH_MODE_FRESH_OUTPUT) != 0;
    buffer_.fill([] { return Buffer(); });
    abi.struct_size = sizeof abi;
    abi.self = static_cast<InstanceBase *>(this);
    abi.serialize = &serialize;
    abi.last_error = [](void *self) { return static_cast<InstanceBase *>(self)->error.c_str(); };
  }
  [[gnu::cold]] ~Writing() = default;

 private:
  static std::int32_t serialize(void *self, std::uint64_t index, serbench_bytes *out) noexcept {
    Writing &it = static_cast<Writing &>(*static_cast<InstanceBase *>(self));
    return guarded(it.error, SERBENCH_INTERNAL, [&] {
      if (it.fresh) {
        it.buffer_.fill([] { return Buffer(); });
      } else {
        it.buffer_.get().clear();
      }
      Buffer &buffer = it.buffer_.get();
      C::template serialize<T>(static_cast<const Value &>(it.values_[index].get()), buffer);
      *out = {reinterpret_cast<const std::uint8_t *>(buffer.data()),
              static_cast<std::uint64_t>(buffer.size())};
    });
  }

  std::vector<Slot<Value>> values_;
  Slot<Buffer> buffer_;
};

template <class C>
using WriterOf = std::conditional_t<std::is_void_v<typename C::WritesAs>, C, typename C::WritesAs>;

/// Codec C opened on dataset D, whose root type is T.
template <class C, class D>
class Instance : Writing<WriterOf<C>, D> {
 public:
  using T = typename D::Root;
  using Scratch = typename C::Scratch;
  using Decoded = typename C::template Decoded<T>;

  [[gnu::cold]] static const serbench_instance *open(const serbench_open_args &args) {
    return &(new Instance(args))->abi;
  }

 private:
  using Base = Writing<WriterOf<C>, D>;
  using Base::abi;

  [[gnu::cold]] explicit Instance(const serbench_open_args &args) : Base(args) {
    abi.note = C::template note<T>;
    abi.deserialize = &deserialize;
    abi.read = &read;
    abi.export_value = &export_value;
    abi.close = &close;
  }
  [[gnu::cold]] ~Instance() = default;

  static Instance &of(void *self) {
    return static_cast<Instance &>(*static_cast<InstanceBase *>(self));
  }

  static std::int32_t deserialize(void *self, serbench_bytes input) noexcept {
    Instance &it = of(self);
    return guarded(it.error, SERBENCH_MALFORMED, [&] {
      const Input in{input.data, static_cast<std::size_t>(input.size)};
      it.decoded_.fill([&] { return C::template deserialize<T>(in, it.scratch_); });
    });
  }

  static std::int32_t read(void *self, std::uint64_t *checksum) noexcept {
    Instance &it = of(self);
    return guarded(it.error, SERBENCH_MALFORMED, [&] {
      Checksum sum;
      fold(it.decoded(), sum);
      *checksum = sum.finish();
    });
  }

  [[gnu::cold]] static std::int32_t export_value(void *self, serbench_bytes *out) noexcept {
    Instance &it = of(self);
    return guarded(it.error, SERBENCH_MALFORMED, [&] {
      it.exported.clear();
      if constexpr (std::is_same_v<Decoded, T>) {
        to_canonical<D>(it.decoded(), it.exported);
      } else {
        encode(it.decoded(), it.exported);
      }
      *out = {it.exported.data(), it.exported.size()};
    });
  }

  [[gnu::cold]] static void close(void *self) { delete &of(self); }

  const Decoded &decoded() {
    if (!decoded_.filled()) no_value();
    return decoded_.get();
  }

  Scratch scratch_{};
  Slot<Decoded> decoded_;
};

/// What a codec is asked to be opened on, and how.
struct Opening {
  const char *name;
  const char *fingerprint;
  bool needs_self_describing;
  const char *refuses;
  const serbench_instance *(*open)(const serbench_open_args &);
};

template <class C, class D>
constexpr Opening opening() {
  constexpr const char *refuses = D::needs_self_describing && !C::self_describing
                                      ? "the format is not self-describing"
                                      : C::template refuses<typename D::Root>;
  if constexpr (refuses != nullptr) {
    return {D::name, D::fingerprint, D::needs_self_describing, refuses, nullptr};
  } else {
    return {D::name, D::fingerprint, D::needs_self_describing, nullptr, &Instance<C, D>::open};
  }
}

/// Opens a codec on the dataset that `args` names, one of `openings`.
inline const serbench_instance *open_any(const serbench_open_args &args, const CodecInfo &info,
                                         const Opening *openings, std::size_t count) {
  const std::string_view name = args.dataset.name;
  const Opening *const opening =
      std::find_if(openings, openings + count, [&](const Opening &it) { return name == it.name; });
  if (opening == openings + count) {
    throw unsupported("the plugin was not built with dataset " + std::string(name) +
                      "; rebuild it with the dataset in the catalog or in SERBENCH_DATASETS");
  }
  if (std::strcmp(args.dataset.fingerprint, opening->fingerprint) != 0) {
    throw internal(std::string("built against fingerprint ") + opening->fingerprint +
                   " of dataset " + opening->name + ", the host has " + args.dataset.fingerprint +
                   "; rebuild the plugin");
  }
  if (opening->needs_self_describing && !info.has(SERBENCH_CAP_SELF_DESCRIBING)) {
    throw unsupported(info.format + " as written by " + info.id +
                      " is not self-describing: it cannot leave out fields of the dataset");
  }
  if (opening->refuses != nullptr) throw unsupported(opening->refuses);
  return opening->open(args);
}

template <class C, class... D>
const serbench_instance *open_any(const serbench_open_args &args, TypeList<D...>) {
  static constexpr std::array<Opening, sizeof...(D)> openings = {opening<C, D>()...};
  return open_any(args, C::info(), openings.data(), openings.size());
}

/// What the host hands to `open`, of whichever version it is: what it lacks is zero.
inline serbench_open_args known_part(const serbench_open_args &theirs) {
  if (theirs.struct_size < SERBENCH_OPEN_ARGS_SIZE_1_0) {
    throw internal("serbench_open_args has " + std::to_string(theirs.struct_size) +
                   " bytes, at least " + std::to_string(SERBENCH_OPEN_ARGS_SIZE_1_0) + " expected");
  }
  serbench_open_args ours{};
  std::memcpy(&ours, &theirs, std::min<std::uint64_t>(theirs.struct_size, sizeof ours));
  if ((ours.mode & ~(SERBENCH_MODE_FRESH_OUTPUT | SERBENCH_MODE_MISALIGNED_INPUT)) != 0) {
    throw unsupported("the mode " + std::to_string(ours.mode) +
                      " has bits of a later version than the plugin; rebuild it");
  }
  return ours;
}

inline std::string &open_message() {
  thread_local std::string message;
  return message;
}

/// The constant descriptor of codec C for a list of datasets.
template <class C, class Datasets>
class CodecDescriptor {
 public:
  static const serbench_codec *get() {
    static const CodecDescriptor descriptor;
    return &descriptor.abi_;
  }

 private:
  CodecDescriptor() : info_(C::info()) {
    abi_.struct_size = sizeof abi_;
    abi_.id = info_.id.c_str();
    abi_.format = info_.format.c_str();
    abi_.library = info_.library.c_str();
    abi_.library_version = info_.library_version.c_str();
    abi_.notes = info_.notes.c_str();
    abi_.capabilities = info_.capabilities;
    abi_.yields = info_.yields;
    abi_.validation = info_.validation;
    abi_.open = &open;
    abi_.open_error = [] { return open_message().c_str(); };
    abi_.get_extension = nullptr;
  }

  static std::int32_t open(const serbench_open_args *args,
                           const serbench_instance **instance) noexcept {
    return guarded(open_message(), SERBENCH_INTERNAL,
                   [&] { *instance = open_any<C>(known_part(*args), Datasets{}); });
  }

  CodecInfo info_;
  serbench_codec abi_{};
};

template <class... D>
std::vector<serbench_dataset_id> dataset_ids(TypeList<D...>) {
  return {serbench_dataset_id{D::name, D::fingerprint}...};
}

/// The constant descriptor of a plugin.
template <class Datasets, class... C>
const serbench_plugin *plugin(const char *id, const char *version, const char *license,
                              const char *compiler, const char *flags) {
  static const serbench_codec *const codecs[] = {CodecDescriptor<C, Datasets>::get()...};
  static const std::vector<serbench_dataset_id> datasets = dataset_ids(Datasets{});
  static const serbench_plugin descriptor = {SERBENCH_MAGIC,
                                             SERBENCH_ABI_MAJOR,
                                             SERBENCH_ABI_MINOR,
                                             sizeof(serbench_plugin),
                                             id,
                                             version,
                                             license,
                                             "C++",
                                             compiler,
                                             flags,
                                             codecs,
                                             sizeof...(C),
                                             datasets.data(),
                                             datasets.size()};
  return &descriptor;
}

}  // namespace detail
}  // namespace serbench

// What the build tells: see the function serbench_plugin of CMake.
#ifndef SERBENCH_PLUGIN_VERSION
#define SERBENCH_PLUGIN_VERSION "0"
#endif
#ifndef SERBENCH_FLAGS
#define SERBENCH_FLAGS "unknown"
#endif
#if defined(__clang__)
#define SERBENCH_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define SERBENCH_COMPILER "gcc " __VERSION__
#else
#define SERBENCH_COMPILER "unknown"
#endif

/// Defines the entry of a plugin: its id, its licence (SPDX), and its codecs.
#define SERBENCH_PLUGIN(id, license, ...)                                           \
  extern "C" const serbench_plugin *serbench_plugin_entry_v1(void) {                \
    try {                                                                           \
      return ::serbench::detail::plugin<::serbench::data::Datasets, __VA_ARGS__>(   \
          id, SERBENCH_PLUGIN_VERSION, license, SERBENCH_COMPILER, SERBENCH_FLAGS); \
    } catch (...) {                                                                 \
      return nullptr;                                                               \
    }                                                                               \
  }

#endif  // SERBENCH_HPP

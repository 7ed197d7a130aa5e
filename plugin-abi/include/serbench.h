/*
 * serbench.h - the contract between the serbench host and a codec plugin, version 1.0.
 *
 * A plugin is a shared library that exports one function, serbench_plugin_entry_v1. Everything
 * else is reached from the descriptor which that function returns. This header is all that a
 * plugin in any language needs; serbench.hpp (C++) and the serbench-plugin crate (Rust) are
 * conveniences on top of it.
 *
 * Rules that hold everywhere:
 *   - Strings are UTF-8 and end in a zero byte. Those of the descriptors are on one line; an id has
 *     no blanks.
 *   - Structs only ever grow at their end. The side that fills a struct sets struct_size to the
 *     sizeof() it was compiled with, and all else that it does not use to zero. The side that
 *     reads one accepts any struct_size from that of version 1.0 on, looks at no byte past it, and
 *     takes a field that is not there for zero. In a later field zero means: as before it existed.
 *     Structs without a struct_size never grow.
 *   - What a failed call was to set (*out, *instance, *checksum) is not looked at.
 *   - Nothing unwinds across the boundary: no C++ exception, no Rust panic, no longjmp.
 *   - Memory is never freed by the side that did not allocate it.
 *   - No size is above PTRDIFF_MAX. The host refuses a codec_count or dataset_count above 4096, and
 *     an output above 1 GiB that is also more than 4096 times the value's canonical encoding.
 *   - "Thread" and "Owner" lines below say who may call a function and whose memory is meant.
 *     "The instance's" thread is whichever uses it: one at a time, each seeing what the one before
 *     has done. No function is called from a signal handler.
 *   - The host never unloads a plugin, and may end the process without closing an instance.
 *
 * Three more things belong to the contract; datasets/README.md specifies them, and in version 1 of
 * the ABI they stay as they are: the canonical encoding, the checksum of `read`, and the normalised
 * schema, from which a dataset's fingerprint is made.
 */
#ifndef SERBENCH_H
#define SERBENCH_H

#include <stddef.h>
#include <stdint.h>

/* Sizes and places are those of 64-bit little-endian machines, and the canonical encoding is meant
 * to be copied there as it is. Other machines would need another major version. */
#if UINTPTR_MAX != UINT64_MAX
#error "serbench.h: version 1 of the ABI is for machines with 64-bit pointers"
#endif
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "serbench.h: version 1 of the ABI is for little-endian machines"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes "SERBENCH" read as a little-endian number. */
#define SERBENCH_MAGIC UINT64_C(0x48434E4542524553)
#define SERBENCH_ABI_MAJOR 1u
#define SERBENCH_ABI_MINOR 0u
#define SERBENCH_ENTRY_SYMBOL "serbench_plugin_entry_v1"

/* The least struct_size of each struct that has one: that of version 1.0, whatever comes later. */
#define SERBENCH_OPEN_ARGS_SIZE_1_0 56u
#define SERBENCH_INSTANCE_SIZE_1_0 72u
#define SERBENCH_CODEC_SIZE_1_0 88u
#define SERBENCH_PLUGIN_SIZE_1_0 104u
#define SERBENCH_ADOPT_INPUT_SIZE_1_0 16u

/* ---- Status: what every fallible call returns -------------------------------------------- */

/* The host takes a number that it does not know for SERBENCH_INTERNAL, and shows it. Whatever a
 * call returns, the instance may be used further. */
#define SERBENCH_OK 0
/* The format or the library cannot carry this dataset or value; last_error says why. Not a fault.
 */
#define SERBENCH_UNSUPPORTED 1
/* The input bytes are not a valid message. */
#define SERBENCH_MALFORMED 2
#define SERBENCH_OUT_OF_MEMORY 3
/* Anything else that went wrong inside the plugin. */
#define SERBENCH_INTERNAL 4

/* ---- Codec properties -------------------------------------------------------------------- */

/* The host passes over bits that it does not know: a later bit says what a codec can do besides,
 * and takes nothing back of what is said here. */

/* Field names or tags travel with the data: a reader needs no schema. Only such codecs are given
 * datasets that leave out fields which equal their default. */
#define SERBENCH_CAP_SELF_DESCRIBING UINT64_C(0x01)
/* Reading needs a schema that was compiled in (or agreed on) beforehand. */
#define SERBENCH_CAP_SCHEMA UINT64_C(0x02)
/* The output is text that a person can read. */
#define SERBENCH_CAP_TEXT UINT64_C(0x04)
/* Can write into a buffer that it keeps between calls. */
#define SERBENCH_CAP_REUSES_OUTPUT UINT64_C(0x08)
/* Can write into newly allocated memory on every call. */
#define SERBENCH_CAP_FRESH_OUTPUT UINT64_C(0x10)
/* A floor to compare with, not a competitor: shown, never ranked. */
#define SERBENCH_CAP_BASELINE UINT64_C(0x20)
/* Does no work at all, so there is nothing to verify. Only together with BASELINE. */
#define SERBENCH_CAP_NO_ROUND_TRIP UINT64_C(0x40)
/* `serialize` starts from the plain struct and pays for building the library's own message. */
#define SERBENCH_CAP_CONVERTS UINT64_C(0x80)
/* The same value may serialize to different bytes from call to call. */
#define SERBENCH_CAP_NONDETERMINISTIC UINT64_C(0x100)
/* A fault of the library, which `notes` tells of: hostile bytes, though they are safe to hand in,
 * may make it ask for memory or time that their size does not explain, until the process ends. */
#define SERBENCH_CAP_UNBOUNDED UINT64_C(0x200)
/* A fault of the library, which `notes` tells of: hostile bytes may be taken for a value though
 * they are none, such as text that is not UTF-8; `export_value` then gives what is not canonical.
 */
#define SERBENCH_CAP_LENIENT UINT64_C(0x400)

/* What `deserialize` yields. Version 1 has no others, and the host refuses a plugin with one. */
#define SERBENCH_YIELDS_OWNED 0u    /* a value that needs the input no more */
#define SERBENCH_YIELDS_BORROWED 1u /* a parsed value that points into the input */
#define SERBENCH_YIELDS_VIEW 2u     /* a view: fields are decoded when they are read */

/* How far `deserialize` and `read` check their input. Version 1 has no others, and the host refuses
 * a plugin with one. */
#define SERBENCH_CHECKED 0u /* any bytes are safe to hand in, but see UNBOUNDED and LENIENT */
#define SERBENCH_TRUSTED 1u /* hostile bytes are undefined behaviour */

/* Mode bits of serbench_open_args.mode. `open` answers SERBENCH_UNSUPPORTED to a bit that it does
 * not know. The host sets FRESH_OUTPUT only where the codec has the capability. */
#define SERBENCH_MODE_FRESH_OUTPUT UINT64_C(0x01)     /* else: reuse the output buffer */
#define SERBENCH_MODE_MISALIGNED_INPUT UINT64_C(0x02) /* else: input starts on 64 bytes */

/* In aligned mode input starts at a multiple of SERBENCH_INPUT_ALIGN, in misaligned mode one byte
 * after one. In both, SERBENCH_INPUT_PADDING readable zero bytes follow it. */
#define SERBENCH_INPUT_ALIGN 64u
#define SERBENCH_INPUT_PADDING 64u

/* ---- Data -------------------------------------------------------------------------------- */

typedef struct serbench_bytes {
  const uint8_t *data; /* may be null when size is 0, but for the input of `deserialize` */
  uint64_t size;
} serbench_bytes;

/* A dataset that a plugin was built for. */
typedef struct serbench_dataset_id {
  const char *name;        /* "game_level" */
  const char *fingerprint; /* 32 hex digits over the normalised schema */
} serbench_dataset_id;

/* What the host hands to `open`. Owner: the host; all of it stays valid and unchanged until `close`
 * returns, or until `open` does where it fails. */
typedef struct serbench_open_args {
  uint64_t struct_size;
  uint64_t mode; /* SERBENCH_MODE_* bits */
  serbench_dataset_id dataset;
  const char *schema;           /* the normalised schema, as JSON */
  const serbench_bytes *values; /* the values, each in the canonical encoding, on any address */
  uint64_t value_count;
} serbench_open_args;

/* ---- Instance: one codec opened on one dataset -------------------------------------------- */

/*
 * One instance is used by one thread at a time, any thread; several instances of one codec may be
 * used at once from different threads. `self` is the plugin's own and is passed back as it is.
 * Owner: the plugin, until `close`; all of it is constant until then.
 */
typedef struct serbench_instance {
  uint64_t struct_size;
  void *self;
  /* What a reader of this row must know, such as "u8 and u16 are widened to 32 bits", or "". */
  const char *note;

  /* Serializes value number `index` (< value_count), and leaves the decoded value as it is. Timed.
   * Thread: the instance's. Owner of *out: the plugin; valid until the next call on the instance.
   */
  int32_t (*serialize)(void *self, uint64_t index, serbench_bytes *out);

  /* Replaces the decoded value of the instance by the one in `input`, and drops the one before.
   * Timed. After a failure the instance holds no value.
   * Thread: the instance's. Owner of the input: the host; valid and unchanged until the next
   * `deserialize` or `close` of the instance returns, so a decoded value may point into it. */
  int32_t (*deserialize)(void *self, serbench_bytes input);

  /* Visits every field of the decoded value and folds it by the documented rule. The value is
   * there afterwards, also if this fails: it may be read and exported as often as the host likes.
   * Timed. Thread: the instance's. Fails with SERBENCH_INTERNAL when there is no decoded value. */
  int32_t (*read)(void *self, uint64_t *checksum);

  /* Turns the decoded value back into the canonical encoding; else as `read`. Never timed.
   * Thread: the instance's. Owner of *out: the plugin; valid until the next call on the instance.
   */
  int32_t (*export_value)(void *self, serbench_bytes *out);

  /* What went wrong in the last failed call on this instance, for a person to read; never null. The
   * host makes blanks of line ends, shows what is not UTF-8 as U+FFFD, and cuts after 2000
   * characters. Never timed.
   * Thread: the instance's. Owner: the plugin; valid until the next call on the instance. */
  const char *(*last_error)(void *self);

  /* Frees the instance, this struct included: the last call on it. Never timed.
   * Thread: the instance's. */
  void (*close)(void *self);
} serbench_instance;

/* ---- Descriptors: constant data, reached from the entry function -------------------------- */

typedef struct serbench_codec {
  uint64_t struct_size;
  const char *id;              /* "library" or "library/variant", unique in a run */
  const char *format;          /* the wire format: "JSON", "MessagePack", ... */
  const char *library;         /* the library's package name */
  const char *library_version; /* of the library that is linked, asked of it where it can tell */
  const char *notes;           /* what a reader of the table must know, or "" */
  uint64_t capabilities;       /* SERBENCH_CAP_* bits */
  uint32_t yields;             /* SERBENCH_YIELDS_* */
  uint32_t validation;         /* SERBENCH_CHECKED or SERBENCH_TRUSTED */

  /* Opens this codec on a dataset. Never timed. On SERBENCH_OK *instance is set.
   * Thread: any, several at once. Owner of *instance: the plugin, until its `close`. */
  int32_t (*open)(const serbench_open_args *args, const serbench_instance **instance);

  /* What went wrong in the last failed `open` of this codec on the calling thread; as `last_error`.
   * Thread: any. Owner: the plugin; valid until the next `open` on the same thread. */
  const char *(*open_error)(void);

  /* A table of functions for an optional feature such as "serbench.adopt-input/1", or null when
   * the codec lacks it or does not know the name. Names that begin with "serbench." are ours. May
   * itself be null. Thread: any. Owner of the name: the host, during the call; of the table: the
   * plugin, for ever. */
  const void *(*get_extension)(const char *name);
} serbench_codec;

typedef struct serbench_plugin {
  uint64_t magic;       /* SERBENCH_MAGIC           - these four   */
  uint32_t abi_major;   /* SERBENCH_ABI_MAJOR         fields never */
  uint32_t abi_minor;   /* SERBENCH_ABI_MINOR         move in any  */
  uint64_t struct_size; /* sizeof(serbench_plugin)    version      */
  const char *id;       /* short and lower case: "postcard" */
  const char *version;  /* of the plugin itself */
  const char *license;  /* SPDX expression */
  const char *language; /* "C", "C++", "Rust", ... */
  const char *compiler; /* what it was built with, version included */
  const char *flags;    /* the flags that matter: optimisation, target features, LTO */
  const serbench_codec *const *codecs;
  uint64_t codec_count;
  /* The datasets that the codecs can be opened on. Null and 0: any dataset, the schema being read
   * at run time. */
  const serbench_dataset_id *datasets;
  uint64_t dataset_count;
} serbench_plugin;

/* ---- Extension "serbench.adopt-input/1" --------------------------------------------------- */

#define SERBENCH_EXT_ADOPT_INPUT "serbench.adopt-input/1"

/* For a library that reads only from a container of its own. The host calls `adopt` untimed with
 * the bytes it is about to hand to `deserialize`, and the row is marked. It may drop the decoded
 * value. After a failure of `adopt` there is none, and `deserialize` is not called. Thread and
 * owner: as `deserialize`. `self` is that of the instance. */
typedef struct serbench_adopt_input {
  uint64_t struct_size;
  int32_t (*adopt)(void *self, serbench_bytes input);
} serbench_adopt_input;

/* ---- The entry ---------------------------------------------------------------------------- */

#if defined(_WIN32)
#define SERBENCH_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define SERBENCH_EXPORT __attribute__((visibility("default")))
#else
#define SERBENCH_EXPORT
#endif

/* The only symbol a plugin exports. Always returns the same pointer.
 * Thread: any. Owner of the result: the plugin, for ever. */
SERBENCH_EXPORT const serbench_plugin *serbench_plugin_entry_v1(void);

#ifdef __cplusplus
}
#endif

#endif /* SERBENCH_H */

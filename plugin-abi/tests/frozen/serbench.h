/*
 * serbench.h - the contract between the serbench host and a codec plugin, version 1.0.
 *
 * A plugin is a shared library that exports one function, serbench_plugin_entry_v1. Everything
 * else is reached from the descriptor which that function returns. This header is all that a
 * plugin in any language needs; serbench.hpp (C++) and the serbench-plugin crate (Rust) are
 * conveniences on top of it.
 *
 * Rules that hold everywhere:
 *   - Strings are UTF-8 and end in a zero byte.
 *   - Structs only ever grow at their end. The side that fills a struct sets struct_size to the
 *     sizeof() it was compiled with; the side that reads one looks at no byte past struct_size.
 *   - Nothing unwinds across the boundary: no C++ exception, no Rust panic, no longjmp.
 *   - Memory is never freed by the side that did not allocate it.
 *   - "Thread" and "Owner" lines below say who may call a function and whose memory is meant.
 */
#ifndef SERBENCH_H
#define SERBENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes "SERBENCH" read as a little-endian number. */
#define SERBENCH_MAGIC UINT64_C(0x48434E4542524553)
#define SERBENCH_ABI_MAJOR 1u
#define SERBENCH_ABI_MINOR 0u
#define SERBENCH_ENTRY_SYMBOL "serbench_plugin_entry_v1"

/* ---- Status: what every fallible call returns -------------------------------------------- */

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

/* What `deserialize` yields. */
#define SERBENCH_YIELDS_OWNED 0u    /* a value that needs the input no more */
#define SERBENCH_YIELDS_BORROWED 1u /* a parsed value that points into the input */
#define SERBENCH_YIELDS_VIEW 2u     /* a view: fields are decoded when they are read */

/* How far `deserialize` and `read` check their input. */
#define SERBENCH_CHECKED 0u /* any bytes are safe to hand in */
#define SERBENCH_TRUSTED 1u /* hostile bytes are undefined behaviour */

/* Mode bits of serbench_open_args.mode. */
#define SERBENCH_MODE_FRESH_OUTPUT UINT64_C(0x01)     /* else: reuse the output buffer */
#define SERBENCH_MODE_MISALIGNED_INPUT UINT64_C(0x02) /* else: input starts on 64 bytes */

/* In aligned mode input starts at a multiple of SERBENCH_INPUT_ALIGN, in misaligned mode one byte
 * after one. In both, SERBENCH_INPUT_PADDING readable zero bytes follow it. */
#define SERBENCH_INPUT_ALIGN 64u
#define SERBENCH_INPUT_PADDING 64u

/* ---- Data -------------------------------------------------------------------------------- */

typedef struct serbench_bytes {
  const uint8_t *data; /* may be null when size is 0 */
  uint64_t size;
} serbench_bytes;

/* A dataset that a plugin was built for. */
typedef struct serbench_dataset_id {
  const char *name;        /* "game_level" */
  const char *fingerprint; /* 32 hex digits over the normalised schema */
} serbench_dataset_id;

/* What the host hands to `open`. Owner: the host; all of it stays valid until `close` returns. */
typedef struct serbench_open_args {
  uint64_t struct_size;
  uint64_t mode; /* SERBENCH_MODE_* bits */
  serbench_dataset_id dataset;
  const char *schema;           /* the normalised schema, as JSON */
  const serbench_bytes *values; /* the values, each in the canonical encoding */
  uint64_t value_count;
} serbench_open_args;

/* ---- Instance: one codec opened on one dataset -------------------------------------------- */

/*
 * One instance is used by one thread at a time, any thread; several instances of one codec may be
 * used at once from different threads. `self` is the plugin's own and is passed back as it is.
 * Owner: the plugin, until `close`.
 */
typedef struct serbench_instance {
  uint64_t struct_size;
  void *self;
  /* What a reader of this row must know, such as "u8 and u16 are widened to 32 bits", or "". */
  const char *note;

  /* Serializes value number `index` (< value_count). Timed.
   * Thread: the instance's. Owner of *out: the plugin; valid until the next call on the instance.
   */
  int32_t (*serialize)(void *self, uint64_t index, serbench_bytes *out);

  /* Replaces the decoded value of the instance by the one in `input`, and drops the one before.
   * Timed. After a failure the instance holds no value.
   * Thread: the instance's. Owner of the input: the host; valid and unchanged until the next
   * `deserialize` or `close` of the instance returns, so a decoded value may point into it. */
  int32_t (*deserialize)(void *self, serbench_bytes input);

  /* Visits every field of the decoded value and folds it by the documented rule. Timed.
   * Thread: the instance's. Fails with SERBENCH_INTERNAL when there is no decoded value. */
  int32_t (*read)(void *self, uint64_t *checksum);

  /* Turns the decoded value back into the canonical encoding. Never timed.
   * Thread: the instance's. Owner of *out: the plugin; valid until the next call on the instance.
   */
  int32_t (*export_value)(void *self, serbench_bytes *out);

  /* What went wrong in the last failed call on this instance; never null. Never timed.
   * Thread: the instance's. Owner: the plugin; valid until the next call on the instance. */
  const char *(*last_error)(void *self);

  /* Frees the instance, this struct included. Never timed. Thread: the instance's. */
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

  /* What went wrong in the last failed `open` of this codec on the calling thread; never null.
   * Thread: any. Owner: the plugin; valid until the next `open` on the same thread. */
  const char *(*open_error)(void);

  /* A table of functions for an optional feature such as "serbench.adopt-input/1", or null when
   * the codec lacks it. May itself be null. Thread: any. Owner: the plugin, for ever. */
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
 * the bytes it is about to hand to `deserialize`, and the row is marked. Thread and owner: as
 * `deserialize`. `self` is that of the instance. */
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

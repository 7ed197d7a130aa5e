/*
 * A plugin in plain C for the dataset `readings`, whose one format is the canonical encoding.
 *
 * As it stands it does all that the contract asks. A test makes it hostile by defining one of the
 * macros below: code to run at some point, or a field of a descriptor. It compiles as C++, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <serbench.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __cplusplus
#include <stdexcept>
#endif

/* Code, with what it can see. */
#ifndef IN_ENTRY
#define IN_ENTRY
#endif
#ifndef IN_OPEN /* args, instance */
#define IN_OPEN
#endif
#ifndef IN_SERIALIZE /* index, out */
#define IN_SERIALIZE
#endif
#ifndef IN_DESERIALIZE /* input */
#define IN_DESERIALIZE
#endif
#ifndef IN_READ /* checksum */
#define IN_READ
#endif
#ifndef IN_EXPORT /* out */
#define IN_EXPORT
#endif
#ifndef IN_CLOSE
#define IN_CLOSE
#endif

/* Fields. */
#ifndef ID
#define ID "fixture"
#endif
#ifndef SECOND_ID /* seen with a CODEC_COUNT of 2 */
#define SECOND_ID ID "/second"
#endif
#ifndef MAGIC
#define MAGIC SERBENCH_MAGIC
#endif
#ifndef MAJOR
#define MAJOR SERBENCH_ABI_MAJOR
#endif
#ifndef MINOR
#define MINOR SERBENCH_ABI_MINOR
#endif
#ifndef PLUGIN_SIZE
#define PLUGIN_SIZE sizeof(serbench_plugin)
#endif
#ifndef CODEC_SIZE
#define CODEC_SIZE sizeof(serbench_codec)
#endif
#ifndef INSTANCE_SIZE
#define INSTANCE_SIZE sizeof(serbench_instance)
#endif
#ifndef FORMAT
#define FORMAT "canonical"
#endif
#ifndef CAPABILITIES
#define CAPABILITIES SERBENCH_CAP_SCHEMA | SERBENCH_CAP_REUSES_OUTPUT
#endif
#ifndef YIELDS
#define YIELDS SERBENCH_YIELDS_OWNED
#endif
#ifndef READ_FUNCTION
#define READ_FUNCTION read_value
#endif
#ifndef CODEC_COUNT
#define CODEC_COUNT 1
#endif
#ifndef DATASETS
#define DATASETS NULL
#define DATASET_COUNT 0
#endif

typedef struct state {
  serbench_instance instance;
  const serbench_bytes *values;
  uint8_t *decoded;
  uint64_t decoded_size;
  const char *error;
} state;

/* The checksum that `read` owes, of the canonical encoding of one reading. */
static void fold(uint64_t *sum, uint64_t word) {
  *sum = ((*sum << 5 | *sum >> 59) ^ word) * UINT64_C(0x517cc1b727220a95);
}

static uint64_t number(const uint8_t *bytes, int size) {
  uint64_t value = 0;
  for (int i = 0; i < size; i++) value |= (uint64_t)bytes[i] << (8 * i);
  return value;
}

static uint64_t checksum_of(const uint8_t *reading) {
  uint64_t sum = 0;
  fold(&sum, number(reading, 4));
  fold(&sum, number(reading + 4, 8));
  const uint64_t label = number(reading + 12, 4);
  fold(&sum, label);
  if (label > 0) {
    fold(&sum, reading[16]);
    fold(&sum, reading[15 + label]);
  }
  return sum;
}

static int32_t fail(state *s, const char *error) {
  s->error = error;
  return SERBENCH_INTERNAL;
}

static int32_t serialize(void *self, uint64_t index, serbench_bytes *out) {
  state *s = (state *)self;
  *out = s->values[index];
  IN_SERIALIZE;
  return SERBENCH_OK;
}

static int32_t deserialize(void *self, serbench_bytes input) {
  state *s = (state *)self;
  IN_DESERIALIZE;
  free(s->decoded);
  s->decoded = (uint8_t *)malloc(input.size);
  if (s->decoded == NULL) return SERBENCH_OUT_OF_MEMORY;
  memcpy(s->decoded, input.data, input.size);
  s->decoded_size = input.size;
  return SERBENCH_OK;
}

static int32_t read_value(void *self, uint64_t *checksum) {
  state *s = (state *)self;
  if (s->decoded == NULL) return fail(s, "there is no decoded value");
  *checksum = checksum_of(s->decoded);
  IN_READ;
  return SERBENCH_OK;
}

static int32_t export_value(void *self, serbench_bytes *out) {
  state *s = (state *)self;
  if (s->decoded == NULL) return fail(s, "there is no decoded value");
  out->data = s->decoded;
  out->size = s->decoded_size;
  IN_EXPORT;
  return SERBENCH_OK;
}

static const char *last_error(void *self) { return ((state *)self)->error; }

static void close_instance(void *self) {
  state *s = (state *)self;
  IN_CLOSE;
  free(s->decoded);
  free(s);
}

static int32_t open_codec(const serbench_open_args *args, const serbench_instance **instance) {
  state *s = (state *)calloc(1, sizeof(state));
  if (s == NULL) return SERBENCH_OUT_OF_MEMORY;
  s->values = args->values;
  s->error = "";
  s->instance.struct_size = INSTANCE_SIZE;
  s->instance.self = s;
  s->instance.note = "";
  s->instance.serialize = serialize;
  s->instance.deserialize = deserialize;
  s->instance.read = READ_FUNCTION;
  s->instance.export_value = export_value;
  s->instance.last_error = last_error;
  s->instance.close = close_instance;
  *instance = &s->instance;
  IN_OPEN;
  return SERBENCH_OK;
}

static const char *open_error(void) { return "it did not open"; }

#define CODEC(codec_id)                                                                         \
  {                                                                                             \
    CODEC_SIZE, codec_id, FORMAT, "fixture", "1.0", "", CAPABILITIES, YIELDS, SERBENCH_TRUSTED, \
        open_codec, open_error, NULL                                                            \
  }
static const serbench_codec first_codec = CODEC(ID);
static const serbench_codec second_codec = CODEC(SECOND_ID);
static const serbench_codec *const codecs[] = {&first_codec, &second_codec};

static const serbench_plugin plugin = {
    MAGIC, MAJOR, MINOR, PLUGIN_SIZE, ID,          "1.0",    "MIT OR Apache-2.0",
    "C",   "any", "",    codecs,      CODEC_COUNT, DATASETS, DATASET_COUNT};

#ifndef NO_ENTRY
const serbench_plugin *serbench_plugin_entry_v1(void) {
  IN_ENTRY;
  return &plugin;
}
#endif

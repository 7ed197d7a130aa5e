/*
 * A plugin for the dataset `basic`, one u64, in its canonical encoding. As it stands it does all
 * that the contract asks; each macro below breaks one promise.
 */
#include <serbench.h>
#include <stdlib.h>
#include <string.h>

typedef struct state {
  serbench_instance instance;
  const serbench_bytes *values;
  uint8_t out[8], decoded[8];
  uint64_t decoded_size;
  int is_decoded, calls;
} state;

static int32_t serialize(void *self, uint64_t index, serbench_bytes *out) {
  state *s = (state *)self;
  memcpy(s->out, s->values[index].data, 8);
#ifdef UNSTEADY
  s->out[0] ^= s->calls++ & 1;
#endif
  out->data = s->out;
  out->size = 8;
  return SERBENCH_OK;
}

static int32_t deserialize(void *self, serbench_bytes input) {
  state *s = (state *)self;
#ifndef STALE
  s->is_decoded = 0;
#endif
#ifdef ABORTS
  if (input.size != 8) abort();
#endif
#ifndef TAKES_LESS
  if (input.size != 8) return SERBENCH_MALFORMED;
#endif
  s->decoded_size = input.size < 8 ? input.size : 8;
  memcpy(s->decoded, input.data, s->decoded_size);
  s->is_decoded = 1;
  return SERBENCH_OK;
}

static int32_t read_value(void *self, uint64_t *checksum) {
  state *s = (state *)self;
  uint64_t id = 0;
  if (!s->is_decoded) return SERBENCH_INTERNAL;
  for (int i = 0; i < 8; i++) id |= (uint64_t)s->decoded[i] << (8 * i);
  *checksum = id * UINT64_C(0x517cc1b727220a95);
#ifdef MISREADS
  ++*checksum;
#endif
  return SERBENCH_OK;
}

static int32_t export_value(void *self, serbench_bytes *out) {
  state *s = (state *)self;
  if (!s->is_decoded) return SERBENCH_INTERNAL;
  out->data = s->decoded;
  out->size = s->decoded_size;
#ifdef CHANGES
  s->decoded[3] ^= 1;
#endif
  return SERBENCH_OK;
}

static const char *last_error(void *self) {
  (void)self;
  return "it is not eight bytes long";
}

static void close_instance(void *self) { free(self); }

static int32_t open_codec(const serbench_open_args *args, const serbench_instance **instance) {
  if (strcmp(args->dataset.name, "basic") != 0) return SERBENCH_UNSUPPORTED;
  state *s = (state *)calloc(1, sizeof(state));
  if (s == NULL) return SERBENCH_OUT_OF_MEMORY;
  s->values = args->values;
  s->instance = (serbench_instance){sizeof(serbench_instance),
                                    s,
                                    "",
                                    serialize,
                                    deserialize,
                                    read_value,
                                    export_value,
                                    last_error,
                                    close_instance};
  *instance = &s->instance;
  return SERBENCH_OK;
}

static const char *open_error(void) { return "it is not the dataset basic"; }

static const serbench_codec codec = {sizeof(serbench_codec),
                                     "fixture",
                                     "canonical",
                                     "fixture",
                                     "1.0",
                                     "",
                                     SERBENCH_CAP_SCHEMA | SERBENCH_CAP_REUSES_OUTPUT,
                                     SERBENCH_YIELDS_OWNED,
                                     SERBENCH_CHECKED,
                                     open_codec,
                                     open_error,
                                     NULL};
static const serbench_codec *const codecs[] = {&codec};
static const serbench_plugin plugin = {SERBENCH_MAGIC,
                                       SERBENCH_ABI_MAJOR,
                                       SERBENCH_ABI_MINOR,
                                       sizeof(serbench_plugin),
                                       "fixture",
                                       "1.0",
                                       "MIT",
                                       "C",
                                       "any",
                                       "",
                                       codecs,
                                       1,
                                       NULL,
                                       0};

const serbench_plugin *serbench_plugin_entry_v1(void) { return &plugin; }

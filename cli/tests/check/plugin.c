/*
 * A plugin for the dataset `basic`, one u64, in its canonical encoding. As it stands it does all
 * that the contract asks; each macro below breaks one promise.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <serbench.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef VALIDATION
#define VALIDATION SERBENCH_CHECKED
#endif
#ifndef CAPABILITIES
#define CAPABILITIES SERBENCH_CAP_SCHEMA | SERBENCH_CAP_REUSES_OUTPUT
#endif
#ifndef YIELDS
#define YIELDS SERBENCH_YIELDS_OWNED
#endif
#ifndef NOTES
#define NOTES ""
#endif
#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION "1.0"
#endif

typedef struct state {
  serbench_instance instance;
  const serbench_bytes *values;
  uint64_t value_count;
  uint8_t out[8], decoded[8];
  const uint8_t *input;
  uint64_t decoded_size;
  int is_decoded, calls;
  pthread_t thread;
} state;

#ifdef SHARES_OUTPUT
static uint8_t shared_out[8];
#endif
#ifdef SHARES_VALUE
static uint8_t shared_decoded[8];
#endif
#ifdef SPOILT
static int spoilt;
#endif

#ifdef SCRIBBLES
static volatile uint8_t scribbled[8];
static void *scribble(void *unused) {
  for (;;) {
    ++scribbled[0];
    sched_yield();
  }
  return unused;
}
#endif

static int32_t serialize(void *self, uint64_t index, serbench_bytes *out) {
  state *s = (state *)self;
  memcpy(s->out, s->values[index].data, 8);
#ifdef UNSTEADY
  s->out[0] ^= s->calls++ & 1;
#endif
  out->data = s->out;
#ifdef SHARES_OUTPUT
  memcpy(shared_out, s->out, 8);
  out->data = shared_out;
#endif
#ifdef SCRIBBLES
  out->data = (const uint8_t *)scribbled;
  if (s->calls++ == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, scribble, NULL);
  }
#endif
  out->size = 8;
  return SERBENCH_OK;
}

#ifdef OVERFLOWS
/* Deeper than any stack. */
static uint64_t descend(uint64_t depth) {
  volatile uint64_t room[64];
  room[depth % 64] = depth;
  return depth == UINT64_MAX ? 0 : descend(depth + 1) + room[depth % 64];
}
#endif

/* What a macro makes of input that is not eight bytes long. */
static void mistreat(const state *s, serbench_bytes input) {
  (void)s, (void)input;
#ifdef ABORTS
  abort();
#endif
#ifdef MAKES_BACKTRACES
  /* As a plugin in Rust would, which panics. */
  const char *wanted = getenv("RUST_BACKTRACE");
  if (wanted != NULL && strcmp(wanted, "0") != 0) abort();
#endif
#ifdef HANGS
  while (input.size == 3 && memcmp(input.data, s->values[0].data, 3) == 0) sched_yield();
#endif
#ifdef LOOKS_BEYOND_DAMAGED
  (void)*(volatile const uint8_t *)(input.data + input.size + 127);
#endif
#ifdef OVERFLOWS
  descend(0);
#endif
#ifdef OVER_ALLOCATES
  void *volatile block = malloc((size_t)1 << 30);
  free(block);
#endif
#ifdef TRUSTS_LENGTHS
  void *volatile huge = malloc((size_t)1 << 60);
  if (huge == NULL) abort();
#endif
#ifdef SPOILT
  spoilt = 1;
#endif
}

static int32_t deserialize(void *self, serbench_bytes input) {
  state *s = (state *)self;
#ifndef STALE
  s->is_decoded = 0;
#endif
#ifdef BOUND_TO_THREAD
  if (!pthread_equal(s->thread, pthread_self())) return SERBENCH_INTERNAL;
#endif
#ifdef LOOKS_BEYOND
  (void)*(volatile const uint8_t *)(input.data + input.size + 127);
#endif
#ifdef LOOKS_IN_FRONT
  (void)*(volatile const uint8_t *)(input.data - 2);
#endif
#ifdef WRITES_INPUT
  *(volatile uint8_t *)input.data = *input.data;
#endif
  if (input.size != 8) mistreat(s, input);
#ifndef TAKES_LESS
  if (input.size != 8) return SERBENCH_MALFORMED;
#endif
  s->decoded_size = input.size < 8 ? input.size : 8;
  memcpy(s->decoded, input.data, s->decoded_size);
  s->input = input.data;
#ifdef SHARES_VALUE
  memcpy(shared_decoded, s->decoded, 8);
#endif
#ifdef SPOILT
  s->decoded[1] ^= spoilt;
#endif
  s->is_decoded = 1;
  return SERBENCH_OK;
}

static int32_t read_value(void *self, uint64_t *checksum) {
  state *s = (state *)self;
  uint64_t id = 0;
#ifndef TALKS_EARLY
  if (!s->is_decoded) return SERBENCH_INTERNAL;
#endif
#ifdef KEEPS_INPUT
  memcpy(s->decoded, s->input, 8);
#endif
#ifdef SHARES_VALUE
  memcpy(s->decoded, shared_decoded, 8);
#endif
  for (int i = 0; i < 8; i++) id |= (uint64_t)s->decoded[i] << (8 * i);
  *checksum = id * UINT64_C(0x517cc1b727220a95);
#ifdef MISREADS
  ++*checksum;
#endif
#ifdef MISREADS_OTHERS
  int is_known = 0;
  for (uint64_t i = 0; i < s->value_count; i++) {
    is_known |= memcmp(s->decoded, s->values[i].data, 8) == 0;
  }
  *checksum += !is_known;
#endif
  return SERBENCH_OK;
}

static int32_t export_value(void *self, serbench_bytes *out) {
  state *s = (state *)self;
  if (!s->is_decoded) return SERBENCH_INTERNAL;
#ifdef DIES_IN_EXPORT
  abort();
#endif
  out->data = s->decoded;
  out->size = s->decoded_size;
#ifdef CHANGES
  s->decoded[3] ^= 1;
#endif
#ifdef TIRES
  if (s->calls++ % 2 == 1) out->size = 7;
#endif
  return SERBENCH_OK;
}

static const char *last_error(void *self) {
  (void)self;
  return "it is not eight bytes long";
}

static void close_instance(void *self) {
#ifndef LEAKS
  free(self);
#else
  (void)self;
#endif
}

#ifdef ON_SIGNAL
static void on_signal(int number) { (void)number; }
#endif

static int32_t open_codec(const serbench_open_args *args, const serbench_instance **instance) {
  if (strcmp(args->dataset.name, "basic") != 0) return SERBENCH_UNSUPPORTED;
#ifndef TAKES_ANY_MODE
  if ((args->mode & ~(SERBENCH_MODE_FRESH_OUTPUT | SERBENCH_MODE_MISALIGNED_INPUT)) != 0) {
    return SERBENCH_UNSUPPORTED;
  }
#endif
  state *s = (state *)calloc(1, sizeof(state));
  if (s == NULL) return SERBENCH_OUT_OF_MEMORY;
#ifdef IN_OPEN
  IN_OPEN;
#endif
  s->thread = pthread_self();
  s->values = args->values;
  s->value_count = args->value_count;
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

static const serbench_codec codec = {
    sizeof(serbench_codec), "fixture", "canonical", "fixture",  LIBRARY_VERSION, NOTES,
    CAPABILITIES,           YIELDS,    VALIDATION,  open_codec, open_error,      NULL};
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

#ifdef IN_LOADING
__attribute__((constructor)) static void on_load(void) { IN_LOADING; }
#endif

#ifdef EXPORTS_MORE
int helper_of_the_plugin(void) { return 0; }
#endif

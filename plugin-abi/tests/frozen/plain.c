/*
 * A plugin written against version 1.0 of the contract, with nothing but its header, which stands
 * beside it. Neither file ever changes: what was built from them must load for ever.
 *
 * Its one codec, "plain", stores the canonical encoding as it is. It knows one dataset,
 * nested_struct: two strings, a u32, a u64, and a list of u32.
 */
#include <stdlib.h>
#include <string.h>

#include "serbench.h"

typedef struct plain {
  serbench_instance abi;
  const serbench_bytes *values;
  uint64_t value_count;
  uint8_t *decoded;
  uint64_t decoded_size;
  const char *error;
} plain;

static const char *open_message = "";

/* ---- Reading the canonical encoding ------------------------------------------------------ */

typedef struct cursor {
  const uint8_t *data;
  uint64_t left;
  uint64_t sum;
  int failed;
} cursor;

static void fold(cursor *at, uint64_t word) {
  at->sum = ((at->sum << 5 | at->sum >> 59) ^ word) * UINT64_C(0x517cc1b727220a95);
}

static uint64_t number(cursor *at, uint64_t size) {
  uint64_t value = 0;
  uint64_t i;
  if (at->left < size) {
    at->failed = 1;
    return 0;
  }
  for (i = 0; i < size; i++) value |= (uint64_t)at->data[i] << (8 * i);
  at->data += size;
  at->left -= size;
  return value;
}

static void string(cursor *at) {
  uint64_t size = number(at, 4);
  if (at->failed || at->left < size) {
    at->failed = 1;
    return;
  }
  fold(at, size);
  if (size > 0) {
    fold(at, at->data[0]);
    fold(at, at->data[size - 1]);
  }
  at->data += size;
  at->left -= size;
}

/* Folds a nested_struct; 0 when the bytes are none. */
static int checksum(const uint8_t *data, uint64_t size, uint64_t *sum) {
  cursor at = {NULL, 0, 0, 0};
  uint64_t count;
  at.data = data;
  at.left = size;
  string(&at);
  string(&at);
  fold(&at, number(&at, 4));
  fold(&at, number(&at, 8));
  count = number(&at, 4);
  fold(&at, count);
  while (count-- > 0 && !at.failed) fold(&at, number(&at, 4));
  *sum = at.sum;
  return !at.failed && at.left == 0;
}

/* ---- The instance ------------------------------------------------------------------------ */

static int32_t fail(plain *self, int32_t status, const char *message) {
  self->error = message;
  return status;
}

static int32_t plain_serialize(void *instance, uint64_t index, serbench_bytes *out) {
  plain *self = (plain *)instance;
  if (index >= self->value_count) return fail(self, SERBENCH_INTERNAL, "there is no such value");
  *out = self->values[index];
  return SERBENCH_OK;
}

static int32_t plain_deserialize(void *instance, serbench_bytes input) {
  plain *self = (plain *)instance;
  uint64_t sum;
  free(self->decoded);
  self->decoded = NULL;
  if (!checksum(input.data, input.size, &sum))
    return fail(self, SERBENCH_MALFORMED, "this is no nested_struct");
  self->decoded = (uint8_t *)malloc((size_t)input.size);
  if (self->decoded == NULL) return fail(self, SERBENCH_OUT_OF_MEMORY, "no memory for the value");
  memcpy(self->decoded, input.data, (size_t)input.size);
  self->decoded_size = input.size;
  return SERBENCH_OK;
}

static int32_t plain_read(void *instance, uint64_t *sum) {
  plain *self = (plain *)instance;
  if (self->decoded == NULL) return fail(self, SERBENCH_INTERNAL, "there is no decoded value");
  checksum(self->decoded, self->decoded_size, sum);
  return SERBENCH_OK;
}

static int32_t plain_export(void *instance, serbench_bytes *out) {
  plain *self = (plain *)instance;
  if (self->decoded == NULL) return fail(self, SERBENCH_INTERNAL, "there is no decoded value");
  out->data = self->decoded;
  out->size = self->decoded_size;
  return SERBENCH_OK;
}

static const char *plain_last_error(void *instance) { return ((plain *)instance)->error; }

static void plain_close(void *instance) {
  free(((plain *)instance)->decoded);
  free(instance);
}

/* ---- The codec and the plugin ------------------------------------------------------------ */

static int32_t plain_open(const serbench_open_args *args, const serbench_instance **instance) {
  plain *self;
  if (strcmp(args->dataset.name, "nested_struct") != 0) {
    open_message = "plain knows nested_struct only";
    return SERBENCH_UNSUPPORTED;
  }
  if ((args->mode & ~(SERBENCH_MODE_FRESH_OUTPUT | SERBENCH_MODE_MISALIGNED_INPUT)) != 0) {
    open_message = "a mode that plain does not know";
    return SERBENCH_UNSUPPORTED;
  }
  self = (plain *)calloc(1, sizeof(plain));
  if (self == NULL) {
    open_message = "no memory for the instance";
    return SERBENCH_OUT_OF_MEMORY;
  }
  self->abi.struct_size = sizeof(serbench_instance);
  self->abi.self = self;
  self->abi.note = "";
  self->abi.serialize = plain_serialize;
  self->abi.deserialize = plain_deserialize;
  self->abi.read = plain_read;
  self->abi.export_value = plain_export;
  self->abi.last_error = plain_last_error;
  self->abi.close = plain_close;
  self->values = args->values;
  self->value_count = args->value_count;
  self->error = "";
  *instance = &self->abi;
  return SERBENCH_OK;
}

static const char *plain_open_error(void) { return open_message; }

static const serbench_codec codec = {
    sizeof(serbench_codec),
    "plain",
    "canonical",
    "frozen",
    "1.0",
    "",
    SERBENCH_CAP_SCHEMA | SERBENCH_CAP_REUSES_OUTPUT | SERBENCH_CAP_FRESH_OUTPUT,
    SERBENCH_YIELDS_OWNED,
    SERBENCH_CHECKED,
    plain_open,
    plain_open_error,
    NULL,
};

static const serbench_codec *const codecs[] = {&codec};
static const serbench_dataset_id datasets[] = {
    {"nested_struct", "00000000000000000000000000000000"}};

static const serbench_plugin plugin = {
    SERBENCH_MAGIC,
    SERBENCH_ABI_MAJOR,
    SERBENCH_ABI_MINOR,
    sizeof(serbench_plugin),
    "frozen",
    "1.0",
    "MIT OR Apache-2.0",
    "C",
    "unknown",
    "",
    codecs,
    1,
    datasets,
    1,
};

const serbench_plugin *serbench_plugin_entry_v1(void) { return &plugin; }

/*
 * The plugin: what the codec is, and how serbench calls it. It knows one dataset, nested_struct;
 * `datasets/README.md` of serbench explains the canonical encoding, in which values come and go.
 */
#include <serbench.h>
#include <serbench/datasets.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"

typedef struct codec {
  serbench_instance abi;
  record *values;
  uint64_t value_count;
  int is_fresh; /* every output in memory of its own */
  buffer out;
  record decoded;
  int has_decoded;
  buffer exported;
  const char *error;
} codec;

/* ---- The canonical encoding: little-endian, fixed width, a u32 before what has a length ---- */

typedef struct cursor {
  const uint8_t *data;
  uint64_t left;
} cursor;

static uint64_t get_word(cursor *in, uint64_t size) {
  uint64_t value = 0, i;
  if (in->left < size) return 0; /* the host writes what it says, so this is never so */
  for (i = 0; i < size; i++) value |= (uint64_t)in->data[i] << (8 * i);
  in->data += size;
  in->left -= size;
  return value;
}

static char *get_text(cursor *in, size_t *size) {
  char *text;
  *size = (size_t)get_word(in, 4);
  if (*size > in->left) *size = (size_t)in->left;
  text = (char *)malloc(*size + 1);
  if (text == NULL) return NULL;
  memcpy(text, in->data, *size);
  in->data += *size;
  in->left -= *size;
  return text;
}

/* False where there is no memory. */
static int from_canonical(serbench_bytes bytes, record *value) {
  cursor in;
  size_t i;
  in.data = bytes.data;
  in.left = bytes.size;
  value->s1 = get_text(&in, &value->s1_size);
  value->s2 = get_text(&in, &value->s2_size);
  value->v1 = (uint32_t)get_word(&in, 4);
  value->v2 = get_word(&in, 8);
  value->arr_count = (size_t)get_word(&in, 4);
  value->arr = (uint32_t *)malloc((value->arr_count + 1) * sizeof *value->arr);
  if (value->s1 == NULL || value->s2 == NULL || value->arr == NULL) return 0;
  for (i = 0; i < value->arr_count; i++) value->arr[i] = (uint32_t)get_word(&in, 4);
  return 1;
}

static int put_word(buffer *out, uint64_t value, size_t size) {
  uint8_t *at = buffer_grow(out, size);
  size_t i;
  if (at == NULL) return 0;
  for (i = 0; i < size; i++) at[i] = (uint8_t)(value >> (8 * i));
  return 1;
}

static int put_text(buffer *out, const char *text, size_t size) {
  uint8_t *at;
  if (!put_word(out, size, 4)) return 0;
  at = buffer_grow(out, size);
  if (at == NULL && size > 0) return 0;
  if (size > 0) memcpy(at, text, size);
  return 1;
}

static int to_canonical(const record *value, buffer *out) {
  size_t i;
  out->size = 0;
  if (!put_text(out, value->s1, value->s1_size) || !put_text(out, value->s2, value->s2_size) ||
      !put_word(out, value->v1, 4) || !put_word(out, value->v2, 8) ||
      !put_word(out, value->arr_count, 4)) {
    return 0;
  }
  for (i = 0; i < value->arr_count; i++) {
    if (!put_word(out, value->arr[i], 4)) return 0;
  }
  return 1;
}

/* ---- The checksum of `read` ---------------------------------------------------------------- */

static void fold(uint64_t *sum, uint64_t word) {
  *sum = ((*sum << 5 | *sum >> 59) ^ word) * UINT64_C(0x517cc1b727220a95);
}

static void fold_text(uint64_t *sum, const char *text, size_t size) {
  fold(sum, size);
  if (size > 0) {
    fold(sum, (uint8_t)text[0]);
    fold(sum, (uint8_t)text[size - 1]);
  }
}

/* ---- The calls ------------------------------------------------------------------------------ */

static int32_t fail(codec *self, int32_t status, const char *error) {
  self->error = error;
  return status;
}

static int32_t codec_serialize(void *instance, uint64_t index, serbench_bytes *out) {
  codec *self = (codec *)instance;
  if (index >= self->value_count) return fail(self, SERBENCH_INTERNAL, "there is no such value");
  if (self->is_fresh) {
    free(self->out.data);
    memset(&self->out, 0, sizeof self->out);
  }
  if (format_write(&self->values[index], &self->out) != FORMAT_OK) {
    return fail(self, SERBENCH_OUT_OF_MEMORY, "no memory for the output");
  }
  out->data = self->out.data;
  out->size = self->out.size;
  return SERBENCH_OK;
}

static void drop_decoded(codec *self) {
  if (self->has_decoded) record_free(&self->decoded);
  self->has_decoded = 0;
}

static int32_t codec_deserialize(void *instance, serbench_bytes input) {
  codec *self = (codec *)instance;
  drop_decoded(self);
  switch (format_read(input.data, (size_t)input.size, &self->decoded)) {
    case FORMAT_OK:
      self->has_decoded = 1;
      return SERBENCH_OK;
    case FORMAT_NO_MEMORY:
      return fail(self, SERBENCH_OUT_OF_MEMORY, "no memory for the value");
    default:
      return fail(self, SERBENCH_MALFORMED, "the input is no record");
  }
}

static int32_t codec_read(void *instance, uint64_t *checksum) {
  codec *self = (codec *)instance;
  const record *value = &self->decoded;
  uint64_t sum = 0;
  size_t i;
  if (!self->has_decoded) return fail(self, SERBENCH_INTERNAL, "there is no decoded value");
  fold_text(&sum, value->s1, value->s1_size);
  fold_text(&sum, value->s2, value->s2_size);
  fold(&sum, value->v1);
  fold(&sum, value->v2);
  fold(&sum, value->arr_count);
  for (i = 0; i < value->arr_count; i++) fold(&sum, value->arr[i]);
  *checksum = sum;
  return SERBENCH_OK;
}

static int32_t codec_export(void *instance, serbench_bytes *out) {
  codec *self = (codec *)instance;
  if (!self->has_decoded) return fail(self, SERBENCH_INTERNAL, "there is no decoded value");
  if (!to_canonical(&self->decoded, &self->exported)) {
    return fail(self, SERBENCH_OUT_OF_MEMORY, "no memory for the value");
  }
  out->data = self->exported.data;
  out->size = self->exported.size;
  return SERBENCH_OK;
}

static const char *codec_last_error(void *instance) { return ((codec *)instance)->error; }

static void codec_close(void *instance) {
  codec *self = (codec *)instance;
  uint64_t i;
  for (i = 0; i < self->value_count; i++) record_free(&self->values[i]);
  drop_decoded(self);
  free(self->values);
  free(self->out.data);
  free(self->exported.data);
  free(self);
}

/* ---- The codec and the plugin --------------------------------------------------------------- */

/* Threads may open at once, and each is told of its own failure. */
static _Thread_local const char *open_message = "";

static const char *open_error(void) { return open_message; }

static int32_t refuse(int32_t status, const char *message) {
  open_message = message;
  return status;
}

static const serbench_dataset_id datasets[] = {SERBENCH_DATASET_NESTED_STRUCT};

static int32_t codec_open(const serbench_open_args *args, const serbench_instance **instance) {
  codec *self;
  uint64_t i;
  if (strcmp(args->dataset.name, datasets[0].name) != 0) {
    return refuse(SERBENCH_UNSUPPORTED, "the plugin knows nested_struct only");
  }
  if (strcmp(args->dataset.fingerprint, datasets[0].fingerprint) != 0) {
    return refuse(SERBENCH_INTERNAL, "built against another schema of nested_struct; rebuild it");
  }
  if ((args->mode & ~(SERBENCH_MODE_FRESH_OUTPUT | SERBENCH_MODE_MISALIGNED_INPUT)) != 0) {
    return refuse(SERBENCH_UNSUPPORTED, "a mode that the plugin does not know; rebuild it");
  }
  self = (codec *)calloc(1, sizeof *self);
  if (self == NULL) return refuse(SERBENCH_OUT_OF_MEMORY, "no memory for the instance");
  self->abi.struct_size = sizeof self->abi;
  self->abi.self = self;
  self->abi.note = "";
  self->abi.serialize = codec_serialize;
  self->abi.deserialize = codec_deserialize;
  self->abi.read = codec_read;
  self->abi.export_value = codec_export;
  self->abi.last_error = codec_last_error;
  self->abi.close = codec_close;
  self->is_fresh = (args->mode & SERBENCH_MODE_FRESH_OUTPUT) != 0;
  self->error = "";
  self->values = (record *)calloc((size_t)args->value_count + 1, sizeof *self->values);
  if (self->values == NULL) {
    free(self);
    return refuse(SERBENCH_OUT_OF_MEMORY, "no memory for the values");
  }
  self->value_count = args->value_count;
  for (i = 0; i < args->value_count; i++) {
    if (!from_canonical(args->values[i], &self->values[i])) {
      codec_close(self);
      return refuse(SERBENCH_OUT_OF_MEMORY, "no memory for the values");
    }
  }
  *instance = &self->abi;
  return SERBENCH_OK;
}

static const serbench_codec the_codec = {
    sizeof(serbench_codec),
    "@NAME@",
    "@NAME@",
    "@NAME@",
    "0.1.0",
    "",
    SERBENCH_CAP_SCHEMA | SERBENCH_CAP_REUSES_OUTPUT | SERBENCH_CAP_FRESH_OUTPUT,
    SERBENCH_YIELDS_OWNED,
    SERBENCH_CHECKED,
    codec_open,
    open_error,
    NULL,
};

static const serbench_codec *const codecs[] = {&the_codec};

static const serbench_plugin plugin = {
    SERBENCH_MAGIC,
    SERBENCH_ABI_MAJOR,
    SERBENCH_ABI_MINOR,
    sizeof(serbench_plugin),
    "@NAME@",
    "0.1.0",
    "MIT OR Apache-2.0",
    "C",
    "cc " __VERSION__,
    FLAGS,
    codecs,
    1,
    datasets,
    1,
};

const serbench_plugin *serbench_plugin_entry_v1(void) { return &plugin; }

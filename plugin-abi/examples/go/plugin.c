/* The descriptors: constant data, which needs no Go to be read. */
#include "plugin.h"

#include <serbench/datasets.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"

const serbench_dataset_id known_dataset = SERBENCH_DATASET_NESTED_STRUCT;

static _Thread_local char open_message[256] = "";

void set_open_error(const char *message) {
  strncpy(open_message, message, sizeof open_message - 1);
}

static const char *open_error(void) { return open_message; }

instance *new_instance(uintptr_t handle) {
  instance *self = (instance *)calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->abi.struct_size = sizeof self->abi;
  self->abi.self = self;
  self->abi.note = "";
  self->abi.serialize = codecSerialize;
  self->abi.deserialize = codecDeserialize;
  self->abi.read = codecRead;
  self->abi.export_value = codecExport;
  self->abi.last_error = (const char *(*)(void *))codecLastError;
  self->abi.close = codecClose;
  self->handle = handle;
  return self;
}

/* What Go exports knows no const. */
static int32_t open_codec(const serbench_open_args *args, const serbench_instance **out) {
  return codecOpen((serbench_open_args *)args, (serbench_instance **)out);
}

static const serbench_codec codec = {
    sizeof(serbench_codec),
    "gojson",
    "JSON",
    "encoding/json",
    GO_COMPILER,
    "every call enters Go's runtime, and the output is copied into memory of C",
    SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_TEXT | SERBENCH_CAP_FRESH_OUTPUT,
    SERBENCH_YIELDS_OWNED,
    SERBENCH_CHECKED,
    open_codec,
    open_error,
    NULL,
};

static const serbench_codec *const codecs[] = {&codec};

static const serbench_plugin plugin = {
    SERBENCH_MAGIC,
    SERBENCH_ABI_MAJOR,
    SERBENCH_ABI_MINOR,
    sizeof(serbench_plugin),
    "gojson",
    "0.1.0",
    "MIT OR Apache-2.0",
    "Go",
    GO_COMPILER,
    "-buildmode=c-shared",
    codecs,
    1,
    &known_dataset,
    1,
};

const serbench_plugin *serbench_plugin_entry_v1(void) { return &plugin; }

#include "format.h"

#include <stdlib.h>
#include <string.h>

uint8_t *buffer_grow(buffer *out, size_t size) {
  uint8_t *room;
  if (size > out->capacity - out->size) {
    size_t capacity = 2 * out->capacity;
    uint8_t *data;
    if (capacity < out->size + size) capacity = out->size + size;
    data = (uint8_t *)realloc(out->data, capacity);
    if (data == NULL) return NULL;
    out->data = data;
    out->capacity = capacity;
  }
  room = out->data + out->size;
  out->size += size;
  return room;
}

/* ---- Writing ----------------------------------------------------------------------------- */

static uint8_t *put_number(uint8_t *at, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = (uint8_t)(value | 0x80);
  *at++ = (uint8_t)value;
  return at;
}

static uint8_t *put_text(uint8_t *at, const char *text, size_t size) {
  at = put_number(at, size);
  if (size > 0) memcpy(at, text, size);
  return at + size;
}

int format_write(const record *value, buffer *out) {
  /* As much as the record can take at most: ten bytes for a number of 64 bits, five for 32. */
  const size_t most =
      10 + value->s1_size + 10 + value->s2_size + 5 + 10 + 10 + 5 * value->arr_count;
  uint8_t *at;
  size_t i;
  out->size = 0;
  at = buffer_grow(out, most);
  if (at == NULL) return FORMAT_NO_MEMORY;
  at = put_text(at, value->s1, value->s1_size);
  at = put_text(at, value->s2, value->s2_size);
  at = put_number(at, value->v1);
  at = put_number(at, value->v2);
  at = put_number(at, value->arr_count);
  for (i = 0; i < value->arr_count; i++) at = put_number(at, value->arr[i]);
  out->size = (size_t)(at - out->data);
  return FORMAT_OK;
}

/* ---- Reading ----------------------------------------------------------------------------- */

typedef struct cursor {
  const uint8_t *at, *end;
  int status;
} cursor;

static uint64_t fail(cursor *in, int status) {
  if (in->status == FORMAT_OK) in->status = status;
  return 0;
}

static uint64_t get_number(cursor *in, uint64_t most) {
  uint64_t value = 0;
  int shift;
  for (shift = 0; shift < 64 && in->at < in->end; shift += 7) {
    const uint8_t byte = *in->at++;
    if (shift == 63 && byte > 1) break;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return value <= most ? value : fail(in, FORMAT_MALFORMED);
  }
  return fail(in, FORMAT_MALFORMED);
}

/* How much follows. Whatever it counts takes a byte at least, so no length asks for more memory
 * than its input warrants. */
static size_t get_count(cursor *in) { return (size_t)get_number(in, (uint64_t)(in->end - in->at)); }

static void *get_room(cursor *in, size_t size) {
  void *room = malloc(size > 0 ? size : 1);
  if (room == NULL) fail(in, FORMAT_NO_MEMORY);
  return room;
}

/* Without overlong forms, surrogates, and what is beyond U+10FFFF. */
static int is_utf8(const uint8_t *at, size_t size) {
  const uint8_t *end = at + size;
  while (at < end) {
    const uint8_t lead = *at++;
    uint8_t low = 0x80, high = 0xbf;
    int more = 0;
    if (lead >= 0xc2 && lead <= 0xdf) {
      more = 1;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      more = 2;
      if (lead == 0xe0) low = 0xa0;
      if (lead == 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      more = 3;
      if (lead == 0xf0) low = 0x90;
      if (lead == 0xf4) high = 0x8f;
    } else if (lead >= 0x80) {
      return 0;
    }
    for (; more > 0; more--, low = 0x80, high = 0xbf) {
      if (at == end || *at < low || *at > high) return 0;
      at++;
    }
  }
  return 1;
}

static char *get_text(cursor *in, size_t *size) {
  const size_t count = get_count(in);
  char *text;
  /* The length itself was taken meanwhile. */
  if (count > (size_t)(in->end - in->at) || !is_utf8(in->at, count)) fail(in, FORMAT_MALFORMED);
  if (in->status != FORMAT_OK) return NULL;
  text = (char *)get_room(in, count);
  if (text == NULL) return NULL;
  memcpy(text, in->at, count);
  in->at += count;
  *size = count;
  return text;
}

static void get_list(cursor *in, record *value) {
  const size_t count = get_count(in);
  size_t i;
  if (in->status != FORMAT_OK) return;
  value->arr = (uint32_t *)get_room(in, count * sizeof *value->arr);
  if (value->arr == NULL) return;
  value->arr_count = count;
  for (i = 0; i < count; i++) value->arr[i] = (uint32_t)get_number(in, UINT32_MAX);
}

int format_read(const uint8_t *data, size_t size, record *value) {
  cursor in;
  in.at = data;
  in.end = data + size;
  in.status = FORMAT_OK;
  memset(value, 0, sizeof *value);
  value->s1 = get_text(&in, &value->s1_size);
  value->s2 = get_text(&in, &value->s2_size);
  value->v1 = (uint32_t)get_number(&in, UINT32_MAX);
  value->v2 = get_number(&in, UINT64_MAX);
  get_list(&in, value);
  if (in.at != in.end) fail(&in, FORMAT_MALFORMED);
  if (in.status != FORMAT_OK) record_free(value);
  return in.status;
}

void record_free(record *value) {
  free(value->s1);
  free(value->s2);
  free(value->arr);
  memset(value, 0, sizeof *value);
}

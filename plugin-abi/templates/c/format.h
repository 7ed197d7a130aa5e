/*
 * The format that is measured: numbers in groups of seven bits, text with its length before it. Put
 * your library in its place.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include <stddef.h>
#include <stdint.h>

/* A value of the dataset nested_struct, as an application holds it. */
typedef struct record {
  char *s1, *s2;
  size_t s1_size, s2_size;
  uint32_t v1;
  uint64_t v2;
  uint32_t *arr;
  size_t arr_count;
} record;

/* Bytes that grow. */
typedef struct buffer {
  uint8_t *data;
  size_t size, capacity;
} buffer;

enum { FORMAT_OK, FORMAT_MALFORMED, FORMAT_NO_MEMORY };

/* Makes room for more bytes, and says where they go; null where there is no memory. */
uint8_t *buffer_grow(buffer *out, size_t size);

/* Writes a record over what is in the buffer. */
int format_write(const record *value, buffer *out);

/* Reads a record from bytes that may be anything. Only a good one need be freed. */
int format_read(const uint8_t *data, size_t size, record *value);

void record_free(record *value);

#endif

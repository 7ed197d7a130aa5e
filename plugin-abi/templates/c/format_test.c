/* A record comes back as it went in, and what is cut short is refused. */
#include "format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void expect(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "%s\n", what);
    failures++;
  }
}

static int same_text(const char *a, size_t a_size, const char *b, size_t b_size) {
  return a_size == b_size && memcmp(a, b, a_size) == 0;
}

int main(void) {
  char s1[] = "one", s2[] = "";
  uint32_t arr[] = {0, 127, 128, UINT32_MAX};
  record value = {s1, s2, 3, 0, 1000000, UINT64_MAX, arr, 4};
  record back;
  buffer out = {NULL, 0, 0};
  size_t size;
  expect(format_write(&value, &out) == FORMAT_OK, "it cannot be written");
  expect(format_read(out.data, out.size, &back) == FORMAT_OK, "it cannot be read");
  expect(same_text(back.s1, back.s1_size, s1, 3) && same_text(back.s2, back.s2_size, s2, 0) &&
             back.v1 == value.v1 && back.v2 == value.v2 && back.arr_count == 4 &&
             memcmp(back.arr, arr, sizeof arr) == 0,
         "it came back changed");
  record_free(&back);
  for (size = 0; size < out.size; size++) {
    expect(format_read(out.data, size, &back) == FORMAT_MALFORMED, "it was read, cut short");
  }
  free(out.data);
  return failures == 0 ? 0 : 1;
}

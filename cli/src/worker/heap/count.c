/*
 * Counts what a process takes from and gives back to the C heap: preloaded into a worker that times
 * nothing, it stands before libc's allocator for plugins of every language. Rust's System
 * allocator and C++'s operator new both end here; an allocator that a plugin brings along does not.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The worker finds this by its name; its twin is `Counters` in heap.rs. */
struct counters {
  _Atomic uint64_t allocations; /* successful calls that return memory, realloc included */
  _Atomic uint64_t bytes;       /* what they asked for */
  _Atomic int64_t live;         /* what is held, in sizes of blocks as the allocator rounds them */
  _Atomic int64_t peak;         /* the highest `live` since it was last set */
  /* Where the largest request is noted, also one in vain, since the process may not live to tell
   * of it; or null. */
  _Atomic uint64_t *_Atomic largest;
};
struct counters serbench_heap;

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void *(*next_memalign)(size_t, size_t);
static void (*next_free)(void *);

/* dlsym itself may allocate: then it gets memory from here, which is never given back. */
static _Alignas(64) char early[16384];
static size_t early_used;
static int resolving;

static int is_early(const void *block) {
  const char *p = (const char *)block;
  return p >= early && p < early + sizeof early;
}

static void *take_early(size_t size) {
  const size_t rounded = (size + 63) & ~(size_t)63;
  if (rounded < size || rounded > sizeof early - early_used) return NULL;
  void *block = early + early_used;
  early_used += rounded;
  return block;
}

/* Whether libc's allocator has been found. The first caller is the dynamic linker's own start,
 * while there is one thread. */
static int ready(void) {
  if (next_free != NULL) return 1;
  if (resolving) return 0;
  resolving = 1;
  *(void **)&next_malloc = dlsym(RTLD_NEXT, "malloc");
  *(void **)&next_calloc = dlsym(RTLD_NEXT, "calloc");
  *(void **)&next_realloc = dlsym(RTLD_NEXT, "realloc");
  *(void **)&next_memalign = dlsym(RTLD_NEXT, "memalign");
  *(void **)&next_free = dlsym(RTLD_NEXT, "free");
  resolving = 0;
  return next_free != NULL;
}

static void hold(int64_t size) {
  const int64_t live = atomic_fetch_add(&serbench_heap.live, size) + size;
  int64_t peak = atomic_load(&serbench_heap.peak);
  while (live > peak && !atomic_compare_exchange_weak(&serbench_heap.peak, &peak, live)) {
  }
}

static void *taken(void *block, size_t asked) {
  _Atomic uint64_t *largest = atomic_load(&serbench_heap.largest);
  if (largest != NULL && asked > atomic_load(largest)) atomic_store(largest, asked);
  if (block == NULL) return NULL;
  atomic_fetch_add(&serbench_heap.allocations, 1);
  atomic_fetch_add(&serbench_heap.bytes, asked);
  hold((int64_t)malloc_usable_size(block));
  return block;
}

void *malloc(size_t size) { return ready() ? taken(next_malloc(size), size) : take_early(size); }

void *calloc(size_t count, size_t size) {
  if (!ready()) return count != 0 && size > sizeof early / count ? NULL : take_early(count * size);
  return taken(next_calloc(count, size), count * size);
}

void free(void *block) {
  if (block == NULL || is_early(block)) return;
  atomic_fetch_sub(&serbench_heap.live, (int64_t)malloc_usable_size(block));
  if (ready()) next_free(block);
}

void *realloc(void *block, size_t size) {
  if (block == NULL) return malloc(size);
  if (is_early(block)) {
    void *copy = malloc(size);
    const size_t room = (size_t)(early + sizeof early - (char *)block);
    if (copy != NULL) memcpy(copy, block, size < room ? size : room);
    return copy;
  }
  const int64_t before = (int64_t)malloc_usable_size(block);
  void *grown = ready() ? next_realloc(block, size) : NULL;
  if (grown != NULL || size == 0) atomic_fetch_sub(&serbench_heap.live, before);
  return taken(grown, size);
}

void *memalign(size_t alignment, size_t size) {
  return ready() ? taken(next_memalign(alignment, size), size) : NULL;
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *block = memalign(alignment, size);
  if (block == NULL) return ENOMEM;
  *out = block;
  return 0;
}

void *valloc(size_t size) { return memalign(4096, size); }

/* What Go and C share. */
#ifndef PLUGIN_H
#define PLUGIN_H

#include <serbench.h>

/* An instance, in memory of C: Go hands no pointer of its own to the host, but a handle. */
typedef struct instance {
  serbench_instance abi;
  uintptr_t handle;
} instance;

/* An instance with its functions, or null where there is no memory. */
instance *new_instance(uintptr_t handle);

/* What `open_error` says to this thread from now on. */
void set_open_error(const char *message);

/* The name and the fingerprint of the dataset that the codec knows. */
extern const serbench_dataset_id known_dataset;

#endif

// The canonical encoding of every dataset, which all plugins share.
#define SERBENCH_CANONICAL_HERE
#include <serbench/datasets.hpp>

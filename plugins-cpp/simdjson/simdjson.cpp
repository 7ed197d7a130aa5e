// simdjson 3 parses JSON and writes none, and a row is measured on what its own codec wrote: JSON
// of another library would put that one's sizes and times in the row. So the row says why it is
// empty.
#include <simdjson.h>

#include <serbench/datasets.hpp>

namespace {

struct SimdJson : serbench::Codec {
  template <class T>
  static constexpr const char *refuses = "simdjson 3 reads JSON and writes none";

  static serbench::CodecInfo info() {
    serbench::CodecInfo info;
    info.id = "simdjson";
    info.format = "JSON";
    info.library = "simdjson";
    info.library_version = std::to_string(simdjson::SIMDJSON_VERSION_MAJOR) + "." +
                           std::to_string(simdjson::SIMDJSON_VERSION_MINOR) + "." +
                           std::to_string(simdjson::SIMDJSON_VERSION_REVISION);
    info.notes = "for its reading side see simd_json, its port to Rust";
    info.capabilities =
        SERBENCH_CAP_SELF_DESCRIBING | SERBENCH_CAP_TEXT | serbench::CodecInfo::reuses_and_fresh;
    return info;
  }
};

}  // namespace

SERBENCH_PLUGIN("simdjson", "Apache-2.0", SimdJson)

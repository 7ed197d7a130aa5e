// What the generated conversions build maps by, and what spares them to know whether a getter
// returns a pointer (those of tables do) or a reference (those of structs do).
#ifndef SERBENCH_FLATBUFFERS_VALUES_HPP
#define SERBENCH_FLATBUFFERS_VALUES_HPP

#include <flatbuffers/flatbuffers.h>

#include <serbench/convert.hpp>

namespace serbench::fbs {

/// A vector of the entries that `build(entry)` makes of a map.
template <class Entry, class Map, class F>
flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<Entry>>> entries(
    flatbuffers::FlatBufferBuilder &builder, const Map &map, F &&build) {
  std::vector<flatbuffers::Offset<Entry>> offsets;
  offsets.reserve(map.size());
  for (const auto &entry : map) offsets.push_back(build(entry));
  return builder.CreateVector(offsets);
}

template <class Table, class Native>
void read_one(const Table &table, Native &native) {
  if constexpr (std::is_pointer_v<Table>) {
    read(*table, native);
  } else {
    read(table, native);
  }
}

template <class Sink, class Table>
void visit_one(Sink &sink, const Table &table) {
  if constexpr (std::is_pointer_v<Table>) {
    visit(sink, *table);
  } else {
    visit(sink, table);
  }
}

}  // namespace serbench::fbs

#endif  // SERBENCH_FLATBUFFERS_VALUES_HPP

// The ZERA format, version 1, from its published specification (protocols/ZERA.md in zerialize):
// a header, an envelope of 16-byte value references and the payloads of containers, and an arena
// for the bytes of strings and blobs, aligned to 16.
#pragma once

#include <serbench.hpp>

namespace zera {

using serbench::Input;
using serbench::load_le;
using serbench::malformed;
using serbench::store_le;

constexpr std::uint32_t magic = 0x564E455A;
constexpr std::uint16_t version = 1;
constexpr std::uint16_t little_endian = 1;
constexpr std::size_t header_size = 20;
constexpr std::size_t ref_size = 16;
constexpr std::size_t arena_align = 16;
constexpr std::size_t inline_max = 12;
constexpr std::uint16_t dtype_u8 = 2;

enum Tag : std::uint8_t {
  null = 0,
  boolean = 1,
  i64 = 2,
  f64 = 3,
  string = 4,
  array = 5,
  object = 6,
  typed_array = 7,
  u64 = 8
};

/// Builds one message. Payloads go to the envelope when their container is complete, so a child
/// always stands before its parent, and the root comes last. What goes to the arena, which follows
/// the envelope, stays with the value until the size of the envelope is known, and is copied once.
class Message {
 public:
  void clear() {
    out_.assign(header_size, 0);
    open_.clear();
    arena_.clear();
    arena_size_ = 0;
    swapped_.clear();
  }
  const std::uint8_t *data() const { return out_.data(); }
  std::size_t size() const { return out_.size(); }

  void put_word(Tag tag, std::uint64_t word, std::uint16_t aux = 0) {
    std::uint8_t *ref = put(tag, aux);
    store_le(word, ref + 4);
  }

  void put_string(std::string_view text) {
    if (text.size() <= inline_max) {
      std::uint8_t *ref = put(string, static_cast<std::uint16_t>(text.size()));
      ref[1] = 1;
      if (!text.empty()) std::memcpy(ref + 4, text.data(), text.size());
    } else {
      const std::uint32_t at =
          put_arena({reinterpret_cast<const std::uint8_t *>(text.data()), text.size()}, 1);
      put_span(string, 0, at, narrow(text.size()), 0);
    }
  }

  void put_blob(Input bytes) {
    const std::uint32_t at = put_arena(kept(bytes), arena_align);
    const std::uint32_t shape = envelope_size();
    std::uint8_t payload[12];
    store_le(std::uint32_t{1}, payload);
    store_le(std::uint64_t{bytes.size}, payload + 4);
    out_.insert(out_.end(), payload, payload + sizeof payload);
    put_span(typed_array, dtype_u8, at, narrow(bytes.size), shape);
  }

  void put_key(std::string_view key) {
    if (key.size() > UINT16_MAX) throw serbench::unsupported("ZERA keys have at most 65535 bytes");
    std::uint8_t head[4] = {};
    store_le(static_cast<std::uint16_t>(key.size()), head);
    open_.insert(open_.end(), head, head + sizeof head);
    open_.insert(open_.end(), key.begin(), key.end());
  }

  /// Opens a container; its references and keys are put until `end`.
  std::size_t begin(std::size_t count) {
    const std::size_t start = open_.size();
    std::uint8_t head[4];
    store_le(narrow(count), head);
    open_.insert(open_.end(), head, head + sizeof head);
    return start;
  }
  void end(std::size_t start, Tag tag) {
    const std::uint32_t at = envelope_size();
    const auto first = open_.begin() + static_cast<std::ptrdiff_t>(start);
    out_.insert(out_.end(), first, open_.end());
    open_.erase(first, open_.end());
    put_span(tag, 0, at, 0, 0);
  }

  /// Completes the message, whose root has been put.
  void finish() {
    const std::uint32_t root = envelope_size();
    out_.insert(out_.end(), open_.begin(), open_.end());
    const std::uint32_t envelope = envelope_size();
    const std::size_t arena = aligned(out_.size(), arena_align);
    out_.reserve(arena + arena_size_);
    out_.resize(arena);
    for (const Piece &piece : arena_) {
      out_.resize(arena + piece.at);
      out_.insert(out_.end(), piece.bytes.data, piece.bytes.data + piece.bytes.size);
    }
    std::uint8_t *header = out_.data();
    store_le(magic, header);
    store_le(version, header + 4);
    store_le(little_endian, header + 6);
    store_le(root, header + 8);
    store_le(envelope, header + 12);
    store_le(narrow(arena), header + 16);
  }

 private:
  static std::uint32_t narrow(std::size_t size) {
    if (size > UINT32_MAX) throw serbench::unsupported("a ZERA message is smaller than 4 GiB");
    return static_cast<std::uint32_t>(size);
  }

  std::uint32_t envelope_size() const { return narrow(out_.size() - header_size); }

  std::uint8_t *put(Tag tag, std::uint16_t aux) {
    open_.resize(open_.size() + ref_size);
    std::uint8_t *ref = open_.data() + open_.size() - ref_size;
    ref[0] = tag;
    store_le(aux, ref + 2);
    return ref;
  }

  void put_span(Tag tag, std::uint16_t aux, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint8_t *ref = put(tag, aux);
    store_le(a, ref + 4);
    store_le(b, ref + 8);
    store_le(c, ref + 12);
  }

  static std::size_t aligned(std::size_t size, std::size_t align) {
    return (size + align - 1) / align * align;
  }

  /// Bytes that stay until the message is complete. A big-endian machine makes those of a tensor
  /// for the call alone.
  Input kept(Input bytes) {
    if (serbench::is_little_endian()) return bytes;
    swapped_.emplace_back(bytes.data, bytes.data + bytes.size);
    return {swapped_.back().data(), bytes.size};
  }

  std::uint32_t put_arena(Input bytes, std::size_t align) {
    const std::uint32_t at = narrow(aligned(arena_size_, align));
    arena_.push_back({at, bytes});
    arena_size_ = at + bytes.size;
    return at;
  }

  struct Piece {
    std::uint32_t at;
    Input bytes;
  };

  std::vector<std::uint8_t> out_ = std::vector<std::uint8_t>(header_size);
  std::vector<std::uint8_t> open_;  // the containers that are not complete, innermost last
  std::vector<Piece> arena_;
  std::size_t arena_size_ = 0;
  std::vector<std::vector<std::uint8_t>> swapped_;
};

/// A received message: its header is checked here, everything else where it is read.
class Parsed {
 public:
  void parse(Input in) {
    if (in.size < header_size) throw malformed("ZERA: shorter than its header");
    const std::uint8_t *header = in.data;
    if (load_le<std::uint32_t>(header) != magic) throw malformed("ZERA: another magic");
    if (load_le<std::uint16_t>(header + 4) != version) throw malformed("ZERA: another version");
    if (load_le<std::uint16_t>(header + 6) != little_endian) throw malformed("ZERA: unknown flags");
    const std::size_t root = load_le<std::uint32_t>(header + 8);
    const std::size_t envelope = load_le<std::uint32_t>(header + 12);
    const std::size_t arena = load_le<std::uint32_t>(header + 16);
    if (arena > in.size || arena % arena_align != 0 || arena < header_size + envelope) {
      throw malformed("ZERA: the arena is out of place");
    }
    envelope_ = {in.data + header_size, envelope};
    arena_ = {in.data + arena, in.size - arena};
    root_ = envelope_at(root, ref_size);
  }

  const std::uint8_t *root() const { return root_; }

  const std::uint8_t *envelope_at(std::size_t offset, std::size_t size) const {
    return at(envelope_, offset, size);
  }
  const std::uint8_t *arena_at(std::size_t offset, std::size_t size) const {
    return at(arena_, offset, size);
  }
  std::size_t offset_of(const std::uint8_t *in_envelope) const {
    return static_cast<std::size_t>(in_envelope - envelope_.data);
  }

  /// Counts the references that a walk over the message follows. References may be shared, so a
  /// small message could spell out a huge value; ours never shares, so there is a limit to it.
  void start_walk() const { followed_ = 0; }
  void follow(std::size_t count) const {
    followed_ += count;
    if (followed_ > envelope_.size) throw malformed("ZERA: containers are shared");
  }

 private:
  static const std::uint8_t *at(Input region, std::size_t offset, std::size_t size) {
    if (offset > region.size || size > region.size - offset) {
      throw malformed("ZERA: an offset points outside");
    }
    return region.data + offset;
  }

  Input envelope_, arena_;
  const std::uint8_t *root_ = nullptr;
  mutable std::size_t followed_ = 0;
};

}  // namespace zera

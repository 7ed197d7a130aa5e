/*
 * serbench/streams.hpp - for libraries that write to a std::ostream and read from a std::istream:
 * streams over memory that are kept between calls, since making one costs more than a small value.
 */
#ifndef SERBENCH_STREAMS_HPP
#define SERBENCH_STREAMS_HPP

#include <istream>
#include <ostream>
#include <streambuf>

#include "canonical.hpp"

namespace serbench {

/// An output container that is written through a stream.
class OutputStream {
 public:
  void clear() { buffer_.bytes.clear(); }
  const char *data() const { return buffer_.bytes.data(); }
  std::size_t size() const { return buffer_.bytes.size(); }

  std::ostream &stream() { return stream_; }
  std::streambuf &buffer() { return buffer_; }

 private:
  class Growing : public std::streambuf {
   public:
    std::vector<char> bytes;

   protected:
    std::streamsize xsputn(const char *data, std::streamsize size) override {
      bytes.insert(bytes.end(), data, data + size);
      return size;
    }
    int_type overflow(int_type c) override {
      bytes.push_back(traits_type::to_char_type(c));
      return c;
    }
  };

  Growing buffer_;
  std::ostream stream_{&buffer_};
};

/// A stream that reads input where it lies.
class InputStream {
 public:
  void open(Input in) {
    buffer_.open(in);
    stream_.clear();
  }
  std::size_t left() const { return buffer_.left(); }

  std::istream &stream() { return stream_; }
  std::streambuf &buffer() { return buffer_; }

 private:
  class Reading : public std::streambuf {
   public:
    void open(Input in) {
      char *first = const_cast<char *>(in.chars());
      setg(first, first, first + in.size);
    }
    std::size_t left() const { return static_cast<std::size_t>(egptr() - gptr()); }
  };

  Reading buffer_;
  std::istream stream_{&buffer_};
};

}  // namespace serbench

#endif  // SERBENCH_STREAMS_HPP

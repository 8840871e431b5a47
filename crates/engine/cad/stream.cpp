#include "stream.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <unistd.h>

namespace cad {

namespace {
constexpr size_t BUFFER = 1 << 16;
}

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the stream is little endian");

Stream::Stream(int fd) : fd_(fd) {
    buffer_.reserve(BUFFER);
}

void Stream::raw(const void* data, size_t length) {
    if (buffer_.size() + length > BUFFER) {
        flush();
    }
    const char* from = static_cast<const char*>(data);
    if (length <= BUFFER) {
        buffer_.insert(buffer_.end(), from, from + length);
        return;
    }
    while (length > 0) {
        const ssize_t written = ::write(fd_, from, length);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            throw std::runtime_error("the reader is gone");
        }
        from += written;
        length -= static_cast<size_t>(written);
    }
}

void Stream::flush() {
    size_t done = 0;
    while (done < buffer_.size()) {
        const ssize_t written = ::write(fd_, buffer_.data() + done, buffer_.size() - done);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            throw std::runtime_error("the reader is gone");
        }
        done += static_cast<size_t>(written);
    }
    buffer_.clear();
}

void Stream::byte(uint8_t value) { raw(&value, sizeof value); }
void Stream::u32(uint32_t value) { raw(&value, sizeof value); }
void Stream::i32(int32_t value) { raw(&value, sizeof value); }
void Stream::f32(float value) { raw(&value, sizeof value); }
void Stream::f64(double value) { raw(&value, sizeof value); }

void Stream::text(const std::string& value) {
    u32(static_cast<uint32_t>(value.size()));
    raw(value.data(), value.size());
}

}  // namespace cad

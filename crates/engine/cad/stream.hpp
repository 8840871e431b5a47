// The stream written by modelkit-cad and read by the engine (`src/read/cad/stream.rs`).
// Little endian; a record is a tag byte and its fields. Texts are a u32 length
// and UTF-8 bytes. Lengths are millimetres, Z up, as in OCCT.
//
//   "MKCAD" u8 version
//   'P' f32 done (0…1)                                   progress
//   'U' text name, f64 metres                            unit of the file
//   'C' 4 × f32                                          colour, linear RGBA; numbered from 0
//   'M' text name, u8 open, 3 × f64 origin, u32 parts    mesh; numbered from 0; open when it is
//       not the surface of solids, and so double-sided; positions count from the origin
//       each part: i32 colour (-1: none), u32 entity; if that is not 0, u32 file and f64 unit: the engine has the
//       triangles of this entity of that file (0: the first), and a unit there is so many millimetres; else
//       u32 vertices, u32 triangles, positions and normals (3 × f32 per vertex), corners (3 × u32 per triangle)
//   'N' i32 parent (-1: root), text name, i32 mesh (-1: none), 12 × f64    node; numbered from 0;
//       the upper three rows of its matrix
//   'X' text name                                        asks for a file that the last one refers to, which the engine
//       then sends; files are numbered from 1 as far as they are there
//   'W' u8 what, u32 count, text first                   a warning (see Notice)
//   'F' u8 why                                           the file cannot be read (see Failure); end of the stream
//   'E'                                                  end of the stream
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cad {

constexpr uint8_t VERSION = 3;

enum class Notice : uint8_t {
    FacesNotMeshed = 1,
    Hidden = 2,
    CurvesOnly = 3,
    Incomplete = 4,
    // Of IGES.
    Blanked = 5,
    // Files that parts are in: received, but not read.
    Unread = 6,
};

enum class Failure : uint8_t {
    Unreadable = 1,
    Empty = 2,
    Memory = 3,
    Library = 4,
};

// Buffered writer; throws std::runtime_error when the reader has closed the pipe.
class Stream {
public:
    explicit Stream(int fd);
    void byte(uint8_t value);
    void u32(uint32_t value);
    void i32(int32_t value);
    void f32(float value);
    void f64(double value);
    void text(const std::string& value);
    void raw(const void* data, size_t length);
    void flush();

private:
    int fd_;
    std::vector<char> buffer_;
};

}  // namespace cad

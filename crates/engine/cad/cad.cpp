// Reads a STEP or IGES file with OCCT and writes its triangles to a stream. OCCT is under the LGPL and linked
// dynamically, into this program only.

#include "document.hpp"
#include "stream.hpp"
#include "tree.hpp"

#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Standard_Failure.hxx>

#include <fcntl.h>
#include <new>
#include <stdexcept>
#include <unistd.h>

namespace {

void fail(cad::Stream& out, cad::Failure why) {
    out.byte('F');
    out.byte(static_cast<uint8_t>(why));
    out.flush();
}

void convert(cad::Format format, cad::Input& input, cad::Stream& out) {
    if (!input.next()) {
        throw cad::Refused{cad::Failure::Unreadable};
    }
    const cad::Source source = cad::open(format, input, out, 0.1, 0.5);
    out.byte('U');
    out.text(source.unit.name);
    out.f64(source.unit.metres);
    cad::writeTree(source, input, out);
    out.byte('E');
    out.flush();
}

}  // namespace

// `kind` is 'S' for STEP, whose texts are UTF-8, or 'I' for IGES. Returns the exit code.
extern "C" int modelkit_cad_convert(char kind, int input, int output) {
    // OCCT and its parsers print to standard output.
    const int stream = ::dup(output);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    if (stream < 0 || nowhere < 0 || ::dup2(nowhere, STDOUT_FILENO) < 0) {
        return 1;
    }
    ::close(nowhere);
    Message::DefaultMessenger()->ChangePrinters().Clear();
    cad::Stream out(stream);
    cad::Input files(input);
    out.raw("MKCAD", 5);
    out.byte(cad::VERSION);
    try {
        try {
            convert(kind == 'I' ? cad::Format::Iges : cad::Format::Step, files, out);
        } catch (const cad::Refused& refused) {
            fail(out, refused.why);
        } catch (const std::bad_alloc&) {
            fail(out, cad::Failure::Memory);
        } catch (const Standard_Failure&) {
            fail(out, cad::Failure::Library);
        }
    } catch (const std::exception&) {
        // The engine has exited or timed out.
        return 1;
    }
    // Without destructors: freeing a large document takes a good part of the time of reading it.
    ::_exit(0);
}

// A STEP or IGES file as an XCAF document: assembly tree, names, colours.
#pragma once

#include "facts.hpp"
#include "stream.hpp"

#include <Message_ProgressIndicator.hxx>
#include <TDocStd_Document.hxx>

#include <string>

namespace cad {

enum class Format { Step, Iges };

// Reported when a file cannot be turned into a document.
struct Refused {
    Failure why;
};

// Unit of the file, for display; lengths in the document are always millimetres.
struct FileUnit {
    std::string name = "mm";
    double metres = 0.001;
};

struct Source {
    Handle(TDocStd_Document) document;
    FileUnit unit;
    Facts facts;
    // Names are the file's raw bytes.
    bool rawNames = false;
    // Which file it is, in the order in which they were received.
    int32_t number = 0;
};

// Writes OCCT's progress to the stream, as the part `from`…`to` of the whole.
class StreamProgress : public Message_ProgressIndicator {
    DEFINE_STANDARD_RTTI_INLINE(StreamProgress, Message_ProgressIndicator)
public:
    StreamProgress(Stream& out, double from, double to) : out_(out), from_(from), to_(to) {}

protected:
    void Show(const Message_ProgressScope& scope, const Standard_Boolean force) override;

private:
    Stream& out_;
    double from_, to_;
    double shown_ = -1;
};

// Files from the engine, each a u64 length and so many bytes; ABSENT is the length of one that it does not have.
class Input {
public:
    static constexpr uint64_t ABSENT = ~uint64_t{0};

    explicit Input(int fd) : fd_(fd) {}
    // Skips what is left of the present file; false if the next is absent.
    bool next();
    // Reads up to `most` bytes of the present file; 0 at its end.
    size_t read(char* to, size_t most);

private:
    int fd_;
    uint64_t left_ = 0;
};

// Reads the present file of the input, and reports the part `from`…`to` of the whole as it goes. Throws Refused.
Source open(Format format, Input& input, Stream& out, double from, double to);

}  // namespace cad

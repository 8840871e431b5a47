// A STEP or IGES file as an XCAF document: assembly tree, names, colours.
#pragma once

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
    // Texts are the file's raw bytes, one per character.
    bool rawTexts = false;
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

// Reads the model from `input`, a file descriptor. Throws Refused.
Source open(Format format, int input, Stream& out);

}  // namespace cad

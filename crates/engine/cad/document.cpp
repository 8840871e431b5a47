#include "document.hpp"

#include <IGESCAFControl_Reader.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESModel.hxx>
#include <Interface_Static.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TColStd_SequenceOfAsciiString.hxx>
#include <TDocStd_Application.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_DocumentTool.hxx>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <istream>
#include <streambuf>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace cad {

namespace {

// Reads from a file descriptor.
class Pipe : public std::streambuf {
public:
    explicit Pipe(int fd) : fd_(fd) {}

protected:
    int_type underflow() override {
        ssize_t got;
        do {
            got = ::read(fd_, buffer_.data(), buffer_.size());
        } while (got < 0 && errno == EINTR);
        if (got <= 0) {
            return traits_type::eof();
        }
        setg(buffer_.data(), buffer_.data(), buffer_.data() + got);
        return traits_type::to_int_type(*gptr());
    }

private:
    int fd_;
    std::array<char, 1 << 16> buffer_;
};

// Limits the process to `more` further open files: a model that names other files (external references of STEP) can
// open none of them.
void closeTheFiles(int more) {
    const int next = ::dup(0);
    if (next < 0) {
        return;
    }
    ::close(next);
    const auto most = static_cast<rlim_t>(next + more);
    const rlimit limit{most, most};
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

// OCCT reads IGES only by path, hence a copy in memory that has one.
int copyToMemory(int input) {
    const int copy = ::memfd_create("model", MFD_CLOEXEC);
    std::array<char, 1 << 16> buffer;
    ssize_t got;
    while (copy >= 0 && (got = ::read(input, buffer.data(), buffer.size())) != 0) {
        if (got < 0 && errno == EINTR) {
            continue;
        }
        ssize_t done = 0;
        while (got > 0 && done < got) {
            const ssize_t written = ::write(copy, buffer.data() + done, static_cast<size_t>(got - done));
            if (written <= 0) {
                throw Refused{Failure::Memory};
            }
            done += written;
        }
        if (got < 0) {
            throw Refused{Failure::Unreadable};
        }
    }
    if (copy < 0) {
        throw Refused{Failure::Memory};
    }
    return copy;
}

struct KnownUnit {
    const char* written;
    const char* name;
    double metres;
};

constexpr KnownUnit UNITS[] = {
    {"millimetre", "mm", 0.001}, {"centimetre", "cm", 0.01}, {"kilometre", "km", 1000},
    {"micrometre", "um", 1e-6},  {"metre", "m", 1},          {"inch", "in", 0.0254},
    {"foot", "ft", 0.3048},      {"mile", "mi", 1609.344},   {"mil", "mil", 2.54e-5},
    {"mm", "mm", 0.001},         {"cm", "cm", 0.01},         {"km", "km", 1000},
    {"um", "um", 1e-6},          {"uin", "uin", 2.54e-8},    {"in", "in", 0.0254},
    {"ft", "ft", 0.3048},        {"mi", "mi", 1609.344},     {"m", "m", 1},
};

// Writers spell units in many ways: 'MILLIMETRE', 'millimeter', 'Inch'.
void setUnit(FileUnit& unit, std::string written) {
    std::transform(written.begin(), written.end(), written.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto meter = written.rfind("meter");
    if (meter != std::string::npos) {
        written.replace(meter, 5, "metre");
    }
    for (const KnownUnit& known : UNITS) {
        if (written == known.written) {
            unit.name = known.name;
            unit.metres = known.metres;
            return;
        }
    }
}

template <class Reader>
void transfer(Reader& reader, Source& source, Stream& out) {
    Handle(StreamProgress) progress = new StreamProgress(out, 0.1, 0.5);
    if (!reader.Transfer(source.document, progress->Start())) {
        throw Refused{Failure::Empty};
    }
}

void readStep(Source& source, int input, Stream& out) {
    STEPCAFControl_Reader reader;
    Interface_Static::SetCVal("xstep.cascade.unit", "MM");
    reader.SetColorMode(Standard_True);
    reader.SetNameMode(Standard_True);
    reader.SetLayerMode(Standard_False);
    reader.SetPropsMode(Standard_False);
    reader.SetGDTMode(Standard_False);
    reader.SetMatMode(Standard_False);
    reader.SetViewMode(Standard_False);
    closeTheFiles(0);
    Pipe pipe(input);
    std::istream stream(&pipe);
    if (reader.ChangeReader().ReadStream("model.stp", stream) != IFSelect_RetDone) {
        throw Refused{Failure::Unreadable};
    }
    TColStd_SequenceOfAsciiString lengths, angles, solidAngles;
    reader.ChangeReader().FileUnits(lengths, angles, solidAngles);
    if (!lengths.IsEmpty()) {
        setUnit(source.unit, lengths.First().ToCString());
    }
    transfer(reader, source, out);
}

void readIges(Source& source, int input, Stream& out) {
    IGESCAFControl_Reader reader;
    Interface_Static::SetCVal("xstep.cascade.unit", "MM");
    reader.SetColorMode(Standard_True);
    reader.SetNameMode(Standard_True);
    reader.SetLayerMode(Standard_False);
    // Entities marked as blanked are left out.
    reader.SetReadVisible(Standard_True);
    // IGES names have no declared encoding; the engine detects it.
    source.rawTexts = true;
    const int copy = copyToMemory(input);
    closeTheFiles(1);
    const std::string path = "/proc/self/fd/" + std::to_string(copy);
    if (reader.ReadFile(path.c_str()) != IFSelect_RetDone) {
        throw Refused{Failure::Unreadable};
    }
    const Handle(IGESData_IGESModel) model = reader.IGESModel();
    if (!model.IsNull() && !model->GlobalSection().UnitName().IsNull()) {
        setUnit(source.unit, model->GlobalSection().UnitName()->ToCString());
    }
    transfer(reader, source, out);
}

}  // namespace

void StreamProgress::Show(const Message_ProgressScope&, const Standard_Boolean) {
    const double now = from_ + (to_ - from_) * GetPosition();
    if (now < shown_ + 0.01) {
        return;
    }
    shown_ = now;
    out_.byte('P');
    out_.f32(static_cast<float>(now));
    out_.flush();
}

Source open(Format format, int input, Stream& out) {
    Source source;
    Handle(XCAFApp_Application) application = XCAFApp_Application::GetApplication();
    application->NewDocument("MDTV-XCAF", source.document);
    if (format == Format::Step) {
        readStep(source, input, out);
    } else {
        readIges(source, input, out);
    }
    return source;
}

}  // namespace cad

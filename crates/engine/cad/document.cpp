#include "document.hpp"

#include "iges.hpp"
#include "step.hpp"

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

// Reads the present file.
class Pipe : public std::streambuf {
public:
    explicit Pipe(Input& input) : input_(input) {}

protected:
    int_type underflow() override {
        const size_t got = input_.read(buffer_.data(), buffer_.size());
        if (got == 0) {
            return traits_type::eof();
        }
        setg(buffer_.data(), buffer_.data(), buffer_.data() + got);
        return traits_type::to_int_type(*gptr());
    }

private:
    Input& input_;
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
int copyToMemory(Input& input) {
    const int copy = ::memfd_create("model", MFD_CLOEXEC);
    if (copy < 0) {
        throw Refused{Failure::Memory};
    }
    std::array<char, 1 << 16> buffer;
    while (const size_t got = input.read(buffer.data(), buffer.size())) {
        for (size_t done = 0; done < got;) {
            const ssize_t written = ::write(copy, buffer.data() + done, got - done);
            if (written <= 0) {
                throw Refused{Failure::Memory};
            }
            done += static_cast<size_t>(written);
        }
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
void transfer(Reader& reader, Source& source, Stream& out, double from, double to) {
    Handle(StreamProgress) progress = new StreamProgress(out, from, to);
    if (!reader.Transfer(source.document, progress->Start())) {
        throw Refused{Failure::Empty};
    }
}

void readStep(Source& source, Input& input, Stream& out, double from, double to) {
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
    StepFacts facts(reader.ChangeReader().WS());
    facts.beforeTransfer();
    transfer(reader, source, out, from, to);
    facts.afterTransfer(source.facts);
}

// The unit of an IGES file: by its flag, whose value 3 refers to the name (IGES 5.3, 2.2.4.3.14 and 15).
void setUnit(FileUnit& unit, const IGESData_GlobalSection& global) {
    constexpr const char* BY_FLAG[] = {"in", "mm", nullptr, "ft", "mi", "m", "km", "mil", "um", "cm", "uin"};
    const int flag = global.UnitFlag();
    if (flag >= 1 && flag <= 11 && flag != 3) {
        setUnit(unit, std::string(BY_FLAG[flag - 1]));
    } else if (!global.UnitName().IsNull()) {
        setUnit(unit, std::string(global.UnitName()->ToCString()));
    }
}

void readIges(Source& source, Input& input, Stream& out, double from, double to) {
    IGESCAFControl_Reader reader;
    Interface_Static::SetCVal("xstep.cascade.unit", "MM");
    reader.SetColorMode(Standard_True);
    reader.SetNameMode(Standard_True);
    reader.SetLayerMode(Standard_False);
    // Entities marked as blanked are left out.
    reader.SetReadVisible(Standard_True);
    // IGES names have no declared encoding; the engine detects it.
    source.rawNames = true;
    const int copy = copyToMemory(input);
    closeTheFiles(1);
    const std::string path = "/proc/self/fd/" + std::to_string(copy);
    if (reader.ReadFile(path.c_str()) != IFSelect_RetDone) {
        throw Refused{Failure::Unreadable};
    }
    const Handle(IGESData_IGESModel) model = reader.IGESModel();
    if (model.IsNull()) {
        throw Refused{Failure::Unreadable};
    }
    setUnit(source.unit, model->GlobalSection());
    IgesFacts facts(reader.WS(), model);
    facts.beforeTransfer(source.facts);
    transfer(reader, source, out, from, to);
    facts.afterTransfer(source.facts);
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

bool Input::next() {
    std::array<char, 1 << 16> buffer;
    while (read(buffer.data(), buffer.size()) > 0) {
    }
    uint64_t length = 0;
    left_ = sizeof length;
    size_t done = 0;
    while (const size_t got = read(reinterpret_cast<char*>(&length) + done, sizeof length - done)) {
        done += got;
    }
    const bool present = done == sizeof length && length != ABSENT;
    left_ = present ? length : 0;
    return present;
}

size_t Input::read(char* to, size_t most) {
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(left_, most));
    ssize_t got;
    do {
        got = wanted == 0 ? 0 : ::read(fd_, to, wanted);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        left_ = 0;
        return 0;
    }
    left_ -= static_cast<uint64_t>(got);
    return static_cast<size_t>(got);
}

Source open(Format format, Input& input, Stream& out, double from, double to) {
    Source source;
    Handle(XCAFApp_Application) application = XCAFApp_Application::GetApplication();
    application->NewDocument("MDTV-XCAF", source.document);
    if (format == Format::Step) {
        readStep(source, input, out, from, to);
    } else {
        readIges(source, input, out, from, to);
    }
    return source;
}

}  // namespace cad

#include "tree.hpp"

#include "mesh.hpp"

#include <TDF_LabelSequence.hxx>
#include <TDF_Tool.hxx>
#include <TDataStd_Name.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace cad {

namespace {

// Deeper than any assembly; a file that claims more is hostile.
constexpr int DEEPEST = 256;
// Largest distance to the true surface, as a part of the diagonal: of the part, and bounds by that of the whole.
constexpr double OF_PART = 0.001;
constexpr double OF_WHOLE_MOST = 0.0005;
constexpr double OF_WHOLE_LEAST = 0.00001;

// What a node hands down.
struct Style {
    int32_t colour = -1;
    bool visible = true;
};

// Things to tell at the end, with the first place.
struct Count {
    uint32_t count = 0;
    std::string first;

    void add(size_t more, const std::string& place) {
        if (count == 0 && more > 0) {
            first = place;
        }
        count += static_cast<uint32_t>(more);
    }
};

// Names that writers or OCCT make up say nothing to people.
bool isMadeUp(const std::string& name) {
    if (name.empty() || name.rfind("=>[", 0) == 0) {
        return true;
    }
    for (const char* kind : {"COMPOUND", "COMPSOLID", "SOLID", "SHELL", "FACE", "WIRE", "EDGE", "VERTEX"}) {
        if (name == kind) {
            return true;
        }
    }
    if (name.rfind("NAUO", 0) != 0) {
        return false;
    }
    return std::all_of(name.begin() + 4, name.end(), [](unsigned char c) { return std::isdigit(c) || c == '.'; });
}

class Walk {
public:
    Walk(const Source& source, Stream& out)
        : source_(source),
          out_(out),
          palette_(out),
          shapes_(XCAFDoc_DocumentTool::ShapeTool(source.document->Main())),
          colours_(XCAFDoc_DocumentTool::ColorTool(source.document->Main())) {}

    void tell() {
        TDF_LabelSequence roots;
        shapes_->GetFreeShapes(roots);
        for (int i = 1; i <= roots.Length(); ++i) {
            whole_ = std::max(whole_, diagonal(XCAFDoc_ShapeTool::GetShape(roots.Value(i))));
            countParts(roots.Value(i), 0);
        }
        for (int i = 1; i <= roots.Length(); ++i) {
            place(roots.Value(i), -1, Style(), 0);
        }
        notice(Notice::FacesNotMeshed, failed_);
        notice(Notice::Hidden, hidden_);
        notice(Notice::CurvesOnly, curves_);
        notice(Notice::Incomplete, tooDeep_);
        if (roots.IsEmpty()) {
            throw Refused{Failure::Empty};
        }
    }

private:
    using Variants = std::map<int32_t, int32_t>;

    // Meshes to come, for the progress.
    void countParts(const TDF_Label& label, int depth) {
        TDF_Label shape = label;
        XCAFDoc_ShapeTool::GetReferredShape(label, shape);
        if (depth > DEEPEST || !seen_.insert(entry(shape)).second) {
            return;
        }
        if (!XCAFDoc_ShapeTool::IsAssembly(shape)) {
            ++partsToCome_;
            return;
        }
        TDF_LabelSequence components;
        XCAFDoc_ShapeTool::GetComponents(shape, components);
        for (int i = 1; i <= components.Length(); ++i) {
            countParts(components.Value(i), depth + 1);
        }
    }

    void place(const TDF_Label& label, int32_t parent, Style style, int depth) {
        TDF_Label shape = label;
        const bool refers = XCAFDoc_ShapeTool::GetReferredShape(label, shape);
        const std::string name = nameOf(label, shape);
        if (depth > DEEPEST) {
            tooDeep_.add(1, name);
            return;
        }
        if (!colours_->IsVisible(label) || !colours_->IsVisible(shape)) {
            hidden_.add(1, name);
            return;
        }
        Quantity_ColorRGBA colour;
        if (own(shape, colour)) {
            style.colour = palette_.number(colour);
        }
        // What an instance is painted with goes before its part's own colour.
        if (refers && own(label, colour)) {
            style.colour = palette_.number(colour);
        }
        const bool assembly = XCAFDoc_ShapeTool::IsAssembly(shape);
        const int32_t mesh = assembly ? -1 : meshOf(shape, style.colour);
        const int32_t node = tellNode(parent, name, mesh, XCAFDoc_ShapeTool::GetLocation(label));
        if (!assembly) {
            return;
        }
        TDF_LabelSequence components;
        XCAFDoc_ShapeTool::GetComponents(shape, components);
        for (int i = 1; i <= components.Length(); ++i) {
            place(components.Value(i), node, style, depth + 1);
        }
    }

    bool own(const TDF_Label& label, Quantity_ColorRGBA& colour) const {
        return colours_->GetColor(label, XCAFDoc_ColorSurf, colour) ||
               colours_->GetColor(label, XCAFDoc_ColorGen, colour);
    }

    static std::string entry(const TDF_Label& label) {
        TCollection_AsciiString text;
        TDF_Tool::Entry(label, text);
        return text.ToCString();
    }

    std::string ownName(const TDF_Label& label) const {
        Handle(TDataStd_Name) attribute;
        if (!label.FindAttribute(TDataStd_Name::GetID(), attribute)) {
            return {};
        }
        const TCollection_ExtendedString& wide = attribute->Get();
        std::string bytes;
        bool all = source_.rawTexts;
        for (int i = 1; all && i <= wide.Length(); ++i) {
            // Left as bytes, each in a character of its own.
            all = wide.Value(i) < 256;
            bytes.push_back(static_cast<char>(wide.Value(i)));
        }
        return all ? bytes : TCollection_AsciiString(wide).ToCString();
    }

    std::string nameOf(const TDF_Label& label, const TDF_Label& shape) const {
        const std::string instance = ownName(label);
        const std::string product = ownName(shape);
        if (!isMadeUp(instance)) {
            return instance;
        }
        return isMadeUp(product) ? std::string() : product;
    }

    // The mesh of a part in a colour, told when it is first needed; -1 for a part without faces.
    int32_t meshOf(const TDF_Label& shape, int32_t colour) {
        Variants& variants = meshes_[entry(shape)];
        const auto known = variants.find(colour);
        if (known != variants.end()) {
            return known->second;
        }
        const std::string name = nameOf(shape, shape);
        Meshed meshed = triangulate(shape, colour, deflection(shape), palette_);
        if (variants.empty()) {
            failed_.add(meshed.failed, name);
            if (meshed.faces == 0 && meshed.curves) {
                curves_.add(1, name);
            }
        }
        const int32_t number = tellMesh(name, meshed);
        variants.emplace(colour, number);
        ++partsDone_;
        out_.byte('P');
        out_.f32(static_cast<float>(0.5 + 0.5 * std::min(1.0, partsDone_ / std::max(1.0, partsToCome_))));
        out_.flush();
        return number;
    }

    double deflection(const TDF_Label& shape) const {
        const double part = diagonal(XCAFDoc_ShapeTool::GetShape(shape));
        const double whole = whole_ > 0 ? whole_ : 1;
        return std::clamp(part * OF_PART, whole * OF_WHOLE_LEAST, whole * OF_WHOLE_MOST);
    }

    int32_t tellMesh(const std::string& name, Meshed& meshed) {
        std::vector<Part>& parts = meshed.parts;
        const auto empty = [](const Part& part) { return part.corners.empty(); };
        parts.erase(std::remove_if(parts.begin(), parts.end(), empty), parts.end());
        if (parts.empty()) {
            return -1;
        }
        out_.byte('M');
        out_.text(name);
        out_.byte(meshed.open ? 1 : 0);
        out_.u32(static_cast<uint32_t>(parts.size()));
        for (const Part& part : parts) {
            out_.i32(part.colour);
            out_.u32(static_cast<uint32_t>(part.positions.size() / 3));
            out_.u32(static_cast<uint32_t>(part.corners.size() / 3));
            out_.raw(part.positions.data(), part.positions.size() * sizeof(float));
            out_.raw(part.normals.data(), part.normals.size() * sizeof(float));
            out_.raw(part.corners.data(), part.corners.size() * sizeof(uint32_t));
        }
        return told_++;
    }

    int32_t tellNode(int32_t parent, const std::string& name, int32_t mesh, const TopLoc_Location& place) {
        out_.byte('N');
        out_.i32(parent);
        out_.text(name);
        out_.i32(mesh);
        const gp_Trsf matrix = place.Transformation();
        for (int row = 1; row <= 3; ++row) {
            for (int column = 1; column <= 4; ++column) {
                out_.f64(matrix.Value(row, column));
            }
        }
        return nodes_++;
    }

    void notice(Notice what, const Count& count) {
        if (count.count == 0) {
            return;
        }
        out_.byte('W');
        out_.byte(static_cast<uint8_t>(what));
        out_.u32(count.count);
        out_.text(count.first);
    }

    const Source& source_;
    Stream& out_;
    Palette palette_;
    Handle(XCAFDoc_ShapeTool) shapes_;
    Handle(XCAFDoc_ColorTool) colours_;
    // By the entry of a shape's label: colour handed down → number of the mesh.
    std::map<std::string, Variants> meshes_;
    std::set<std::string> seen_;
    double whole_ = 0;
    double partsToCome_ = 0, partsDone_ = 0;
    int32_t told_ = 0, nodes_ = 0;
    Count failed_, hidden_, curves_, tooDeep_;
};

}  // namespace

void tellTree(const Source& source, Stream& out) {
    Walk(source, out).tell();
}

}  // namespace cad

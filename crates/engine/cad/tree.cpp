#include "tree.hpp"

#include "file.hpp"
#include "mesh.hpp"

#include <TDF_LabelSequence.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace cad {

namespace {

// Deeper than any real assembly; a file beyond it is hostile.
constexpr int DEEPEST = 256;
// Largest distance to the true surface, relative to the diagonal: of the part, limited by that of the whole model.
constexpr double OF_PART = 0.001;
constexpr double OF_WHOLE_MOST = 0.0005;
constexpr double OF_WHOLE_LEAST = 0.00001;

// What a node's children inherit.
struct Style {
    int32_t colour = -1;
    bool visible = true;
};

// Warnings for the end of the stream, with the first place of each.
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

class Walk {
public:
    Walk(const Source& source, Input& input, Stream& out)
        : main_(source), file_(&main_), input_(input), out_(out), palette_(out) {}

    void write() {
        TDF_LabelSequence roots;
        main_.shapes->GetFreeShapes(roots);
        placeAll(roots, -1, Style(), 0);
        blanked_.add(main_.source.facts.blanked, {});
        notice(Notice::FacesNotMeshed, failed_);
        notice(Notice::Hidden, hidden_);
        notice(Notice::CurvesOnly, curves_);
        notice(Notice::Incomplete, tooDeep_);
        notice(Notice::Blanked, blanked_);
        notice(Notice::Unread, unread_);
        if (roots.IsEmpty()) {
            throw Refused{Failure::Empty};
        }
    }

private:
    const Facts& facts() const { return file_->source.facts; }

    void placeAll(const TDF_LabelSequence& roots, int32_t parent, const Style& style, int depth) {
        for (int i = 1; i <= roots.Length(); ++i) {
            whole_ = std::max(whole_, diagonal(XCAFDoc_ShapeTool::GetShape(roots.Value(i))));
            countParts(roots.Value(i), depth);
        }
        for (int i = 1; i <= roots.Length(); ++i) {
            place(roots.Value(i), parent, style, depth);
        }
    }

    // Meshes to come, for progress.
    void countParts(const TDF_Label& label, int depth) {
        TDF_Label shape = label;
        XCAFDoc_ShapeTool::GetReferredShape(label, shape);
        if (depth > DEEPEST || !file_->seen.insert(File::entry(shape)).second) {
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
        const Named instance = file_->named(label), product = file_->named(shape);
        const std::string name = nameOf(instance, product);
        if (depth > DEEPEST) {
            tooDeep_.add(1, name);
            return;
        }
        const std::vector<size_t> outer = active_;
        if (refers) {
            path_.push_back(instance.number);
            addStyles(instance.number);
        }
        if (!isVisible(label, shape, product.number)) {
            hidden_.add(1, name);
        } else {
            setColour(style, label, shape, product.number);
            placeVisible(label, shape, name, parent, style, depth);
        }
        if (refers) {
            active_ = outer;
            path_.pop_back();
        }
    }

    void placeVisible(const TDF_Label& label, const TDF_Label& shape, const std::string& name, int32_t parent,
                      const Style& style, int depth) {
        if (!XCAFDoc_ShapeTool::IsAssembly(shape)) {
            placePart(label, shape, name, parent, style, depth);
            return;
        }
        const int32_t node = writeNode(parent, name, -1, label);
        TDF_LabelSequence components;
        XCAFDoc_ShapeTool::GetComponents(shape, components);
        for (int i = 1; i <= components.Length(); ++i) {
            place(components.Value(i), node, style, depth + 1);
        }
    }

    void placePart(const TDF_Label& label, const TDF_Label& shape, const std::string& name, int32_t parent,
                   const Style& style, int depth) {
        Shaped part(shape, facts());
        File::Known& known = file_->part(shape, part.shape());
        const Look look = lookOf(known, style.colour);
        const std::string product = nameOf(file_->named(shape), Named());
        const int32_t mesh = meshOf(part, known, known.bodies.empty() ? WHOLE : REST, product, look);
        const int32_t node = writeNode(parent, name, mesh, label);
        for (size_t i = 0; i < known.bodies.size(); ++i) {
            const std::string* body = facts().bodies.Seek(known.bodies[i]);
            const int32_t own = meshOf(part, known, static_cast<int>(i), *body, look);
            if (own >= 0) {
                writeNode(node, *body, own, TopLoc_Location(), nullptr);
            }
        }
        const std::string* file = part.shape().IsNull() ? nullptr : facts().external.Seek(part.shape());
        if (mesh < 0 && known.bodies.empty() && file != nullptr) {
            placeFile(*file, node, style, depth);
        }
    }

    // Places the roots of another file below a node.
    void placeFile(const std::string& name, int32_t parent, const Style& style, int depth) {
        File* const inner = fileOf(name);
        if (inner == nullptr || inner == &main_ || std::count(open_.begin(), open_.end(), inner) > 0) {
            return;
        }
        File* const outer = std::exchange(file_, inner);
        const std::vector<int> path = std::exchange(path_, {});
        const std::vector<size_t> active = std::exchange(active_, {});
        open_.push_back(inner);
        TDF_LabelSequence roots;
        inner->shapes->GetFreeShapes(roots);
        placeAll(roots, parent, style, depth + 1);
        open_.pop_back();
        file_ = outer;
        path_ = path;
        active_ = active;
    }

    // Another file, which the engine sends; null if it cannot be had.
    File* fileOf(const std::string& name) {
        const auto [place, isNew] = files_.try_emplace(name);
        if (!isNew) {
            return place->second.get();
        }
        out_.byte('X');
        out_.text(name);
        out_.flush();
        if (!input_.next()) {
            return nullptr;
        }
        // Counts also when it cannot be read.
        const int32_t number = ++received_;
        try {
            sources_.push_back(std::make_unique<Source>(open(Format::Step, input_, out_, 0.5, 0.5)));
            sources_.back()->number = number;
            place->second = std::make_unique<File>(*sources_.back());
        } catch (const Refused& refused) {
            if (refused.why == Failure::Memory) {
                throw;
            }
            unread_.add(1, name);
        }
        return place->second.get();
    }

    // Styles that begin to hold with an instance, the last of the path.
    void addStyles(int instance) {
        const auto found = file_->stylesOf.find(instance);
        if (found == file_->stylesOf.end()) {
            return;
        }
        for (const size_t i : found->second) {
            const std::vector<int>& wanted = facts().styles[i].path;
            if (wanted.size() <= path_.size() && std::equal(wanted.rbegin(), wanted.rend(), path_.rbegin())) {
                active_.push_back(i);
            }
        }
        std::sort(active_.begin(), active_.end());
    }

    static bool isAllOf(const InstanceStyle& style, const TDF_Label& shape, int product) {
        return (product != 0 && style.product == product) ||
               style.shape.IsSame(XCAFDoc_ShapeTool::GetShape(shape));
    }

    bool isVisible(const TDF_Label& label, const TDF_Label& shape, int product) const {
        if (!file_->colours->IsVisible(label) || facts().hiddenProducts.count(product) > 0) {
            return false;
        }
        if (!facts().hidden.IsEmpty() && (facts().hidden.Contains(XCAFDoc_ShapeTool::GetShape(label)) ||
                                          facts().hidden.Contains(XCAFDoc_ShapeTool::GetShape(shape)))) {
            return false;
        }
        return std::none_of(active_.begin(), active_.end(), [&](size_t i) {
            const InstanceStyle& style = facts().styles[i];
            return !style.visible && isAllOf(style, shape, product);
        });
    }

    void setColour(Style& style, const TDF_Label& label, const TDF_Label& shape, int product) {
        Quantity_ColorRGBA colour;
        if (file_->colourOf(shape, colour)) {
            style.colour = palette_.number(colour);
        }
        // The colour of an instance takes precedence over its part's own.
        if (label != shape && file_->colourOf(label, colour)) {
            style.colour = palette_.number(colour);
        }
        for (const size_t i : active_) {
            const InstanceStyle& inContext = facts().styles[i];
            if (inContext.coloured && isAllOf(inContext, shape, product)) {
                style.colour = palette_.number(inContext.colour);
            }
        }
    }

    static std::string nameOf(const Named& instance, const Named& product) {
        if (!isMadeUp(instance.text)) {
            return instance.text;
        }
        return isMadeUp(product.text) ? std::string() : product.text;
    }

    Look lookOf(const File::Known& part, int32_t colour) const {
        Look look;
        look.colour = colour;
        for (const size_t i : active_) {
            if (part.content.Contains(facts().styles[i].shape)) {
                look.styles.push_back(i);
            }
        }
        return look;
    }

    // The mesh of a part or of one of its bodies, written when first needed; -1 without faces.
    int32_t meshOf(Shaped& part, File::Known& known, int body, const std::string& name, const Look& look) {
        const auto found = known.meshes.find({body, look});
        if (found != known.meshes.end()) {
            return found->second;
        }
        part.triangulate(deflection(part.shape()));
        Meshed meshed = part.meshed(File::shapesOf(part.shape(), known, body), look, palette_);
        const auto sameBody = [&](const auto& mesh) { return mesh.first.first == body; };
        if (std::none_of(known.meshes.begin(), known.meshes.end(), sameBody)) {
            failed_.add(meshed.failed, name);
            const bool all = body == WHOLE;
            curves_.add(all && meshed.faces == 0 && meshed.hidden == 0 && meshed.curves ? 1 : 0, name);
        }
        if (known.meshes.empty()) {
            hidden_.add(meshed.hidden, name);
        }
        const int32_t number = writeMesh(name, meshed);
        known.meshes.emplace(std::make_pair(body, look), number);
        if (body < 0) {
            ++partsDone_;
        }
        out_.byte('P');
        out_.f32(static_cast<float>(0.5 + 0.5 * std::min(1.0, partsDone_ / std::max(1.0, partsToCome_))));
        out_.flush();
        return number;
    }

    double deflection(const TopoDS_Shape& shape) const {
        const double part = shape.IsNull() ? 0 : diagonal(shape);
        const double whole = whole_ > 0 ? whole_ : 1;
        return std::clamp(part * OF_PART, whole * OF_WHOLE_LEAST, whole * OF_WHOLE_MOST);
    }

    int32_t writeMesh(const std::string& name, Meshed& meshed) {
        std::vector<Part>& parts = meshed.parts;
        const auto empty = [](const Part& part) { return part.corners.empty() && part.entity == 0; };
        parts.erase(std::remove_if(parts.begin(), parts.end(), empty), parts.end());
        if (parts.empty()) {
            return -1;
        }
        out_.byte('M');
        out_.text(name);
        out_.byte(meshed.open ? 1 : 0);
        for (const double value : meshed.origin) {
            out_.f64(value);
        }
        out_.u32(static_cast<uint32_t>(parts.size()));
        for (const Part& part : parts) {
            out_.i32(part.colour);
            out_.u32(static_cast<uint32_t>(part.entity));
            if (part.entity != 0) {
                out_.u32(static_cast<uint32_t>(file_->source.number));
                out_.f64(part.unit);
                continue;
            }
            out_.u32(static_cast<uint32_t>(part.positions.size() / 3));
            out_.u32(static_cast<uint32_t>(part.corners.size() / 3));
            out_.raw(part.positions.data(), part.positions.size() * sizeof(float));
            out_.raw(part.normals.data(), part.normals.size() * sizeof(float));
            out_.raw(part.corners.data(), part.corners.size() * sizeof(uint32_t));
        }
        return written_++;
    }

    int32_t writeNode(int32_t parent, const std::string& name, int32_t mesh, const TDF_Label& label) {
        const gp_Mat* stretch = nullptr;
        if (!facts().stretched.IsEmpty() && XCAFDoc_ShapeTool::IsReference(label)) {
            stretch = facts().stretched.Seek(XCAFDoc_ShapeTool::GetShape(label));
        }
        return writeNode(parent, name, mesh, XCAFDoc_ShapeTool::GetLocation(label), stretch);
    }

    int32_t writeNode(int32_t parent, const std::string& name, int32_t mesh, const TopLoc_Location& place,
                      const gp_Mat* stretch) {
        out_.byte('N');
        out_.i32(parent);
        out_.text(name);
        out_.i32(mesh);
        const gp_Trsf matrix = place.Transformation();
        const gp_Mat turn = matrix.VectorialPart();
        const gp_Mat linear = stretch != nullptr ? turn.Multiplied(*stretch) : turn;
        for (int row = 1; row <= 3; ++row) {
            for (int column = 1; column <= 3; ++column) {
                out_.f64(linear.Value(row, column));
            }
            out_.f64(matrix.Value(row, 4));
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

    File main_;
    // The file being walked.
    File* file_;
    Input& input_;
    Stream& out_;
    Palette palette_;
    // Other files by the names that refer to them; null: not to be had.
    std::map<std::string, std::unique_ptr<File>> files_;
    std::vector<std::unique_ptr<Source>> sources_;
    std::vector<File*> open_;
    // Instances from the file's root to the present label, and the styles that hold in the last of them.
    std::vector<int> path_;
    std::vector<size_t> active_;
    double whole_ = 0;
    double partsToCome_ = 0, partsDone_ = 0;
    int32_t written_ = 0, nodes_ = 0, received_ = 0;
    Count failed_, hidden_, curves_, tooDeep_, blanked_, unread_;
};

}  // namespace

void writeTree(const Source& source, Input& input, Stream& out) {
    Walk(source, input, out).write();
}

}  // namespace cad

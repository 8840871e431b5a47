#include "file.hpp"

#include "iges.hpp"

#include <TDF_Tool.hxx>
#include <TDataStd_Name.hxx>
#include <TopExp.hxx>
#include <TopoDS_Iterator.hxx>
#include <XCAFDoc_DocumentTool.hxx>

#include <algorithm>
#include <cstdlib>

namespace cad {

namespace {
// A part with more named bodies stays in one piece.
constexpr size_t MOST_BODIES = 512;
}  // namespace

File::File(const Source& from)
    : source(from),
      shapes(XCAFDoc_DocumentTool::ShapeTool(from.document->Main())),
      colours(XCAFDoc_DocumentTool::ColorTool(from.document->Main())) {
    const std::vector<InstanceStyle>& styles = from.facts.styles;
    for (size_t i = 0; i < styles.size(); ++i) {
        stylesOf[styles[i].path.back()].push_back(i);
    }
}

bool File::colourOf(const TDF_Label& label, Quantity_ColorRGBA& colour) const {
    return colours->GetColor(label, XCAFDoc_ColorSurf, colour) || colours->GetColor(label, XCAFDoc_ColorGen, colour);
}

std::string File::entry(const TDF_Label& label) {
    TCollection_AsciiString text;
    TDF_Tool::Entry(label, text);
    return text.ToCString();
}

Named File::named(const TDF_Label& label) const {
    Handle(TDataStd_Name) attribute;
    Named name;
    if (!label.FindAttribute(TDataStd_Name::GetID(), attribute)) {
        return name;
    }
    name.text = TCollection_AsciiString(attribute->Get()).ToCString();
    if (source.rawNames) {
        name.text = igesName(name.text);
        return name;
    }
    const auto end = name.text.find(MARK, 1);
    if (name.text.empty() || name.text.front() != MARK || end == std::string::npos) {
        return name;
    }
    name.number = std::atoi(name.text.c_str() + 1);
    name.text.erase(0, end + 1);
    return name;
}

File::Known& File::part(const TDF_Label& label, const TopoDS_Shape& shape) {
    const auto [place, isNew] = parts.try_emplace(entry(label));
    Known& known = place->second;
    if (!isNew || shape.IsNull()) {
        return known;
    }
    const auto& names = source.facts.bodies;
    if (shape.ShapeType() == TopAbs_COMPOUND && shape.NbChildren() > 1 && !names.IsEmpty()) {
        for (TopoDS_Iterator at(shape); at.More(); at.Next()) {
            if (names.IsBound(at.Value())) {
                known.bodies.push_back(at.Value());
            }
        }
    }
    if (known.bodies.size() > MOST_BODIES) {
        known.bodies.clear();
    }
    if (!source.facts.styles.empty()) {
        for (const TopAbs_ShapeEnum kind : {TopAbs_COMPOUND, TopAbs_SOLID, TopAbs_SHELL, TopAbs_FACE}) {
            TopExp::MapShapes(shape, kind, known.content);
        }
    }
    return known;
}

std::vector<TopoDS_Shape> File::shapesOf(const TopoDS_Shape& part, const Known& known, int body) {
    if (part.IsNull()) {
        return {};
    }
    if (body == WHOLE) {
        return {part};
    }
    if (body != REST) {
        return {known.bodies[static_cast<size_t>(body)]};
    }
    std::vector<TopoDS_Shape> rest;
    for (TopoDS_Iterator at(part); at.More(); at.Next()) {
        const auto same = [&](const TopoDS_Shape& named) { return named.IsSame(at.Value()); };
        if (std::none_of(known.bodies.begin(), known.bodies.end(), same)) {
            rest.push_back(at.Value());
        }
    }
    return rest;
}

}  // namespace cad

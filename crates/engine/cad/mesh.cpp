#include "mesh.hpp"

#include <BRepBndLib.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <Poly_Triangulation.hxx>
#include <Standard_Failure.hxx>
#include <StdPrs_ToolTriangulatedShape.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_MapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Iterator.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XCAFPrs.hxx>
#include <XCAFPrs_IndexedDataMapOfShapeStyle.hxx>

#include <algorithm>
#include <cmath>

namespace cad {

namespace {

// 20°: a circle gets at least 18 corners, however small it is.
constexpr double ANGLE = 0.35;

// In place of a colour: the face is not drawn.
constexpr int32_t HIDDEN = -2;

Part& partOf(std::vector<Part>& parts, int32_t colour) {
    for (Part& part : parts) {
        if (part.colour == colour && part.entity == 0) {
            return part;
        }
    }
    parts.emplace_back();
    parts.back().colour = colour;
    return parts.back();
}

// Millimetres from which on an origin is taken off: single precision is right to 4 micrometres below.
constexpr double FAR_OUT = 65536;

// The origin of a mesh by its first corner.
std::array<double, 3> originOf(const std::vector<TopoDS_Shape>& shapes) {
    std::array<double, 3> origin{};
    for (const TopoDS_Shape& shape : shapes) {
        for (TopExp_Explorer at(shape, TopAbs_FACE); at.More(); at.Next()) {
            TopLoc_Location place;
            const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(TopoDS::Face(at.Current()), place);
            if (mesh.IsNull() || mesh->NbNodes() == 0) {
                continue;
            }
            const gp_Pnt point = mesh->Node(1).Transformed(place.Transformation());
            const std::array<double, 3> values{point.X(), point.Y(), point.Z()};
            for (size_t axis = 0; axis < 3; ++axis) {
                if (std::isfinite(values[axis]) && std::abs(values[axis]) >= FAR_OUT) {
                    // Whole metres, which are also whole in the engine's unit.
                    origin[axis] = std::round(values[axis] / 1000) * 1000;
                }
            }
            return origin;
        }
    }
    return origin;
}

// Whether two nodes, which count from 1, are at one place.
bool isSame(const Part& part, uint32_t a, uint32_t b) {
    const auto at = part.positions.begin();
    return std::equal(at + 3 * (a - 1), at + 3 * a, at + 3 * (b - 1));
}

// Adds a face's triangles about an origin; false if it has none.
bool addFace(Part& part, const TopoDS_Face& face, const std::array<double, 3>& origin) {
    TopLoc_Location place;
    const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, place);
    if (mesh.IsNull() || mesh->NbTriangles() == 0) {
        return false;
    }
    if (!mesh->HasNormals()) {
        StdPrs_ToolTriangulatedShape::ComputeNormals(face, mesh);
    }
    const gp_Trsf move = place.Transformation();
    const bool reversed = face.Orientation() == TopAbs_REVERSED;
    const bool mirrored = move.VectorialPart().Determinant() < 0;
    const auto first = static_cast<uint32_t>(part.positions.size() / 3);
    for (int i = 1; i <= mesh->NbNodes(); ++i) {
        const gp_Pnt point = mesh->Node(i).Transformed(move);
        gp_Vec normal = gp_Vec(mesh->Normal(i)).Transformed(move);
        if (reversed) {
            normal.Reverse();
        }
        for (const double value : {point.X() - origin[0], point.Y() - origin[1], point.Z() - origin[2]}) {
            part.positions.push_back(static_cast<float>(value));
        }
        for (const double value : {normal.X(), normal.Y(), normal.Z()}) {
            part.normals.push_back(static_cast<float>(value));
        }
    }
    for (int i = 1; i <= mesh->NbTriangles(); ++i) {
        int a, b, c;
        mesh->Triangle(i).Get(a, b, c);
        if (reversed != mirrored) {
            std::swap(b, c);
        }
        // At the pole of a sphere nodes differ in their parameters only.
        if (isSame(part, first + a, first + b) || isSame(part, first + b, first + c) ||
            isSame(part, first + c, first + a)) {
            continue;
        }
        for (const int corner : {a, b, c}) {
            part.corners.push_back(first + static_cast<uint32_t>(corner - 1));
        }
    }
    return true;
}

}  // namespace

int32_t Palette::number(const Quantity_ColorRGBA& colour) {
    const Quantity_Color& rgb = colour.GetRGB();
    const std::array<float, 4> values{static_cast<float>(rgb.Red()), static_cast<float>(rgb.Green()),
                                      static_cast<float>(rgb.Blue()), colour.Alpha()};
    const auto [place, isNew] = known_.try_emplace(values, static_cast<int32_t>(known_.size()));
    if (isNew) {
        out_.byte('C');
        for (const float value : values) {
            out_.f32(value);
        }
    }
    return place->second;
}

double diagonal(const TopoDS_Shape& shape) {
    Bnd_Box box;
    BRepBndLib::Add(shape, box, Standard_False);
    if (box.IsVoid() || box.IsOpen()) {
        return 0;
    }
    return std::sqrt(box.SquareExtent());
}

Shaped::Shaped(const TDF_Label& label, const Facts& facts)
    : label_(label), facts_(facts), shape_(XCAFDoc_ShapeTool::GetShape(label)) {
    if (!shape_.IsNull()) {
        // The node holds the part's placement.
        shape_.Location(TopLoc_Location());
    }
}

void Shaped::triangulate(double deflection) {
    if (shape_.IsNull()) {
        return;
    }
    try {
        BRepMesh_IncrementalMesh(shape_, deflection, Standard_False, ANGLE, Standard_True);
    } catch (const Standard_Failure&) {
        // Keeps the faces that were triangulated; the others are counted.
    }
}

// Gives a colour to faces that have none of a more specific style: faces come before shells, and these before solids.
void Shaped::paint(FaceLooks& looks, const TopoDS_Shape& styled, int32_t colour) const {
    const FaceLook look{styled.ShapeType(), colour};
    const auto give = [&](const TopoDS_Shape& shape) {
        const FaceLook* known = looks.Seek(shape);
        if (known == nullptr || known->kind <= look.kind) {
            looks.Bind(shape, look);
        }
    };
    for (TopExp_Explorer face(styled, TopAbs_FACE); face.More(); face.Next()) {
        give(face.Current());
    }
    if (facts_.tessellated.IsBound(styled)) {
        give(styled);
    }
}

void Shaped::conceal(FaceLooks& looks, const TopoDS_Shape& hidden) {
    const FaceLook look{TopAbs_FACE, HIDDEN};
    looks.Bind(hidden, look);
    for (TopExp_Explorer face(hidden, TopAbs_FACE); face.More(); face.Next()) {
        looks.Bind(face.Current(), look);
    }
}

// The faces, and placeholders, that do not look as the whole.
Shaped::FaceLooks Shaped::looks(const Look& look, Palette& palette) const {
    FaceLooks looks;
    XCAFPrs_IndexedDataMapOfShapeStyle styles;
    XCAFPrs::CollectStyleSettings(label_, TopLoc_Location(), styles);
    for (int i = styles.Extent(); i >= 1; --i) {
        const TopoDS_Shape& styled = styles.FindKey(i);
        const XCAFPrs_Style& style = styles.FindFromIndex(i);
        // The colour of the whole shape is left to the caller: an instance may override it.
        if (style.IsSetColorSurf() && !styled.IsSame(shape_)) {
            paint(looks, styled, palette.number(style.GetColorSurfRGBA()));
        }
    }
    for (const size_t i : look.styles) {
        const InstanceStyle& style = facts_.styles[i];
        if (style.coloured && !style.shape.IsSame(shape_)) {
            paint(looks, style.shape, palette.number(style.colour));
        }
        if (!style.visible) {
            conceal(looks, style.shape);
        }
    }
    return looks;
}

// Marks what is hidden in all instances; returns its number.
size_t Shaped::hide(FaceLooks& looks) const {
    size_t count = 0;
    if (facts_.hidden.IsEmpty()) {
        return count;
    }
    TopTools_MapOfShape done;
    for (const TopAbs_ShapeEnum kind : {TopAbs_COMPOUND, TopAbs_SOLID, TopAbs_SHELL, TopAbs_FACE}) {
        for (TopExp_Explorer at(shape_, kind); at.More(); at.Next()) {
            const TopoDS_Shape& hidden = at.Current();
            if (!facts_.hidden.Contains(hidden) || !done.Add(hidden)) {
                continue;
            }
            ++count;
            conceal(looks, hidden);
            // Faces of a hidden body are not told once more.
            for (TopExp_Explorer face(hidden, TopAbs_FACE); face.More(); face.Next()) {
                done.Add(face.Current());
            }
        }
    }
    return count;
}

void Shaped::placeholders(Meshed& meshed, const TopoDS_Shape& shape, const FaceLooks& looks, int32_t colour) const {
    const FaceLook* own = looks.Seek(shape);
    if (own != nullptr && own->colour == HIDDEN) {
        return;
    }
    if (const int* entity = facts_.tessellated.Seek(shape)) {
        const TopExp_Explorer corner(shape, TopAbs_VERTEX);
        if (corner.More()) {
            Part part;
            part.colour = own != nullptr ? own->colour : colour;
            part.entity = *entity;
            part.unit = BRep_Tool::Pnt(TopoDS::Vertex(corner.Current())).X();
            meshed.parts.push_back(part);
        }
    } else if (shape.ShapeType() == TopAbs_COMPOUND) {
        for (TopoDS_Iterator at(shape); at.More(); at.Next()) {
            placeholders(meshed, at.Value(), looks, colour);
        }
    }
}

Meshed Shaped::meshed(const std::vector<TopoDS_Shape>& shapes, const Look& look, Palette& palette) const {
    Meshed meshed;
    if (shape_.IsNull()) {
        return meshed;
    }
    FaceLooks looks = this->looks(look, palette);
    meshed.hidden = hide(looks);
    meshed.origin = originOf(shapes);
    for (const TopoDS_Shape& shape : shapes) {
        for (TopExp_Explorer at(shape, TopAbs_FACE); at.More(); at.Next()) {
            const TopoDS_Face& face = TopoDS::Face(at.Current());
            const FaceLook* own = looks.Seek(face);
            if (own != nullptr && own->colour == HIDDEN) {
                continue;
            }
            ++meshed.faces;
            Part& part = partOf(meshed.parts, own != nullptr ? own->colour : look.colour);
            if (!addFace(part, face, meshed.origin)) {
                ++meshed.failed;
            }
        }
        meshed.curves = meshed.curves || TopExp_Explorer(shape, TopAbs_EDGE).More();
        meshed.open = meshed.open || TopExp_Explorer(shape, TopAbs_FACE, TopAbs_SOLID).More();
        if (!facts_.tessellated.IsEmpty()) {
            placeholders(meshed, shape, looks, look.colour);
        }
    }
    return meshed;
}

}  // namespace cad

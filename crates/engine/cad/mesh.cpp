#include "mesh.hpp"

#include <BRepBndLib.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <Poly_Triangulation.hxx>
#include <Standard_Failure.hxx>
#include <StdPrs_ToolTriangulatedShape.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_DataMapOfShapeInteger.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XCAFPrs.hxx>
#include <XCAFPrs_IndexedDataMapOfShapeStyle.hxx>

#include <cmath>

namespace cad {

namespace {

// 20°: a circle gets at least 18 corners, however small it is.
constexpr double ANGLE = 0.35;

// Colour index of each face that has a colour of its own or from its body.
using FaceColours = TopTools_DataMapOfShapeInteger;

FaceColours faceColours(const TDF_Label& label, const TopoDS_Shape& shape, Palette& palette) {
    XCAFPrs_IndexedDataMapOfShapeStyle styles;
    XCAFPrs::CollectStyleSettings(label, TopLoc_Location(), styles);
    FaceColours colours;
    // The most specific colour wins: faces before shells before solids.
    for (int kind = TopAbs_FACE; kind >= TopAbs_COMPOUND; --kind) {
        for (int i = 1; i <= styles.Extent(); ++i) {
            const TopoDS_Shape& styled = styles.FindKey(i);
            const XCAFPrs_Style& style = styles.FindFromIndex(i);
            // The colour of the whole shape is left to the caller: an instance may override it.
            if (styled.ShapeType() != kind || !style.IsSetColorSurf() || styled.IsSame(shape)) {
                continue;
            }
            const int32_t colour = palette.number(style.GetColorSurfRGBA());
            for (TopExp_Explorer face(styled, TopAbs_FACE); face.More(); face.Next()) {
                if (!colours.IsBound(face.Current())) {
                    colours.Bind(face.Current(), colour);
                }
            }
        }
    }
    return colours;
}

Part& partOf(std::vector<Part>& parts, int32_t colour) {
    for (Part& part : parts) {
        if (part.colour == colour) {
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
std::array<double, 3> originOf(const TopoDS_Shape& shape) {
    std::array<double, 3> origin{};
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
        break;
    }
    return origin;
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

Meshed triangulate(const TDF_Label& label, int32_t colour, double deflection, Palette& palette) {
    Meshed meshed;
    TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(label);
    if (shape.IsNull()) {
        return meshed;
    }
    // The node holds the part's placement.
    shape.Location(TopLoc_Location());
    try {
        BRepMesh_IncrementalMesh(shape, deflection, Standard_False, ANGLE, Standard_True);
    } catch (const Standard_Failure&) {
        // Keeps the faces that were triangulated; the others are counted below.
    }
    const FaceColours colours = faceColours(label, shape, palette);
    meshed.origin = originOf(shape);
    for (TopExp_Explorer at(shape, TopAbs_FACE); at.More(); at.Next()) {
        const TopoDS_Face& face = TopoDS::Face(at.Current());
        const Standard_Integer* own = colours.Seek(face);
        ++meshed.faces;
        if (!addFace(partOf(meshed.parts, own != nullptr ? *own : colour), face, meshed.origin)) {
            ++meshed.failed;
        }
    }
    meshed.curves = TopExp_Explorer(shape, TopAbs_EDGE).More();
    meshed.open = TopExp_Explorer(shape, TopAbs_FACE, TopAbs_SOLID).More();
    return meshed;
}

}  // namespace cad

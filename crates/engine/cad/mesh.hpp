// Triangulates a shape's faces.
#pragma once

#include "stream.hpp"

#include <Quantity_ColorRGBA.hxx>
#include <TDF_Label.hxx>
#include <TopoDS_Shape.hxx>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace cad {

// The colours of a model, each written to the stream once.
class Palette {
public:
    explicit Palette(Stream& out) : out_(out) {}
    int32_t number(const Quantity_ColorRGBA& colour);

private:
    Stream& out_;
    std::map<std::array<float, 4>, int32_t> known_;
};

// Triangles of one colour.
struct Part {
    int32_t colour = -1;
    std::vector<float> positions, normals;
    std::vector<uint32_t> corners;
};

struct Meshed {
    std::vector<Part> parts;
    // What positions count from, in millimetres: zero along an axis on which the shape is near.
    std::array<double, 3> origin{};
    // All faces, and those without triangles.
    size_t faces = 0;
    size_t failed = 0;
    // The shape has edges, possibly without faces.
    bool curves = false;
    // The shape has faces that belong to no solid.
    bool open = false;
};

// Diagonal of the shape's bounding box in millimetres; 0 if empty or unbounded.
double diagonal(const TopoDS_Shape& shape);

// Triangulates the shape of `label`, which is not an assembly. Faces and bodies with a colour of their own keep it,
// others get `colour`. `deflection` is the largest distance to the surface in millimetres.
Meshed triangulate(const TDF_Label& label, int32_t colour, double deflection, Palette& palette);

}  // namespace cad

// Triangulates the faces of parts.
#pragma once

#include "facts.hpp"
#include "stream.hpp"

#include <Quantity_ColorRGBA.hxx>
#include <TDF_Label.hxx>
#include <TopoDS_Shape.hxx>

#include <array>
#include <map>
#include <string>
#include <tuple>
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
    // The engine has the triangles of this entity, of which a unit is so many millimetres; 0: they are here.
    int entity = 0;
    double unit = 1;
};

struct Meshed {
    std::vector<Part> parts;
    // What positions count from, in millimetres: zero along an axis on which the shape is near.
    std::array<double, 3> origin{};
    // All faces that are to be seen, and those of them without triangles.
    size_t faces = 0;
    size_t failed = 0;
    // Bodies and faces that are hidden.
    size_t hidden = 0;
    // The shape has edges, possibly without faces.
    bool curves = false;
    // The shape has faces that belong to no solid.
    bool open = false;
};

// How an instance of a part looks.
struct Look {
    // Of what has no colour of its own.
    int32_t colour = -1;
    // Styles of parts of it in this instance, by their places in the facts; later ones take precedence.
    std::vector<size_t> styles;

    bool operator<(const Look& other) const { return std::tie(colour, styles) < std::tie(other.colour, other.styles); }
};

// Diagonal of the shape's bounding box in millimetres; 0 if empty or unbounded.
double diagonal(const TopoDS_Shape& shape);

// A part: a label that is not an assembly.
class Shaped {
public:
    Shaped(const TDF_Label& label, const Facts& facts);

    // The part's shape where it was drawn.
    const TopoDS_Shape& shape() const { return shape_; }
    // `deflection` is the largest distance to the surface in millimetres.
    void triangulate(double deflection);
    // The triangles of some of its shapes.
    Meshed meshed(const std::vector<TopoDS_Shape>& shapes, const Look& look, Palette& palette) const;

private:
    struct FaceLook {
        int kind;
        int32_t colour;
    };
    using FaceLooks = ByShape<FaceLook>;

    FaceLooks looks(const Look& look, Palette& palette) const;
    void paint(FaceLooks& looks, const TopoDS_Shape& styled, int32_t colour) const;
    static void conceal(FaceLooks& looks, const TopoDS_Shape& hidden);
    size_t hide(FaceLooks& looks) const;
    void placeholders(Meshed& meshed, const TopoDS_Shape& shape, const FaceLooks& looks, int32_t colour) const;

    TDF_Label label_;
    const Facts& facts_;
    TopoDS_Shape shape_;
};

}  // namespace cad

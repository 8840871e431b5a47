// A file whose tree is being written.
#pragma once

#include "document.hpp"
#include "mesh.hpp"

#include <TopTools_IndexedMapOfShape.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cad {

// A name, and the number of the entity that it is of: 0 if that has none.
struct Named {
    int number = 0;
    std::string text;
};

// In place of a body's number: all of a part, or what is in none of its named bodies.
constexpr int WHOLE = -1;
constexpr int REST = -2;

// A file, and what has been written of it.
struct File {
    explicit File(const Source& from);

    // A part, by the entry of its label.
    struct Known {
        // Bodies that get nodes of their own.
        std::vector<TopoDS_Shape> bodies;
        // Everything that can have a style.
        TopTools_IndexedMapOfShape content;
        // By the body's number, and its look.
        std::map<std::pair<int, Look>, int32_t> meshes;
    };

    static std::string entry(const TDF_Label& label);

    Named named(const TDF_Label& label) const;
    // The colour that a label has of its own; false if none.
    bool colourOf(const TDF_Label& label, Quantity_ColorRGBA& colour) const;
    // The part of a label with this shape.
    Known& part(const TDF_Label& label, const TopoDS_Shape& shape);
    // The shapes of a part, or of one of its bodies.
    static std::vector<TopoDS_Shape> shapesOf(const TopoDS_Shape& part, const Known& known, int body);

    const Source& source;
    Handle(XCAFDoc_ShapeTool) shapes;
    Handle(XCAFDoc_ColorTool) colours;
    // By the last instance of their paths.
    std::map<int, std::vector<size_t>> stylesOf;
    std::map<std::string, Known> parts;
    std::set<std::string> seen;
};

}  // namespace cad

// Writes the assembly tree of a document to the stream.
#pragma once

#include "document.hpp"

namespace cad {

// Writes all nodes and meshes. Throws Refused when there is nothing to show.
void writeTree(const Source& source, Stream& out);

}  // namespace cad

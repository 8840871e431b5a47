// Writes the assembly tree of a document to the stream.
#pragma once

#include "document.hpp"

namespace cad {

// Writes all nodes and meshes; asks the engine for the files of parts that are elsewhere. Throws Refused when there is
// nothing to show.
void writeTree(const Source& source, Input& input, Stream& out);

}  // namespace cad

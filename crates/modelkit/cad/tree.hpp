// The assembly tree of a document, told on the stream.
#pragma once

#include "document.hpp"

namespace cad {

// Tells all nodes and meshes. Throws Refused when there is nothing to show.
void tellTree(const Source& source, Stream& out);

}  // namespace cad

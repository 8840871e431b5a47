#include "facts.hpp"

#include <algorithm>
#include <cctype>

namespace cad {

bool isMadeUp(const std::string& name) {
    if (name.empty() || name.rfind("=>[", 0) == 0) {
        return true;
    }
    for (const char* kind : {"COMPOUND", "COMPSOLID", "SOLID", "SHELL", "FACE", "WIRE", "EDGE", "VERTEX"}) {
        if (name == kind) {
            return true;
        }
    }
    if (name.rfind("NAUO", 0) != 0) {
        return false;
    }
    return std::all_of(name.begin() + 4, name.end(), [](unsigned char c) { return std::isdigit(c) || c == '.'; });
}

}  // namespace cad

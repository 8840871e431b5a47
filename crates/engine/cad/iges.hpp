// What the entities of an IGES file say beside the document that OCCT makes of them.
#pragma once

#include "facts.hpp"

#include <IGESData_IGESModel.hxx>
#include <XSControl_WorkSession.hxx>

#include <utility>

namespace cad {

class IgesFacts {
public:
    IgesFacts(const Handle(XSControl_WorkSession)& session, const Handle(IGESData_IGESModel)& model)
        : session_(session), model_(model) {}

    // Writes names so that OCCT keeps their bytes, and takes the scale off instances, which OCCT refuses.
    void beforeTransfer(Facts& facts);
    // Finds the shapes.
    void afterTransfer(Facts& facts);

private:
    Handle(XSControl_WorkSession) session_;
    Handle(IGESData_IGESModel) model_;
    std::vector<std::pair<Handle(IGESData_IGESEntity), double>> scaled_;
};

// The bytes of a name that was written for OCCT; others as they are.
std::string igesName(const std::string& written);

}  // namespace cad

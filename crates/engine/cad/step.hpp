// What the entities of a STEP file say beside the document that OCCT makes of them.
#pragma once

#include "facts.hpp"

#include <StepGeom_CartesianTransformationOperator3d.hxx>
#include <StepShape_ContextDependentShapeRepresentation.hxx>
#include <StepVisual_Invisibility.hxx>
#include <StepVisual_StyledItem.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <XSControl_WorkSession.hxx>

#include <map>
#include <set>
#include <utility>

namespace cad {

// Marks by which the engine names entities that it has rewritten for us; a text follows.
// A style that holds in an instance: the numbers of its context, from the outermost, separated by spaces.
constexpr const char* IN_CONTEXT = "@context ";
// A placeholder of tessellated geometry, with a point of x = 1: its name.
constexpr const char* TESSELLATED = "@tessellated";

class StepFacts {
public:
    explicit StepFacts(const Handle(XSControl_WorkSession)& session) : session_(session) {}

    // Collects what is lost on transfer, and takes out what OCCT would misunderstand.
    void beforeTransfer();
    // Finds the shapes.
    void afterTransfer(Facts& facts);

private:
    using Entity = Handle(Standard_Transient);

    void entity(const Entity& entity);
    void context(const Handle(StepShape_ContextDependentShapeRepresentation)& placed);
    void style(const Handle(StepVisual_StyledItem)& style);
    void hide(const Handle(StepVisual_Invisibility)& list);
    void body(const Handle(StepRepr_RepresentationItem)& item);
    void hiddenLayers(Facts& facts);
    void externalParts(Facts& facts);
    InstanceStyle instanceStyle(const Handle(StepVisual_StyledItem)& style, const Entity& item);
    int number(const Entity& entity) const;
    TopoDS_Shape shapeOf(const Entity& entity) const;

    Handle(XSControl_WorkSession) session_;
    // By the number of an entity that stands for an instance: the instance's.
    std::map<int, int> instances_;
    std::vector<std::pair<Handle(StepVisual_StyledItem), Entity>> instanceStyles_;
    std::set<Entity> hiddenStyles_, hiddenLayers_;
    std::vector<Entity> layers_, definitions_, mapped_, placeholders_;
    std::vector<std::pair<Entity, std::string>> bodies_;
};

}  // namespace cad

#include "step.hpp"

#include <STEPConstruct_ExternRefs.hxx>
#include <STEPConstruct_Styles.hxx>
#include <StepBasic_Product.hxx>
#include <StepBasic_ProductDefinition.hxx>
#include <StepBasic_ProductDefinitionFormation.hxx>
#include <StepData_StepModel.hxx>
#include <StepGeom_CartesianPoint.hxx>
#include <StepGeom_Direction.hxx>
#include <StepRepr_MappedItem.hxx>
#include <StepRepr_NextAssemblyUsageOccurrence.hxx>
#include <StepRepr_ProductDefinitionShape.hxx>
#include <StepRepr_ShapeRepresentationRelationship.hxx>
#include <StepShape_GeometricSet.hxx>
#include <StepShape_ShellBasedSurfaceModel.hxx>
#include <StepShape_SolidModel.hxx>
#include <StepVisual_PresentationLayerAssignment.hxx>
#include <StepVisual_StyledItemTarget.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <gp_Dir.hxx>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace cad {

namespace {

std::string textOf(const Handle(TCollection_HAsciiString)& text) {
    std::string all = text.IsNull() ? std::string() : text->ToCString();
    all.erase(std::remove(all.begin(), all.end(), MARK), all.end());
    const auto first = all.find_first_not_of(" \t");
    return first == std::string::npos ? std::string() : all.substr(first, all.find_last_not_of(" \t") - first + 1);
}

Handle(TCollection_HAsciiString) marked(int instance, const std::string& name) {
    return new TCollection_HAsciiString((MARK + std::to_string(instance) + MARK + name).c_str());
}

bool startsWith(const std::string& text, const char* start) {
    return text.rfind(start, 0) == 0;
}

// An id is a name when writers leave the name empty, unless it only counts.
std::string nameOrId(const Handle(TCollection_HAsciiString)& name, const Handle(TCollection_HAsciiString)& id) {
    const std::string own = textOf(name);
    if (!own.empty()) {
        return own;
    }
    const std::string other = textOf(id);
    const bool counts = std::all_of(other.begin(), other.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    return counts ? std::string() : other;
}

gp_Vec direction(const Handle(StepGeom_Direction)& given, const gp_Vec& otherwise) {
    if (given.IsNull() || given->NbDirectionRatios() < 3) {
        return otherwise;
    }
    const gp_Vec vector(given->DirectionRatiosValue(1), given->DirectionRatiosValue(2),
                        given->DirectionRatiosValue(3));
    return vector.Magnitude() > gp::Resolution() ? vector.Normalized() : otherwise;
}

// What an operator does before the rotation and translation that OCCT makes of it: false if nothing. ISO 10303-42,
// base_axis: the second axis decides on which side it lies, so an operator can mirror; OCCT always turns.
bool stretchOf(const Handle(StepGeom_CartesianTransformationOperator3d)& placing, gp_Mat& stretch) {
    const double scale = placing->HasScale() ? placing->Scale() : 1;
    if (!std::isfinite(scale) || std::abs(scale) < 1e-12) {
        return false;
    }
    const gp_Vec x = direction(placing->Axis1(), gp_Vec(1, 0, 0));
    const gp_Vec y = direction(placing->Axis2(), gp_Vec(0, 1, 0));
    const gp_Vec z = direction(placing->Axis3(), x.Crossed(y));
    const bool mirrors = z.Crossed(x).Dot(y) < 0;
    if (!mirrors && std::abs(scale - 1) < 1e-9) {
        return false;
    }
    stretch = gp_Mat(scale, 0, 0, 0, mirrors ? -scale : scale, 0, 0, 0, scale);
    return true;
}

}  // namespace

int StepFacts::number(const Entity& entity) const {
    const auto model = Handle(StepData_StepModel)::DownCast(session_->Model());
    return entity.IsNull() || model.IsNull() ? 0 : model->IdentLabel(entity);
}

TopoDS_Shape StepFacts::shapeOf(const Entity& entity) const {
    const Handle(Transfer_TransientProcess) results = session_->TransferReader()->TransientProcess();
    const Handle(Transfer_Binder) result = entity.IsNull() ? nullptr : results->Find(entity);
    return result.IsNull() ? TopoDS_Shape() : TransferBRep::ShapeResult(result);
}

void StepFacts::beforeTransfer() {
    const Handle(Interface_InterfaceModel) model = session_->Model();
    for (int i = 1; i <= model->NbEntities(); ++i) {
        entity(model->Value(i));
    }
}

void StepFacts::entity(const Entity& entity) {
    if (const auto usage = Handle(StepRepr_NextAssemblyUsageOccurrence)::DownCast(entity); !usage.IsNull()) {
        const int instance = number(usage);
        instances_[instance] = instance;
        const std::string described = textOf(usage->Description());
        usage->SetDescription(marked(instance, described.empty() ? nameOrId(usage->Name(), usage->Id()) : described));
    } else if (const auto product = Handle(StepBasic_Product)::DownCast(entity); !product.IsNull()) {
        product->SetName(marked(number(product), nameOrId(product->Name(), product->Id())));
    } else if (const auto placed = Handle(StepShape_ContextDependentShapeRepresentation)::DownCast(entity);
               !placed.IsNull()) {
        context(placed);
    } else if (const auto styled = Handle(StepVisual_StyledItem)::DownCast(entity); !styled.IsNull()) {
        style(styled);
    } else if (const auto list = Handle(StepVisual_Invisibility)::DownCast(entity); !list.IsNull()) {
        hide(list);
    } else if (entity->IsKind(STANDARD_TYPE(StepVisual_PresentationLayerAssignment))) {
        layers_.push_back(entity);
    } else if (entity->IsKind(STANDARD_TYPE(StepBasic_ProductDefinition))) {
        definitions_.push_back(entity);
    } else if (entity->IsKind(STANDARD_TYPE(StepRepr_MappedItem))) {
        mapped_.push_back(entity);
    } else if (entity->IsKind(STANDARD_TYPE(StepShape_SolidModel)) ||
               entity->IsKind(STANDARD_TYPE(StepShape_ShellBasedSurfaceModel)) ||
               entity->IsKind(STANDARD_TYPE(StepShape_GeometricSet))) {
        body(Handle(StepRepr_RepresentationItem)::DownCast(entity));
    }
}

void StepFacts::context(const Handle(StepShape_ContextDependentShapeRepresentation)& placed) {
    const Handle(StepRepr_ProductDefinitionShape) shape = placed->RepresentedProductRelation();
    if (shape.IsNull()) {
        return;
    }
    const int instance = number(shape->Definition().ProductDefinitionRelationship());
    if (instance != 0) {
        instances_[number(placed)] = instance;
        instances_[number(placed->RepresentationRelation())] = instance;
        instances_[number(shape)] = instance;
    }
}

void StepFacts::style(const Handle(StepVisual_StyledItem)& style) {
    const std::string name = textOf(style->Name());
    if (startsWith(name, IN_CONTEXT)) {
        instanceStyles_.emplace_back(style, style->ItemAP242().Value());
        // OCCT would give it to all instances.
        style->SetItem(StepVisual_StyledItemTarget());
    }
}

void StepFacts::hide(const Handle(StepVisual_Invisibility)& list) {
    if (list->InvisibleItems().IsNull()) {
        return;
    }
    for (int i = 1; i <= list->NbInvisibleItems(); ++i) {
        const StepVisual_InvisibleItem item = list->InvisibleItemsValue(i);
        if (!item.StyledItem().IsNull()) {
            hiddenStyles_.insert(item.StyledItem());
        } else if (!item.PresentationLayerAssignment().IsNull()) {
            hiddenLayers_.insert(item.PresentationLayerAssignment());
        }
    }
}

void StepFacts::body(const Handle(StepRepr_RepresentationItem)& item) {
    std::string name = textOf(item->Name());
    if (startsWith(name, TESSELLATED)) {
        placeholders_.push_back(item);
        name.erase(0, name.find_first_not_of(' ', std::strlen(TESSELLATED)));
    }
    if (!isMadeUp(name)) {
        bodies_.emplace_back(item, name);
    }
}

void StepFacts::afterTransfer(Facts& facts) {
    // Shapes of assemblies are made anew for the document, so they are known by their products.
    ByShape<int> products;
    if (!instanceStyles_.empty() || !hiddenStyles_.empty()) {
        for (const Entity& entity : definitions_) {
            const auto version = Handle(StepBasic_ProductDefinition)::DownCast(entity)->Formation();
            const TopoDS_Shape shape = shapeOf(entity);
            if (!version.IsNull() && !shape.IsNull()) {
                products.Bind(shape, number(version->OfProduct()));
            }
        }
    }
    const auto productOf = [&](const TopoDS_Shape& shape) {
        const int* product = products.Seek(shape);
        return product == nullptr ? 0 : *product;
    };
    for (const auto& [style, item] : instanceStyles_) {
        InstanceStyle found = instanceStyle(style, item);
        found.product = productOf(found.shape);
        if (!found.path.empty() && !found.shape.IsNull() && (found.coloured || !found.visible)) {
            facts.styles.push_back(found);
        }
    }
    std::stable_sort(facts.styles.begin(), facts.styles.end(), [](const InstanceStyle& a, const InstanceStyle& b) {
        return a.path.size() < b.path.size();
    });
    const auto hide = [&](const Entity& item) {
        const TopoDS_Shape shape = shapeOf(item);
        if (!shape.IsNull()) {
            facts.hidden.Add(shape);
        }
    };
    for (const Entity& style : hiddenStyles_) {
        const Entity item = Handle(StepVisual_StyledItem)::DownCast(style)->ItemAP242().Value();
        hide(item);
        if (const int product = productOf(shapeOf(item)); product != 0) {
            facts.hiddenProducts.insert(product);
        }
    }
    hiddenLayers(facts);
    for (const Entity& entity : mapped_) {
        const auto target = Handle(StepRepr_MappedItem)::DownCast(entity)->MappingTarget();
        const auto placing = Handle(StepGeom_CartesianTransformationOperator3d)::DownCast(target);
        gp_Mat stretch;
        const TopoDS_Shape shape = shapeOf(entity);
        if (!placing.IsNull() && !shape.IsNull() && stretchOf(placing, stretch)) {
            facts.stretched.Bind(shape, stretch);
        }
    }
    for (const auto& [entity, name] : bodies_) {
        const TopoDS_Shape shape = shapeOf(entity);
        if (!shape.IsNull()) {
            facts.bodies.Bind(shape, name);
        }
    }
    for (const Entity& entity : placeholders_) {
        const TopoDS_Shape shape = shapeOf(entity);
        if (!shape.IsNull()) {
            facts.tessellated.Bind(shape, number(entity));
        }
    }
    externalParts(facts);
}

// An item is hidden when all layers it is on are.
void StepFacts::hiddenLayers(Facts& facts) {
    if (hiddenLayers_.empty()) {
        return;
    }
    std::set<Entity> hidden, shown;
    for (const Entity& entity : layers_) {
        const auto layer = Handle(StepVisual_PresentationLayerAssignment)::DownCast(entity);
        std::set<Entity>& items = hiddenLayers_.count(entity) > 0 ? hidden : shown;
        for (int i = 1; !layer->AssignedItems().IsNull() && i <= layer->NbAssignedItems(); ++i) {
            items.insert(layer->AssignedItemsValue(i).Value());
        }
    }
    for (const Entity& item : hidden) {
        const TopoDS_Shape shape = shown.count(item) > 0 ? TopoDS_Shape() : shapeOf(item);
        if (!shape.IsNull()) {
            facts.hidden.Add(shape);
        }
    }
}

void StepFacts::externalParts(Facts& facts) {
    STEPConstruct_ExternRefs references(session_);
    references.LoadExternRefs();
    for (int i = 1; i <= references.NbExternRefs(); ++i) {
        const Standard_CString name = references.FileName(i);
        const TopoDS_Shape shape = shapeOf(references.ProdDef(i));
        if (name != nullptr && name[0] != '\0' && !shape.IsNull()) {
            facts.external.Bind(shape, name);
        }
    }
}

InstanceStyle StepFacts::instanceStyle(const Handle(StepVisual_StyledItem)& style, const Entity& item) {
    InstanceStyle found;
    found.shape = shapeOf(item);
    found.visible = hiddenStyles_.count(style) == 0;
    const std::string name = textOf(style->Name());
    const char* at = name.c_str() + std::strlen(IN_CONTEXT);
    for (char* end = nullptr; *at != '\0'; at = end) {
        const auto instance = instances_.find(static_cast<int>(std::strtol(at, &end, 10)));
        if (end == at || instance == instances_.end()) {
            found.path.clear();
            return found;
        }
        found.path.push_back(instance->second);
    }
    STEPConstruct_Styles styles(session_);
    Handle(StepVisual_Colour) surface, boundary, curve, rendered;
    double transparency = 0;
    bool component = false;
    styles.GetColors(style, surface, boundary, curve, rendered, transparency, component);
    Quantity_Color colour;
    if (!rendered.IsNull() && STEPConstruct_Styles::DecodeColor(rendered, colour)) {
        found.colour = Quantity_ColorRGBA(colour, static_cast<float>(1 - transparency));
        found.coloured = true;
    } else if (!surface.IsNull() && STEPConstruct_Styles::DecodeColor(surface, colour)) {
        found.colour = Quantity_ColorRGBA(colour);
        found.coloured = true;
    }
    return found;
}

}  // namespace cad

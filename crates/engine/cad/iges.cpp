#include "iges.hpp"

#include <IGESBasic_Name.hxx>
#include <IGESBasic_SingularSubfigure.hxx>
#include <IGESBasic_SubfigureDef.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>

#include <cmath>
#include <set>

namespace cad {

namespace {

constexpr char DIGITS[] = "0123456789abcdef";

// OCCT decodes names as UTF-8 and drops what is not. In place: entities do not take new names.
void write(const Handle(TCollection_HAsciiString)& name, std::set<Standard_Transient*>& done) {
    if (name.IsNull() || !done.insert(name.get()).second) {
        return;
    }
    name->LeftAdjust();
    name->RightAdjust();
    std::string text(1, MARK);
    for (int i = 1; i <= name->Length(); ++i) {
        const auto byte = static_cast<unsigned char>(name->Value(i));
        text.push_back(DIGITS[byte >> 4]);
        text.push_back(DIGITS[byte & 15]);
    }
    name->Clear();
    name->AssignCat(text.c_str());
}

int digit(char letter) {
    const std::string all(DIGITS);
    const auto place = all.find(letter);
    return place == std::string::npos ? -1 : static_cast<int>(place);
}

// Surfaces, curves, solids and instances; the others are not drawn.
bool isDrawn(const Handle(IGESData_IGESEntity)& entity) {
    const int type = entity->TypeNumber();
    return (type >= 100 && type < 200 && type != 124) || type == 408;
}

// Not part of another entity: so that a surface and its curves count once.
bool isOnItsOwn(const Handle(IGESData_IGESEntity)& entity) {
    return entity->SubordinateStatus() == 0 || entity->SubordinateStatus() == 2;
}

}  // namespace

void IgesFacts::beforeTransfer(Facts& facts) {
    std::set<Standard_Transient*> done;
    for (int i = 1; i <= model_->NbEntities(); ++i) {
        const Handle(IGESData_IGESEntity) entity = model_->Entity(i);
        if (entity.IsNull()) {
            continue;
        }
        write(entity->ShortLabel(), done);
        if (const auto name = Handle(IGESBasic_Name)::DownCast(entity); !name.IsNull()) {
            write(name->Value(), done);
        } else if (const auto part = Handle(IGESBasic_SubfigureDef)::DownCast(entity); !part.IsNull()) {
            write(part->Name(), done);
        }
        if (entity->BlankStatus() == 1 && isDrawn(entity) && isOnItsOwn(entity)) {
            ++facts.blanked;
        }
        const auto instance = Handle(IGESBasic_SingularSubfigure)::DownCast(entity);
        if (instance.IsNull() || !instance->HasScaleFactor()) {
            continue;
        }
        const double scale = instance->ScaleFactor();
        if (std::isfinite(scale) && std::abs(scale) > 1e-12 && std::abs(scale - 1) > 1e-9) {
            scaled_.emplace_back(entity, scale);
            instance->Init(instance->Subfigure(), instance->Translation(), Standard_False, 1);
        }
    }
}

void IgesFacts::afterTransfer(Facts& facts) {
    const Handle(Transfer_TransientProcess) results = session_->TransferReader()->TransientProcess();
    for (const auto& [entity, scale] : scaled_) {
        const Handle(Transfer_Binder) result = results->Find(entity);
        const TopoDS_Shape shape = result.IsNull() ? TopoDS_Shape() : TransferBRep::ShapeResult(result);
        if (!shape.IsNull()) {
            facts.stretched.Bind(shape, gp_Mat(scale, 0, 0, 0, scale, 0, 0, 0, scale));
        }
    }
}

std::string igesName(const std::string& written) {
    if (written.empty() || written.front() != MARK) {
        return written;
    }
    std::string name;
    size_t at = 1;
    for (; at + 1 < written.size(); at += 2) {
        const int high = digit(written[at]), low = digit(written[at + 1]);
        if (high < 0 || low < 0) {
            break;
        }
        name.push_back(static_cast<char>(high << 4 | low));
    }
    // The number that OCCT adds to a label.
    return name.append(written, at, std::string::npos);
}

}  // namespace cad

// Draco behind a C interface: no exception crosses it; counts declared by the stream are checked before decoding.
#include "draco.h"

#include <cstring>
#include <memory>
#include <new>

#include "draco/compression/decode.h"
#include "draco/compression/expert_encode.h"
#include "draco/compression/point_cloud/point_cloud_decoder.h"
#include "draco/core/varint_decoding.h"
#include "draco/mesh/mesh.h"
#include "draco/metadata/metadata_decoder.h"

struct xl_draco_mesh {
    std::unique_ptr<draco::Mesh> mesh;
};

struct xl_draco_packed {
    draco::EncoderBuffer buffer;
    size_t points = 0;
    size_t faces = 0;
};

namespace {

// A count in the stream: fixed-width before version 2.2, variable-length since.
bool count_of(draco::DecoderBuffer *buffer, bool plain, uint32_t *out) {
    return plain ? buffer->Decode(out) : draco::DecodeVarint(out, buffer);
}

// Faces and points the stream declares; the decoder allocates by them before it has read any data.
bool declared(const uint8_t *data, size_t length, uint32_t *faces, uint32_t *points) {
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char *>(data), length);
    draco::DracoHeader header;
    if (!draco::PointCloudDecoder::DecodeHeader(&buffer, &header).ok()) return false;
    if (header.encoder_type != draco::TRIANGULAR_MESH) return false;
    const uint16_t version = DRACO_BITSTREAM_VERSION(header.version_major, header.version_minor);
    buffer.set_bitstream_version(version);
    if (version >= DRACO_BITSTREAM_VERSION(1, 3) && (header.flags & METADATA_FLAG_MASK)) {
        draco::GeometryMetadata metadata;
        draco::MetadataDecoder decoder;
        if (!decoder.DecodeGeometryMetadata(&buffer, &metadata)) return false;
    }
    const bool plain = version < DRACO_BITSTREAM_VERSION(2, 2);
    if (header.encoder_method == draco::MESH_SEQUENTIAL_ENCODING) {
        return count_of(&buffer, plain, faces) && count_of(&buffer, plain, points);
    }
    uint8_t traversal;
    if (!buffer.Decode(&traversal)) return false;
    uint32_t skipped;
    const bool old = version < DRACO_BITSTREAM_VERSION(2, 0);
    if (plain && !(old ? buffer.Decode(&skipped) : draco::DecodeVarint(&skipped, &buffer))) return false;
    return (old ? buffer.Decode(points) : draco::DecodeVarint(points, &buffer)) &&
           (old ? buffer.Decode(faces) : draco::DecodeVarint(faces, &buffer));
}

template <typename T>
bool rows(const draco::Mesh &mesh, const draco::PointAttribute &attribute, uint32_t width, void *out) {
    T *row = static_cast<T *>(out);
    for (draco::PointIndex i(0); i < mesh.num_points(); ++i, row += width) {
        if (!attribute.ConvertValue<T>(attribute.mapped_index(i), static_cast<int8_t>(width), row)) return false;
    }
    return true;
}

draco::DataType data_type(uint32_t component) {
    switch (component) {
        case 5120: return draco::DT_INT8;
        case 5121: return draco::DT_UINT8;
        case 5122: return draco::DT_INT16;
        case 5123: return draco::DT_UINT16;
        case 5125: return draco::DT_UINT32;
        case 5126: return draco::DT_FLOAT32;
        default: return draco::DT_INVALID;
    }
}

draco::GeometryAttribute::Type attribute_type(uint32_t role) {
    switch (role) {
        case XL_DRACO_POSITION: return draco::GeometryAttribute::POSITION;
        case XL_DRACO_NORMAL: return draco::GeometryAttribute::NORMAL;
        case XL_DRACO_COLOR: return draco::GeometryAttribute::COLOR;
        case XL_DRACO_TEX_COORD: return draco::GeometryAttribute::TEX_COORD;
        default: return draco::GeometryAttribute::GENERIC;
    }
}

}  // namespace

extern "C" {

int xl_draco_decode(const uint8_t *data, size_t length, uint32_t most_faces, uint32_t most_points,
                    xl_draco_mesh **out) try {
    uint32_t faces = 0, points = 0;
    if (!declared(data, length, &faces, &points)) return XL_DRACO_BROKEN;
    if (faces > most_faces || points > most_points) return XL_DRACO_TOO_LARGE;
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char *>(data), length);
    draco::Decoder decoder;
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok()) return XL_DRACO_BROKEN;
    auto result = std::make_unique<xl_draco_mesh>();
    result->mesh = std::move(decoded).value();
    if (!result->mesh || result->mesh->num_faces() > most_faces || result->mesh->num_points() > most_points) {
        return XL_DRACO_TOO_LARGE;
    }
    *out = result.release();
    return XL_DRACO_OK;
} catch (const std::bad_alloc &) {
    return XL_DRACO_TOO_LARGE;
} catch (...) {
    return XL_DRACO_BROKEN;
}

void xl_draco_free(xl_draco_mesh *mesh) { delete mesh; }

uint32_t xl_draco_points(const xl_draco_mesh *mesh) { return mesh->mesh->num_points(); }

uint32_t xl_draco_faces(const xl_draco_mesh *mesh) { return mesh->mesh->num_faces(); }

void xl_draco_indices(const xl_draco_mesh *mesh, uint32_t *out) {
    for (draco::FaceIndex f(0); f < mesh->mesh->num_faces(); ++f) {
        for (const draco::PointIndex point : mesh->mesh->face(f)) *out++ = point.value();
    }
}

int xl_draco_attribute(const xl_draco_mesh *mesh, uint32_t unique_id, uint32_t component, uint32_t width,
                       void *out) try {
    const draco::PointAttribute *attribute = mesh->mesh->GetAttributeByUniqueId(unique_id);
    if (attribute == nullptr || attribute->size() == 0) return XL_DRACO_BROKEN;
    const draco::Mesh &m = *mesh->mesh;
    for (draco::PointIndex i(0); i < m.num_points(); ++i) {
        if (attribute->mapped_index(i) >= attribute->size()) return XL_DRACO_BROKEN;
    }
    bool done = false;
    switch (component) {
        case 5120: done = rows<int8_t>(m, *attribute, width, out); break;
        case 5121: done = rows<uint8_t>(m, *attribute, width, out); break;
        case 5122: done = rows<int16_t>(m, *attribute, width, out); break;
        case 5123: done = rows<uint16_t>(m, *attribute, width, out); break;
        case 5125: done = rows<uint32_t>(m, *attribute, width, out); break;
        case 5126: done = rows<float>(m, *attribute, width, out); break;
        default: break;
    }
    return done ? XL_DRACO_OK : XL_DRACO_BROKEN;
} catch (...) {
    return XL_DRACO_BROKEN;
}

int xl_draco_encode(const xl_draco_column *columns, size_t column_count, uint32_t points, const uint32_t *indices,
                    uint32_t faces, int keep_order, int speed, xl_draco_packed **out) try {
    draco::Mesh mesh;
    mesh.set_num_points(points);
    mesh.SetNumFaces(faces);
    for (uint32_t f = 0; f < faces; ++f) {
        const uint32_t *corner = indices + 3 * static_cast<size_t>(f);
        mesh.SetFace(draco::FaceIndex(f), {{draco::PointIndex(corner[0]), draco::PointIndex(corner[1]),
                                            draco::PointIndex(corner[2])}});
    }
    for (size_t c = 0; c < column_count; ++c) {
        const xl_draco_column &column = columns[c];
        const draco::DataType type = data_type(column.component);
        if (type == draco::DT_INVALID) return XL_DRACO_BROKEN;
        const int64_t stride = static_cast<int64_t>(draco::DataTypeLength(type)) * column.width;
        draco::GeometryAttribute attribute;
        attribute.Init(attribute_type(column.role), nullptr, static_cast<int8_t>(column.width), type,
                       column.normalized != 0, stride, 0);
        const int id = mesh.AddAttribute(attribute, true, points);
        mesh.attribute(id)->set_unique_id(static_cast<uint32_t>(c));
        const auto *row = static_cast<const uint8_t *>(column.data);
        for (uint32_t i = 0; i < points; ++i, row += stride) {
            mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i), row);
        }
    }
    if (!keep_order) {
        // Corners with the same position share a vertex of the connectivity, even if other attributes differ.
        mesh.DeduplicateAttributeValues();
    }
    draco::ExpertEncoder encoder(mesh);
    encoder.SetTrackEncodedProperties(true);
    encoder.SetSpeedOptions(speed, speed);
    encoder.SetEncodingMethod(keep_order ? draco::MESH_SEQUENTIAL_ENCODING : draco::MESH_EDGEBREAKER_ENCODING);
    for (size_t c = 0; c < column_count; ++c) {
        const xl_draco_column &column = columns[c];
        const int32_t id = static_cast<int32_t>(c);
        if (column.bits > 0 && column.range > 0) {
            encoder.SetAttributeExplicitQuantization(id, column.bits, static_cast<int>(column.width), column.origin,
                                                     column.range);
        } else if (column.bits > 0) {
            encoder.SetAttributeQuantization(id, column.bits);
        }
    }
    auto packed = std::make_unique<xl_draco_packed>();
    if (!encoder.EncodeToBuffer(&packed->buffer).ok()) return XL_DRACO_BROKEN;
    packed->points = encoder.num_encoded_points();
    packed->faces = encoder.num_encoded_faces();
    *out = packed.release();
    return XL_DRACO_OK;
} catch (const std::bad_alloc &) {
    return XL_DRACO_TOO_LARGE;
} catch (...) {
    return XL_DRACO_BROKEN;
}

void xl_draco_packed_free(xl_draco_packed *packed) { delete packed; }

const uint8_t *xl_draco_packed_bytes(const xl_draco_packed *packed, size_t *length, size_t *points, size_t *faces) {
    *length = packed->buffer.size();
    *points = packed->points;
    *faces = packed->faces;
    return reinterpret_cast<const uint8_t *>(packed->buffer.data());
}

}  // extern "C"

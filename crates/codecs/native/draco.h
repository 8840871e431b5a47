// C interface to Draco; src/draco.rs documents the calls.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { XL_DRACO_OK = 0, XL_DRACO_BROKEN = 1, XL_DRACO_TOO_LARGE = 2 };
enum { XL_DRACO_POSITION = 0, XL_DRACO_NORMAL = 1, XL_DRACO_COLOR = 2, XL_DRACO_TEX_COORD = 3, XL_DRACO_GENERIC = 4 };

struct xl_draco_mesh;
struct xl_draco_packed;

// `points` rows of `width` components; `component` is a glTF component type (5120…5126), `bits` 0 keeps values exact.
struct xl_draco_column {
    const void *data;
    uint32_t component;
    uint32_t width;
    uint32_t role;
    uint32_t normalized;
    int32_t bits;
    float origin[3]; // of quantised values; used when `range` is not 0
    float range;
};

extern "C" {
int xl_draco_decode(const uint8_t *data, size_t length, uint32_t most_faces, uint32_t most_points,
                    struct xl_draco_mesh **out);
void xl_draco_free(struct xl_draco_mesh *mesh);
uint32_t xl_draco_points(const struct xl_draco_mesh *mesh);
uint32_t xl_draco_faces(const struct xl_draco_mesh *mesh);
void xl_draco_indices(const struct xl_draco_mesh *mesh, uint32_t *out);
int xl_draco_attribute(const struct xl_draco_mesh *mesh, uint32_t unique_id, uint32_t component, uint32_t width,
                       void *out);
int xl_draco_encode(const struct xl_draco_column *columns, size_t column_count, uint32_t points,
                    const uint32_t *indices, uint32_t faces, int keep_order, int speed,
                    struct xl_draco_packed **out);
void xl_draco_packed_free(struct xl_draco_packed *packed);
const uint8_t *xl_draco_packed_bytes(const struct xl_draco_packed *packed, size_t *length, size_t *points,
                                     size_t *faces);
}

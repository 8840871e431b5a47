// C interface to Basis Universal; src/basis.rs documents the calls.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct xl_basis_packed;

struct xl_basis_options {
    uint32_t uastc;    // else ETC1S
    uint32_t srgb;     // colour, else data
    uint32_t normals; // mip levels are renormalised
    int32_t quality;   // ETC1S: 1…255
    int32_t effort;    // ETC1S: 0…6, UASTC: 0…4
    float rdo;         // UASTC: strength of rate-distortion optimisation, 0 for none
    uint32_t threads;
};

struct xl_ktx2_info {
    uint32_t width;
    uint32_t height;
    uint32_t levels;
    uint32_t alpha;
};

extern "C" {
int xl_basis_encode(const uint8_t *rgba, uint32_t width, uint32_t height, const struct xl_basis_options *options,
                    struct xl_basis_packed **out);
void xl_basis_packed_free(struct xl_basis_packed *packed);
const uint8_t *xl_basis_packed_bytes(const struct xl_basis_packed *packed, size_t *length);
int xl_ktx2_info_of(const uint8_t *data, size_t length, struct xl_ktx2_info *out);
int xl_ktx2_decode(const uint8_t *data, size_t length, uint8_t *rgba, size_t rgba_length);
}

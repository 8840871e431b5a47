// Basis Universal behind a C interface: KTX2 files in and out; no exception crosses it.
#include "basis.h"

#include <limits>
#include <memory>
#include <mutex>

#include "encoder/basisu_comp.h"
#include "transcoder/basisu_transcoder.h"

struct xl_basis_packed {
    basisu::uint8_vec bytes;
};

namespace {

enum { OK = 0, BROKEN = 1 };

void initialise_transcoder() {
    static std::once_flag once;
    std::call_once(once, [] { basist::basisu_transcoder_init(); });
}

// The encoder's tables take many times as long to build as the transcoder's, and decoding does not need them.
void initialise_encoder() {
    static std::once_flag once;
    // First, because the encoder calls it without a guard against other threads.
    initialise_transcoder();
    std::call_once(once, [] { basisu::basisu_encoder_init(false, false); });
}

// UASTC has 16 bytes for 4 x 4 pixels. The library trusts the unpacked size a compressed level declares, and allocates
// it.
bool honest(basist::ktx2_transcoder &file) {
    if (!file.is_uastc()) return true;
    const uint64_t across = (static_cast<uint64_t>(file.get_width()) + 3) / 4;
    const uint64_t down = (static_cast<uint64_t>(file.get_height()) + 3) / 4;
    return file.get_level_index()[0].m_uncompressed_byte_length.get_uint64() == across * down * 16;
}

// What glTF allows: a 2D image in ETC1S or UASTC.
bool opened(basist::ktx2_transcoder &file, const uint8_t *data, size_t length) {
    initialise_transcoder();
    if (length > std::numeric_limits<uint32_t>::max()) return false;
    if (!file.init(data, static_cast<uint32_t>(length))) return false;
    return (file.is_etc1s() || file.is_uastc()) && file.get_faces() == 1 && file.get_layers() <= 1 && honest(file);
}

}  // namespace

extern "C" {

int xl_basis_encode(const uint8_t *rgba, uint32_t width, uint32_t height, const xl_basis_options *options,
                    xl_basis_packed **out) try {
    initialise_encoder();
    basisu::job_pool jobs(options->threads);
    basisu::basis_compressor_params params;
    params.m_source_images.resize(1);
    params.m_source_images[0].init(rgba, width, height, 4);
    params.m_pJob_pool = &jobs;
    params.m_multithreading = options->threads > 1;
    params.m_status_output = false;
    params.m_print_stats = false;
    params.m_compute_stats = false;
    params.m_create_ktx2_file = true;
    params.m_mip_gen = true;
    params.m_mip_renormalize = options->normals != 0;
    if (options->uastc) {
        params.set_format_mode(basist::basis_tex_format::cUASTC_LDR_4x4);
        params.m_pack_uastc_ldr_4x4_flags = static_cast<uint32_t>(options->effort);
        params.m_rdo_uastc_ldr_4x4 = options->rdo > 0.0f;
        params.m_rdo_uastc_ldr_4x4_quality_scalar = options->rdo;
        // A quarter of the default window: four times as fast for a few percent in size.
        params.m_rdo_uastc_ldr_4x4_dict_size = 1024;
        params.m_rdo_uastc_ldr_4x4_multithreading = options->threads > 1;
        params.m_ktx2_uastc_supercompression = basist::KTX2_SS_ZSTANDARD;
        params.m_ktx2_zstd_supercompression_level = 12;
    } else {
        params.set_format_mode(basist::basis_tex_format::cETC1S);
        params.m_quality_level = options->quality;
        params.m_etc1s_compression_level = options->effort;
    }
    params.set_srgb_options(options->srgb != 0);
    basisu::basis_compressor compressor;
    if (!compressor.init(params)) return BROKEN;
    if (compressor.process() != basisu::basis_compressor::cECSuccess) return BROKEN;
    auto packed = std::make_unique<xl_basis_packed>();
    packed->bytes = compressor.get_output_ktx2_file();
    *out = packed.release();
    return OK;
} catch (...) {
    return BROKEN;
}

void xl_basis_packed_free(xl_basis_packed *packed) { delete packed; }

const uint8_t *xl_basis_packed_bytes(const xl_basis_packed *packed, size_t *length) {
    *length = packed->bytes.size();
    return packed->bytes.get_ptr();
}

int xl_ktx2_info_of(const uint8_t *data, size_t length, xl_ktx2_info *out) try {
    basist::ktx2_transcoder file;
    if (!opened(file, data, length)) return BROKEN;
    *out = {file.get_width(), file.get_height(), file.get_levels(), file.get_has_alpha()};
    return OK;
} catch (...) {
    return BROKEN;
}

int xl_ktx2_decode(const uint8_t *data, size_t length, uint8_t *rgba, size_t rgba_length) try {
    basist::ktx2_transcoder file;
    if (!opened(file, data, length)) return BROKEN;
    const uint64_t pixels = static_cast<uint64_t>(file.get_width()) * file.get_height();
    if (pixels == 0 || pixels * 4 != rgba_length || pixels > std::numeric_limits<uint32_t>::max()) return BROKEN;
    if (!file.start_transcoding()) return BROKEN;
    const bool done = file.transcode_image_level(0, 0, 0, rgba, static_cast<uint32_t>(pixels),
                                                 basist::transcoder_texture_format::cTFRGBA32);
    return done ? OK : BROKEN;
} catch (...) {
    return BROKEN;
}

}  // extern "C"

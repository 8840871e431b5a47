// Recompression of a JPEG without changing its coefficients, like jpegtran, with libjpeg-turbo.
// libjpeg reports errors through a callback that must not return: it longjmps back into this file, across C frames
// only.
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

// Most scans of a progressive source; libjpeg's own standard script has ten. Each costs a pass over the whole image.
enum { MOST_SCANS = 64 };

// Which cells of 8 × 8 pixels are in use: rows of bytes from the top.
struct xl_jpeg_cells {
    const uint8_t *wanted;
    uint32_t columns;
    uint32_t rows;
};

struct work {
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    struct jpeg_destination_mgr room;
    struct jpeg_decompress_struct from;
    struct jpeg_compress_struct to;
    jmp_buf out;
};

static void leave(j_common_ptr info) { longjmp(((struct work *)info->err)->out, 1); }

// A warning means damage: such a file is not rewritten.
static void message(j_common_ptr info, int level) {
    if (level < 0) leave(info);
}

static void count_scans(j_common_ptr info) {
    if (info->is_decompressor && ((j_decompress_ptr)info)->input_scan_number > MOST_SCANS) leave(info);
}

static void nothing(j_compress_ptr info) { (void)info; }

// The output buffer is as large as the source: an overflow means no gain.
static boolean full(j_compress_ptr info) {
    leave((j_common_ptr)info);
    return FALSE;
}

// Whether any cell of 8 × 8 pixels in a block is in use. `across` and `down` are the cells a block covers.
static int is_wanted(const struct xl_jpeg_cells *cells, uint32_t x, uint32_t y, uint32_t across, uint32_t down) {
    for (uint32_t j = y * down; j < (y + 1) * down && j < cells->rows; j++) {
        for (uint32_t i = x * across; i < (x + 1) * across && i < cells->columns; i++) {
            if (cells->wanted[(size_t)j * cells->columns + i]) return 1;
        }
    }
    return 0;
}

// Blocks outside the cells in use keep their mean, so that smaller copies of the image are unchanged, and lose the
// rest.
static void clear_unwanted(struct work *w, jvirt_barray_ptr *coefficients, const struct xl_jpeg_cells *luma,
                           const struct xl_jpeg_cells *chroma) {
    for (int c = 0; c < w->from.num_components; c++) {
        const jpeg_component_info *component = w->from.comp_info + c;
        const int whole = component->h_samp_factor == w->from.max_h_samp_factor &&
                          component->v_samp_factor == w->from.max_v_samp_factor;
        const uint32_t across = w->from.max_h_samp_factor / component->h_samp_factor;
        const uint32_t down = w->from.max_v_samp_factor / component->v_samp_factor;
        for (JDIMENSION y = 0; y < component->height_in_blocks; y++) {
            JBLOCKARRAY rows = (*w->from.mem->access_virt_barray)((j_common_ptr)&w->from, coefficients[c], y, 1, TRUE);
            for (JDIMENSION x = 0; x < component->width_in_blocks; x++) {
                if (is_wanted(whole ? luma : chroma, x, y, across, down)) continue;
                memset(rows[0][x] + 1, 0, (DCTSIZE2 - 1) * sizeof(JCOEF));
            }
        }
    }
}

// Sampling factors that divide the largest one: others do not align with the cells.
static int is_regular(const struct jpeg_decompress_struct *info) {
    for (int c = 0; c < info->num_components; c++) {
        const jpeg_component_info *component = info->comp_info + c;
        if (info->max_h_samp_factor % component->h_samp_factor || info->max_v_samp_factor % component->v_samp_factor) {
            return 0;
        }
    }
    return 1;
}

static int covers(const struct xl_jpeg_cells *cells, const struct jpeg_decompress_struct *info) {
    return cells->columns == (info->image_width + 7) / 8 && cells->rows == (info->image_height + 7) / 8;
}

static size_t recompress(struct work *w, const uint8_t *data, size_t length, uint8_t *out, uint64_t most_pixels,
                         const struct xl_jpeg_cells *luma, const struct xl_jpeg_cells *chroma) {
    if (setjmp(w->out)) return 0;
    jpeg_mem_src(&w->from, (unsigned char *)data, (unsigned long)length);
    if (jpeg_read_header(&w->from, TRUE) != JPEG_HEADER_OK) return 0;
    const uint64_t pixels = (uint64_t)w->from.image_width * w->from.image_height;
    if (pixels == 0 || pixels > most_pixels || w->from.num_components > 4) return 0;
    jvirt_barray_ptr *coefficients = jpeg_read_coefficients(&w->from);
    if (luma && chroma) {
        if (!covers(luma, &w->from) || !covers(chroma, &w->from) || !is_regular(&w->from)) return 0;
        clear_unwanted(w, coefficients, luma, chroma);
    }
    jpeg_copy_critical_parameters(&w->from, &w->to);
    w->to.optimize_coding = TRUE;
    jpeg_simple_progression(&w->to);
    w->room.next_output_byte = out;
    w->room.free_in_buffer = length;
    w->room.init_destination = nothing;
    w->room.empty_output_buffer = full;
    w->room.term_destination = nothing;
    w->to.dest = &w->room;
    jpeg_write_coefficients(&w->to, coefficients);
    jpeg_finish_compress(&w->to);
    jpeg_finish_decompress(&w->from);
    return length - w->room.free_in_buffer;
}

// Writes the image at `data` to `out`, which also has `length` bytes: progressive, with Huffman tables of its own and
// without metadata. With cells, blocks outside them lose their detail. Returns the bytes written; 0 on any
// irregularity, or if nothing is gained.
size_t xl_jpeg_recompress(const uint8_t *data, size_t length, uint8_t *out, uint64_t most_pixels,
                          const struct xl_jpeg_cells *luma, const struct xl_jpeg_cells *chroma) {
    struct work w;
    w.from.err = w.to.err = jpeg_std_error(&w.errors);
    w.errors.error_exit = leave;
    w.errors.emit_message = message;
    w.progress.progress_monitor = count_scans;
    // Out of memory already: free the little that was allocated.
    if (setjmp(w.out)) return 0;
    jpeg_create_decompress(&w.from);
    jpeg_create_compress(&w.to);
    w.from.progress = &w.progress;
    const size_t size = recompress(&w, data, length, out, most_pixels, luma, chroma);
    jpeg_destroy_compress(&w.to);
    jpeg_destroy_decompress(&w.from);
    return size;
}

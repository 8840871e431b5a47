//! Recompresses JPEG files without changing any pixel that is in use, with Debian's libjpeg-turbo.

use std::ptr;

#[repr(C)]
struct RawCells {
    wanted: *const u8,
    columns: u32,
    rows: u32,
}

unsafe extern "C" {
    fn xl_jpeg_recompress(
        data: *const u8,
        length: usize,
        out: *mut u8,
        most_pixels: u64,
        luma: *const RawCells,
        chroma: *const RawCells,
    ) -> usize;
}

/// Most pixels a byte can encode: an image of one colour has some 1,000, photographs a few.
const PIXELS_OF_A_BYTE: u64 = 1_000;
/// Side of a cell in pixels: a block of a component at full resolution.
const CELL: f32 = 8.0;
/// A pixel's colour also depends on the next sample of a component at half resolution, two pixels away.
const CHROMA_REACH: f32 = 2.0;

/// The parts of an image that are in use, as cells of 8 × 8 pixels.
#[derive(Debug, Clone)]
pub struct Wanted {
    columns: u32,
    rows: u32,
    luma: Vec<bool>,
    chroma: Vec<bool>,
    /// Cells that may still be tested, so that very many triangles cannot take unbounded time.
    budget: usize,
}

impl Wanted {
    /// Nothing of an image of this size in pixels is in use.
    pub fn nothing(width: u32, height: u32) -> Wanted {
        let (columns, rows) = (width.div_ceil(CELL as u32), height.div_ceil(CELL as u32));
        let count = columns as usize * rows as usize;
        Wanted {
            columns,
            rows,
            luma: vec![false; count],
            chroma: vec![false; count],
            budget: (1 << 20) + count.saturating_mul(64),
        }
    }

    /// Adds a triangle, corners in pixels from the upper left, with a `margin` in pixels around it.
    pub fn add(&mut self, triangle: [[f32; 2]; 3], margin: f32) {
        let size = [self.columns, self.rows];
        let seen = mark(&mut self.luma, size, triangle, margin)
            + mark(&mut self.chroma, size, triangle, margin + CHROMA_REACH);
        if seen > self.budget {
            self.luma.fill(true);
            self.chroma.fill(true);
        }
        self.budget = self.budget.saturating_sub(seen);
    }
}

/// Marks the cells that a triangle overlaps within `margin` pixels; returns how many were tested.
fn mark(cells: &mut [bool], size: [u32; 2], triangle: [[f32; 2]; 3], margin: f32) -> usize {
    let range = |axis: usize| {
        let of = |t: [f32; 2]| t[axis];
        let [a, b, c] = triangle.map(of);
        let low = ((a.min(b).min(c) - margin) / CELL).floor().max(0.0) as u32;
        let high = ((a.max(b).max(c) + margin) / CELL).floor().max(-1.0) + 1.0;
        low..(high as u32).min(size[axis])
    };
    let [across, down] = [range(0), range(1)];
    let seen = across.len() * down.len();
    for y in down {
        for x in across.clone() {
            let at = y as usize * size[0] as usize + x as usize;
            if let Some(cell) = cells.get_mut(at)
                && !*cell
            {
                *cell = touches(triangle, [x, y].map(|v| v as f32 * CELL), margin);
            }
        }
    }
    seen
}

/// Whether a triangle may lie within `margin` of the cell at `corner`: no edge separates them.
fn touches(triangle: [[f32; 2]; 3], corner: [f32; 2], margin: f32) -> bool {
    let [a, b, c] = triangle;
    let turn = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    let half = CELL / 2.0 + margin;
    let center = corner.map(|v| v + CELL / 2.0);
    [(a, b), (b, c), (c, a)].iter().all(|(from, to)| {
        let [x, y] = [to[0] - from[0], to[1] - from[1]];
        let side = x * (center[1] - from[1]) - y * (center[0] - from[0]);
        // The corner of the widened cell that lies deepest inside.
        side * turn.signum() >= -(x.abs() + y.abs()) * half
    })
}

/// The same image with the same coefficients, progressive, with Huffman tables of its own and without metadata. Where
/// `wanted` is given, blocks outside it keep their mean colour but not their detail.
/// `None` when the result is no smaller, or when the file is broken, truncated, larger than `most_pixels`, of another
/// size than `wanted`, or of a kind the library cannot transcode.
pub fn recompress_jpeg(bytes: &[u8], wanted: Option<&Wanted>, most_pixels: u64) -> Option<Vec<u8>> {
    // Coefficients are held in memory: two bytes per pixel for each of up to four components.
    let most_pixels = most_pixels.min((bytes.len() as u64).saturating_mul(PIXELS_OF_A_BYTE));
    let mut out = vec![0u8; bytes.len()];
    let raw = |wanted: &Wanted, cells: &[bool]| RawCells {
        wanted: cells.as_ptr().cast(),
        columns: wanted.columns,
        rows: wanted.rows,
    };
    let cells = wanted.map(|w| [raw(w, &w.luma), raw(w, &w.chroma)]);
    let [luma, chroma] = match &cells {
        Some([luma, chroma]) => [ptr::from_ref(luma), ptr::from_ref(chroma)],
        None => [ptr::null(); 2],
    };
    // SAFETY: two live slices of the lengths passed, and `columns` times `rows` bytes of cells that outlive the call.
    // The library's errors are caught within the C function.
    let size = unsafe {
        xl_jpeg_recompress(
            bytes.as_ptr(),
            bytes.len(),
            out.as_mut_ptr(),
            most_pixels,
            luma,
            chroma,
        )
    };
    if size == 0 || size >= bytes.len() {
        return None;
    }
    out.truncate(size);
    out.shrink_to_fit();
    Some(out)
}

//! STL writer: binary, millimetres (as the reader assumes), world space.

use super::lost::{self, Simple};
use super::shape;
use crate::scene::{Mode, Problem, Severity, bake};
use crate::{Ctx, Error, Result, Scene};
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

/// Not `solid`: readers that only look at the first word would treat it as text.
const HEADER: &[u8] = b"binary STL by modelkit UNITS=mm";
const MILLIMETRES: f32 = 1000.0;

pub fn write(scene: &Scene, path: &Path, _ctx: &Ctx) -> Result<Vec<Problem>> {
    let failed = |e: std::io::Error| Error::io(path, &e);
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path).map_err(failed)?);
    let mut header = [0u8; 84];
    header[..HEADER.len()].copy_from_slice(HEADER);
    out.write_all(&header).map_err(failed)?;
    let mut count = 0u64;
    bake(scene, &mut |baked| {
        if baked.primitive.mode != Mode::Triangles {
            return Ok(());
        }
        for corner in baked.primitive.indices.chunks_exact(3) {
            let Some(mut triangle) = shape::triangle(&baked.positions, corner) else {
                continue;
            };
            if baked.mirrored {
                triangle.swap(1, 2);
            }
            out.write_all(&record(triangle)).map_err(failed)?;
            count += 1;
        }
        Ok(())
    })?;
    if count == 0 {
        return Err(Error::EmptyModel("模型没有三角形，无法写成 STL".into()));
    }
    let count = u32::try_from(count)
        .map_err(|_| Error::TooLarge("三角形数量超出 STL 格式上限，请先轻量化".into()))?;
    out.flush().map_err(failed)?;
    let mut file = out.into_inner().map_err(|e| failed(e.into_error()))?;
    file.seek(SeekFrom::Start(80)).map_err(failed)?;
    file.write_all(&count.to_le_bytes()).map_err(failed)?;
    let mut problems = lost::problems(scene, Simple::Stl);
    problems.extend(moved(scene.origin()));
    Ok(problems)
}

/// STL is single precision: what lies far out is written about an origin of its own, which is told.
fn moved(origin: [f64; 3]) -> Option<Problem> {
    let [x, y, z] = origin;
    (origin != [0.0; 3]).then(|| {
        Problem::new(
            "moved-to-origin",
            Severity::Warning,
            "",
            format!("STL 只有单精度，无法保存远离原点的坐标，已减去偏移量 X {x}、Y {y}、Z {z} 米（Y 轴向上）"),
            "需要保留坐标时请改用 GLB、OBJ 或 PLY；使用 STL 时请记下偏移量",
        )
    })
}

fn record(triangle: [[f32; 3]; 3]) -> [u8; 50] {
    let mut record = [0u8; 50];
    let values = [shape::face_normal(triangle)]
        .into_iter()
        .chain(triangle.map(|p| p.map(|c| c * MILLIMETRES)));
    for (slot, value) in record.chunks_exact_mut(4).zip(values.flatten()) {
        slot.copy_from_slice(&value.to_le_bytes());
    }
    record
}

//! IGES files written by hand: boxes of B-spline surfaces (entity 128).

/// An entity; its directory entry is `2 * i + 1` for the i-th of a file.
pub struct Entity {
    pub kind: u32,
    pub form: u32,
    /// `2` is red.
    pub colour: u32,
    pub status: &'static str,
    /// At most eight bytes.
    pub label: Vec<u8>,
    /// Without the number of its kind.
    pub parameters: Vec<u8>,
}

impl Entity {
    pub fn new(kind: u32, parameters: impl Into<Vec<u8>>) -> Entity {
        Entity {
            kind,
            form: 0,
            colour: 0,
            status: "00000000",
            label: b"side".to_vec(),
            parameters: parameters.into(),
        }
    }
}

/// Splits free text into records of 72 columns with the section's letter and number.
fn section(letter: char, text: &str) -> (Vec<u8>, usize) {
    let chunks = text.as_bytes().chunks(72).enumerate();
    let mut out = Vec::new();
    for (i, chunk) in chunks {
        let line = std::str::from_utf8(chunk).unwrap();
        out.extend(format!("{line:<72}{letter}{:>7}\n", i + 1).into_bytes());
    }
    (out, text.len().div_ceil(72))
}

/// A file of these entities, its unit by flag and name: `2,2HMM`.
pub fn iges(entities: &[Entity], unit: &str) -> Vec<u8> {
    let (start, starts) = section('S', "box");
    let global = format!(
        "1H,,1H;,3Hbox,7Hbox.igs,4Hhand,3H1.0,32,38,6,308,15,3Hbox,1.,{unit},1,0.01,\
         15H20260101.000000,0.0001,1000.,4Hhand,4Hhand,11,0,15H20260101.000000;"
    );
    let (global, globals) = section('G', &global);
    let (mut directory, mut parameters) = (Vec::new(), Vec::new());
    let mut lines = 0;
    for (i, entity) in entities.iter().enumerate() {
        let number = 2 * i + 1;
        let from = lines + 1;
        let text = [
            format!("{},", entity.kind).as_bytes(),
            &entity.parameters,
            b";",
        ]
        .concat();
        // Numbers must not be split: records break at commas.
        let mut record = Vec::new();
        let mut flush = |record: &mut Vec<u8>| {
            lines += 1;
            record.resize(64, b' ');
            parameters.append(record);
            parameters.extend(format!("{number:>8}P{lines:>7}\n").into_bytes());
        };
        for piece in text.split_inclusive(|b| *b == b',') {
            if record.len() + piece.len() > 64 {
                flush(&mut record);
            }
            record.extend(piece);
        }
        flush(&mut record);
        let (kind, status, colour) = (entity.kind, entity.status, entity.colour);
        directory.extend(
            format!(
                "{kind:>8}{from:>8}{0:>8}{0:>8}{0:>8}{0:>8}{0:>8}{0:>8}{status:>8}D{number:>7}\n",
                0
            )
            .into_bytes(),
        );
        let count = lines + 1 - from;
        directory.extend(
            format!(
                "{kind:>8}{0:>8}{colour:>8}{count:>8}{2:>8}{1:>8}{1:>8}",
                0, "", entity.form
            )
            .into_bytes(),
        );
        directory.extend(std::iter::repeat_n(b' ', 8 - entity.label.len()));
        directory.extend(&entity.label);
        directory.extend(format!("{i:>8}D{:>7}\n", number + 1).into_bytes());
    }
    let end = format!(
        "S{starts:>7}G{globals:>7}D{:>7}P{lines:>7}",
        2 * entities.len()
    );
    let end = format!("{end:<72}T{:>7}\n", 1).into_bytes();
    [start, global, directory, parameters, end].concat()
}

/// One side of a box: across this axis, at its far end or not.
pub fn side(size: [f64; 3], from: [f64; 3], axis: usize, far: usize) -> Entity {
    let corner = |u: usize, v: usize| {
        let mut at = [0.0; 3];
        for (axis, end) in [(axis, far), ((axis + 1) % 3, u), ((axis + 2) % 3, v)] {
            at[axis] = from[axis] + size[axis] * end as f64;
        }
        format!("{:?},{:?},{:?}", at[0], at[1], at[2])
    };
    // Degree 1 by 1, knots 0 0 1 1 both ways, weights 1.
    let parameters = format!(
        "1,1,1,1,0,0,1,0,0,0.,0.,1.,1.,0.,0.,1.,1.,1.,1.,1.,1.,{},{},{},{},0.,1.,0.,1.",
        corner(0, 0),
        corner(1, 0),
        corner(0, 1),
        corner(1, 1)
    );
    Entity::new(128, parameters)
}

/// A box from the origin to `size` millimetres, in the IGES colour `colour` (2 is red).
pub fn iges_box(size: [f64; 3], colour: u32) -> Vec<u8> {
    iges_box_at(size, [0.0; 3], colour)
}

/// The same elsewhere.
pub fn iges_box_at(size: [f64; 3], from: [f64; 3], colour: u32) -> Vec<u8> {
    let sides = (0..6).map(|i| Entity {
        colour,
        ..side(size, from, i / 2, i % 2)
    });
    iges(&sides.collect::<Vec<_>>(), "2,2HMM")
}

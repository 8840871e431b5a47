//! IGES files written by hand: a box of six B-spline surfaces (entity 128).

/// Splits free text into records of `width` columns, followed by the section's letter and number.
fn section(
    letter: char,
    text: &str,
    width: usize,
    tail: impl Fn(usize) -> String,
) -> (String, usize) {
    let bytes: Vec<char> = text.chars().collect();
    let mut out = String::new();
    let mut count = 0;
    for chunk in bytes.chunks(width) {
        count += 1;
        let line: String = chunk.iter().collect();
        out += &format!("{line:<width$}{}{letter}{count:>7}\n", tail(count));
    }
    (out, count)
}

/// A box from the origin to `size` millimetres, in the IGES colour `colour` (2 is red).
pub fn iges_box(size: [f64; 3], colour: u32) -> Vec<u8> {
    iges_box_at(size, [0.0; 3], colour)
}

/// The same elsewhere.
pub fn iges_box_at(size: [f64; 3], from: [f64; 3], colour: u32) -> Vec<u8> {
    let (start, starts) = section('S', "box", 72, |_| String::new());
    let global = "1H,,1H;,3Hbox,7Hbox.igs,4Hhand,3H1.0,32,38,6,308,15,3Hbox,1.,2,2HMM,1,0.01,\
                  15H20260101.000000,0.0001,1000.,4Hhand,4Hhand,11,0,15H20260101.000000;";
    let (global, globals) = section('G', global, 72, |_| String::new());
    let (mut directory, mut parameters) = (String::new(), String::new());
    let mut lines = 0;
    for side in 0..6 {
        let (axis, far) = (side / 2, side % 2);
        let corner = |u: usize, v: usize| {
            let mut at = [0.0; 3];
            for (axis, end) in [(axis, far), ((axis + 1) % 3, u), ((axis + 2) % 3, v)] {
                at[axis] = from[axis] + size[axis] * end as f64;
            }
            format!("{:?},{:?},{:?}", at[0], at[1], at[2])
        };
        // Degree 1 by 1, knots 0 0 1 1 both ways, weights 1.
        let text = format!(
            "128,1,1,1,1,0,0,1,0,0,0.,0.,1.,1.,0.,0.,1.,1.,1.,1.,1.,1.,{},{},{},{},0.,1.,0.,1.;",
            corner(0, 0),
            corner(1, 0),
            corner(0, 1),
            corner(1, 1)
        );
        let entry = side * 2 + 1;
        let from = lines;
        // Numbers must not be split: records break at commas.
        let mut record = String::new();
        let mut flush = |record: &mut String| {
            lines += 1;
            parameters += &format!("{record:<64}{entry:>8}P{lines:>7}\n");
            record.clear();
        };
        for piece in text.split_inclusive(',') {
            if record.len() + piece.len() > 64 {
                flush(&mut record);
            }
            record += piece;
        }
        flush(&mut record);
        let (first, count) = (from + 1, lines - from);
        directory += &format!(
            "{:>8}{first:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}D{entry:>7}\n",
            128, 0, 0, 0, 0, 0, 0, "00000000"
        );
        directory += &format!(
            "{:>8}{:>8}{colour:>8}{count:>8}{:>8}{:>8}{:>8}{:>8}{:>8}D{:>7}\n",
            128,
            0,
            0,
            "",
            "",
            "side",
            side,
            entry + 1
        );
    }
    let end = format!("S{starts:>7}G{globals:>7}D{:>7}P{lines:>7}", 12);
    format!("{start}{global}{directory}{parameters}{end:<72}T{:>7}\n", 1).into_bytes()
}

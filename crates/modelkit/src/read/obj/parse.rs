//! Parsing of OBJ text, chunk by chunk, in parallel.
//!
//! A chunk is parsed without the chunks before it: positive indices are final, negative ones (counted from the end) are
//! kept relative to the chunk and marked, until [`Chunk::settle`] gets the totals of the earlier chunks.

use super::super::encoding::Names;
use super::super::lost::Losses;
use super::super::{origin, text};
use super::corners::{Corners, NONE};
use super::lines;
use super::lost::{self, Fate, Loss, STATEMENTS};
use crate::Result;
use crate::limits::Limits;

/// State changes between faces.
/// Names are bytes: their encoding is decided when all are known.
#[derive(Debug, PartialEq)]
pub enum Change {
    Object(Vec<u8>),
    Group(Vec<u8>),
    Material(Vec<u8>),
    Library(Vec<u8>),
    Smoothing(u32),
}

/// An index in a line or point statement.
#[derive(Clone, Copy)]
pub struct Loose {
    pub index: i64,
    pub relative: bool,
}

/// A place between statements: the lengths of all lists before it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Mark {
    pub faces: usize,
    pub segments: usize,
    pub points: usize,
}

/// The content of one chunk of the file.
#[derive(Default)]
pub struct Chunk {
    /// About the base.
    pub positions: Vec<[f32; 3]>,
    base: [f64; 3],
    /// What single precision leaves out of positions: empty, or one per position up to the last that needs it.
    pub rest: Vec<[f32; 3]>,
    /// Empty, or one per position up to the last one with a colour.
    pub colors: Vec<[f32; 3]>,
    /// The last of four numbers behind a position, of which `colors` has the others: empty, or one per position up to the
    /// last that has four; NaN where there is none.
    pub fourth: Vec<f32>,
    pub uvs: Vec<[f32; 2]>,
    pub normals: Vec<[f32; 3]>,
    pub corners: Corners,
    /// End of each face in `corners`.
    pub ends: Vec<u32>,
    pub changes: Vec<(Mark, Change)>,
    pub segments: Vec<[Loose; 2]>,
    pub points: Vec<Loose>,
    /// Corner and bit mask of its relative components.
    relative: Vec<(u32, u8)>,
    /// What tells the encoding of names.
    pub names: Names,
    /// Lines that could not be parsed.
    pub bad_lines: usize,
    /// Statements that are not read.
    pub lost: Losses<Loss>,
    /// Vertex colours in comments of ZBrush, in the order of the vertices.
    pub polypaint: Vec<[u8; 3]>,
}

/// The base of the file's positions, by the first of them.
pub fn base(bytes: &[u8], limits: &Limits) -> Result<[f64; 3]> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let line = lines::next(&mut rest, limits)?;
        let mut words = &line[..];
        if text::token(&mut words) != Some(b"v") {
            continue;
        }
        let mut next = || text::token(&mut words).and_then(text::parse_f64);
        if let (Some(x), Some(y), Some(z)) = (next(), next(), next()) {
            return Ok(origin::base_of([x, y, z]));
        }
    }
    Ok([0.0; 3])
}

/// Parses one chunk; fails only when a line is longer than the limit.
pub fn parse(bytes: &[u8], base: [f64; 3], limits: &Limits) -> Result<Chunk> {
    let mut chunk = Chunk {
        base,
        ..Chunk::default()
    };
    let mut rest = bytes;
    while !rest.is_empty() {
        let line = lines::next(&mut rest, limits)?;
        chunk.line(&line);
    }
    Ok(chunk)
}

impl Chunk {
    fn line(&mut self, line: &[u8]) {
        let mut rest = line;
        let Some(keyword) = text::token(&mut rest) else {
            return;
        };
        let read = match keyword {
            b"v" => self.position(rest),
            b"f" | b"fo" => self.face(rest),
            b"vt" => self.uv(rest),
            b"vn" => self.normal(rest),
            b"l" => self.polyline(rest),
            b"p" => self.points(rest),
            _ => {
                self.statement(keyword, rest);
                true
            }
        };
        if !read {
            self.bad_lines += 1;
        }
    }

    fn statement(&mut self, keyword: &[u8], rest: &[u8]) {
        // Of comments too.
        self.names.add(rest);
        let change = match keyword {
            b"o" => Change::Object(rest.to_vec()),
            b"g" => Change::Group(rest.to_vec()),
            b"usemtl" => Change::Material(rest.to_vec()),
            b"mtllib" => Change::Library(rest.to_vec()),
            b"s" => Change::Smoothing(smoothing(rest)),
            b"#MRGB" => return self.polypaint(rest),
            _ => return self.other(keyword, rest),
        };
        self.changes.push((self.mark(), change));
    }

    fn other(&mut self, keyword: &[u8], rest: &[u8]) {
        let keyword = String::from_utf8_lossy(keyword);
        let loss = match lost::fate(&STATEMENTS, &keyword) {
            None => Loss::Unknown,
            Some(Fate::Lost(Loss::TextureStatement)) if text::trim(rest) == b"off" => return,
            Some(Fate::Lost(loss)) => loss,
            Some(_) => return,
        };
        self.lost.add(loss, ("", "", 0), &keyword);
    }

    /// Eight hexadecimal digits per vertex: a mask, red, green and blue.
    fn polypaint(&mut self, rest: &[u8]) {
        for digits in text::trim(rest).as_chunks::<8>().0 {
            let value = std::str::from_utf8(digits).ok();
            let Some(value) = value.and_then(|d| u32::from_str_radix(d, 16).ok()) else {
                return;
            };
            let [_, r, g, b] = value.to_be_bytes();
            self.polypaint.push([r, g, b]);
        }
    }

    /// The current place.
    pub fn mark(&self) -> Mark {
        Mark {
            faces: self.ends.len(),
            segments: self.segments.len(),
            points: self.points.len(),
        }
    }

    fn position(&mut self, mut rest: &[u8]) -> bool {
        let mut next = || text::token(&mut rest).and_then(text::parse_f64);
        let (x, y, z) = (next(), next(), next());
        // An invalid line still counts, or every later index would shift.
        let (Some(x), Some(y), Some(z)) = (x, y, z) else {
            self.positions.push([f32::NAN; 3]);
            return false;
        };
        let (near, left_out) = origin::split([x, y, z], self.base);
        if origin::matters(near) {
            self.rest.resize(self.positions.len(), [0.0; 3]);
            self.rest.push(left_out);
        }
        self.positions.push(near);
        if rest.is_empty() {
            return true;
        }
        let mut more = [0.0; 4];
        let mut count = 0;
        while count < 4 {
            let Some(value) = text::number(&mut rest) else {
                break;
            };
            more[count] = value;
            count += 1;
        }
        // Three or four further numbers are a colour; a single one is the weight w.
        if count < 3 {
            return true;
        }
        let before = self.positions.len() - 1;
        self.colors.resize(before, [1.0; 3]);
        self.colors.push([more[0], more[1], more[2]]);
        if count == 4 {
            self.fourth.resize(before, f32::NAN);
            self.fourth.push(more[3]);
        }
        true
    }

    fn uv(&mut self, mut rest: &[u8]) -> bool {
        let u = text::number(&mut rest);
        let v = text::number(&mut rest);
        self.uvs.push([u.unwrap_or(0.0), v.unwrap_or(0.0)]);
        u.is_some()
    }

    fn normal(&mut self, mut rest: &[u8]) -> bool {
        let (x, y, z) = (
            text::number(&mut rest),
            text::number(&mut rest),
            text::number(&mut rest),
        );
        match (x, y, z) {
            (Some(x), Some(y), Some(z)) => {
                self.normals.push([x, y, z]);
                true
            }
            _ => {
                self.normals.push([0.0; 3]);
                false
            }
        }
    }

    fn face(&mut self, mut rest: &[u8]) -> bool {
        let start = self.corners.len();
        while let Some(token) = text::token(&mut rest) {
            if token[0] == b'#' {
                break;
            }
            if !self.corner(token) {
                self.drop_corners(start);
                return false;
            }
        }
        if self.corners.len() - start < 3 {
            self.drop_corners(start);
            return false;
        }
        self.ends.push(self.corners.len() as u32);
        true
    }

    fn drop_corners(&mut self, start: usize) {
        self.corners.truncate(start);
        while self
            .relative
            .last()
            .is_some_and(|(corner, _)| *corner as usize >= start)
        {
            self.relative.pop();
        }
    }

    fn corner(&mut self, mut token: &[u8]) -> bool {
        let counts = [self.positions.len(), self.uvs.len(), self.normals.len()];
        let mut corner = [NONE; 3];
        let mut mask = 0u8;
        for (component, value) in corner.iter_mut().enumerate() {
            let Some((index, size)) = leading_integer(token) else {
                return false;
            };
            token = &token[size..];
            match index {
                None if component == 0 => return false,
                None => {}
                Some(0) if component == 0 => return false,
                // Some exporters write 0 for "no texture coordinate".
                Some(0) => {}
                Some(index) if index > 0 => {
                    *value = u32::try_from(index - 1).unwrap_or(NONE - 1);
                }
                Some(index) => {
                    let local = counts[component] as i64 + index;
                    let Ok(local) = i32::try_from(local) else {
                        return false;
                    };
                    *value = local as u32;
                    mask |= 1 << component;
                }
            }
            match token {
                [] => break,
                [b'/', after @ ..] => token = after,
                _ => return false,
            }
        }
        if mask != 0 {
            self.relative.push((self.corners.len() as u32, mask));
        }
        self.corners.push(corner);
        true
    }

    fn loose(&self, token: &[u8]) -> Option<Loose> {
        let (index, _) = leading_integer(token)?;
        match index? {
            0 => None,
            index if index > 0 => Some(Loose {
                index: index - 1,
                relative: false,
            }),
            index => Some(Loose {
                index: self.positions.len() as i64 + index,
                relative: true,
            }),
        }
    }

    fn polyline(&mut self, mut rest: &[u8]) -> bool {
        let mut previous = None;
        let mut parts = 0;
        while let Some(token) = text::token(&mut rest).filter(|token| token[0] != b'#') {
            let Some(here) = self.loose(token) else {
                return false;
            };
            if let Some(previous) = previous {
                self.segments.push([previous, here]);
                parts += 1;
            }
            previous = Some(here);
        }
        parts > 0
    }

    fn points(&mut self, mut rest: &[u8]) -> bool {
        while let Some(token) = text::token(&mut rest).filter(|token| token[0] != b'#') {
            let Some(here) = self.loose(token) else {
                return false;
            };
            self.points.push(here);
        }
        true
    }

    /// Makes relative indices absolute; `before` counts positions, texture coordinates and normals of all earlier
    /// chunks. An index before the file's start becomes one that is out of range.
    pub fn settle(&mut self, before: [usize; 3]) {
        for &(corner, mask) in &self.relative {
            let values = self.corners.get(corner as usize);
            for component in 0..3 {
                if mask & 1 << component != 0 {
                    let local = i64::from(values[component] as i32);
                    let index = local + before[component] as i64;
                    let index = u32::try_from(index).unwrap_or(NONE - 1);
                    self.corners.set(corner as usize, component, index);
                }
            }
        }
        self.relative = Vec::new();
        let shift = before[0] as i64;
        let loose = self.segments.iter_mut().flatten().chain(&mut self.points);
        for end in loose.filter(|end| end.relative) {
            end.index += shift;
        }
    }
}

/// The integer at the front of `token` and its length in bytes. No digit at all is an absent index; too many digits are
/// invalid.
fn leading_integer(token: &[u8]) -> Option<(Option<i64>, usize)> {
    let sign = usize::from(matches!(token.first(), Some(b'-' | b'+')));
    let mut end = sign;
    let mut value: i64 = 0;
    while end < token.len() && token[end].is_ascii_digit() {
        if end - sign > 12 {
            return None;
        }
        value = value * 10 + i64::from(token[end] - b'0');
        end += 1;
    }
    if end == sign {
        return if sign == 0 { Some((None, 0)) } else { None };
    }
    Some((Some(if token[0] == b'-' { -value } else { value }), end))
}

fn smoothing(mut rest: &[u8]) -> u32 {
    match text::token(&mut rest) {
        Some(b"on") => 1,
        Some(token) => text::parse_i64(token)
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(0),
        None => 0,
    }
}

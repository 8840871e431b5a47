//! Statements of MTL.

use super::super::encoding::{self, Encoding};
use super::super::map::Map;
use super::super::names::unquoted;
use super::super::picture::Channel;
use super::super::text;
use super::lines;
use super::lost::{Fate, Loss, MATERIAL_STATEMENTS, fate};
use crate::limits::Limits;
use crate::scene::{CLAMP, REPEAT};
use crate::{Ctx, Result};
use std::collections::HashMap;

/// One `newmtl`.
#[derive(Debug, Default, PartialEq)]
pub struct Entry {
    pub kd: Option<[f32; 3]>,
    pub ke: Option<[f32; 3]>,
    pub ns: Option<f32>,
    pub d: Option<f32>,
    pub pr: Option<f32>,
    pub pm: Option<f32>,
    /// Clear coat, and its roughness.
    pub pc: Option<f32>,
    pub pcr: Option<f32>,
    pub maps: HashMap<&'static str, Map>,
    /// What is not read, with its name.
    pub lost: Vec<(Loss, String)>,
}

/// Most losses kept of a material.
const MOST_LOST: usize = 32;

/// Reads a library; the first definition of a name wins.
pub fn parse(bytes: &[u8], entries: &mut HashMap<String, Entry>, ctx: &Ctx) -> Result<()> {
    let decoded = encoding::text(bytes);
    let mut left = decoded.as_bytes();
    let mut name = String::new();
    let mut entry = Entry::default();
    while !left.is_empty() {
        let line = lines::next(&mut left, &ctx.limits)?;
        let mut rest = &line[..];
        let Some(keyword) = text::token(&mut rest) else {
            continue;
        };
        let keyword = String::from_utf8_lossy(keyword).to_ascii_lowercase();
        if keyword == "newmtl" {
            keep(entries, &name, entry);
            Limits::check("材质", entries.len() / 2, ctx.limits.materials)?;
            name = Encoding::UTF8.name(rest);
            entry = Entry::default();
        } else if entry.statement(&keyword, rest).is_none() {
            entry.lose(Loss::UnknownMaterial, &keyword);
        }
    }
    keep(entries, &name, entry);
    Ok(())
}

fn keep(entries: &mut HashMap<String, Entry>, name: &str, entry: Entry) {
    if name.is_empty() {
        return;
    }
    match entries.get_mut(name) {
        Some(first) if *first != entry => first.lose(Loss::Duplicate, name),
        Some(_) => {}
        None => {
            entries.insert(name.to_owned(), entry);
        }
    }
}

impl Entry {
    pub fn lose(&mut self, loss: Loss, what: &str) {
        let known = |(other, name): &(Loss, String)| *other == loss && name == what;
        if self.lost.len() < MOST_LOST && !self.lost.iter().any(known) {
            self.lost.push((loss, what.to_owned()));
        }
    }

    /// `None` for what is not MTL.
    fn statement(&mut self, keyword: &str, mut rest: &[u8]) -> Option<()> {
        match keyword {
            "kd" => self.kd = self.color(rest)?,
            "ke" => self.ke = self.color(rest)?,
            "ns" => self.ns = Some(finite(&mut rest)?),
            "d" => self.dissolve(rest)?,
            "tr" => {
                let clear = finite(&mut rest)?;
                self.d = self.d.or(Some(1.0 - clear));
            }
            "pr" => self.pr = Some(finite(&mut rest)?),
            "pm" => self.pm = Some(finite(&mut rest)?),
            "pc" => self.pc = Some(finite(&mut rest)?),
            "pcr" => self.pcr = Some(finite(&mut rest)?),
            "map_kd" => self.map("color", rest),
            "map_ka" => self.map("ambient", rest),
            "map_bump" | "bump" => self.map("bump", rest),
            "norm" | "map_kn" | "map_norm" => self.map("normal", rest),
            "map_d" | "map_tr" | "map_opacity" => self.map("opacity", rest),
            "map_ke" | "map_emissive" => self.map("emissive", rest),
            "map_pr" => self.map("roughness", rest),
            "map_pm" => self.map("metallic", rest),
            _ => match fate(&MATERIAL_STATEMENTS, keyword)? {
                Fate::Lost(loss) if shows(loss, rest) => self.lose(loss, keyword),
                _ => {}
            },
        }
        Some(())
    }

    /// `d 0.5`, or `d -halo 0.5`.
    fn dissolve(&mut self, mut rest: &[u8]) -> Option<()> {
        let mut after = rest;
        if text::token(&mut after)?.eq_ignore_ascii_case(b"-halo") {
            self.lose(Loss::Halo, "");
            rest = after;
        }
        self.d = Some(finite(&mut rest)?);
        Some(())
    }

    /// A colour; those that are not RGB are told.
    fn color(&mut self, rest: &[u8]) -> Option<Option<[f32; 3]>> {
        let mut words = rest;
        let word = text::token(&mut words)?.to_ascii_lowercase();
        if matches!(word.as_slice(), b"spectral" | b"xyz") {
            self.lose(Loss::Spectral, &String::from_utf8_lossy(&word));
            return Some(None);
        }
        color(rest).map(Some)
    }

    /// The first map of a kind wins.
    fn map(&mut self, slot: &'static str, rest: &[u8]) {
        // Exporters write statements without a name for no map.
        let Some(mut map) = map(rest) else { return };
        if matches!(slot, "color" | "ambient" | "emissive" | "normal") && map.channel.is_some() {
            map.channel = None;
            map.unapplied.push("-imfchan");
        }
        for option in std::mem::take(&mut map.unapplied) {
            self.lose(Loss::MapOption, option);
        }
        self.maps.entry(slot).or_insert(map);
    }
}

/// Whether a statement that is not read changes what is seen.
fn shows(loss: Loss, mut rest: &[u8]) -> bool {
    match loss {
        Loss::Highlight | Loss::OtherMaterial => {
            color(rest).is_some_and(|[r, g, b]| r.max(g).max(b) - r.min(g).min(b) > GREY)
        }
        Loss::Layer => finite(&mut rest).is_some_and(|v| v != 0.0),
        Loss::Map => map(rest).is_some(),
        _ => true,
    }
}

/// Components that differ by no more look grey.
const GREY: f32 = 0.02;

fn finite(rest: &mut &[u8]) -> Option<f32> {
    text::number(rest).filter(|value| value.is_finite())
}

/// `r g b`, or one number for all three.
fn color(mut rest: &[u8]) -> Option<[f32; 3]> {
    let r = finite(&mut rest)?;
    let g = finite(&mut rest).unwrap_or(r);
    let b = finite(&mut rest).unwrap_or(g);
    Some([r, g, b].map(|c| c.max(0.0)))
}

/// Options and a file name, which may contain spaces. By the specification options precede the name; exporters and
/// people write them after it too, and comments.
pub fn map(mut rest: &[u8]) -> Option<Map> {
    let mut map = Map::default();
    while let Some(after) = option(&mut map, rest) {
        rest = after;
    }
    let whole = Map {
        file: file(rest),
        ..map.clone()
    };
    for at in starts(rest).filter(|at| *at > 0) {
        let mut map = map.clone();
        let mut tail = &rest[at..];
        while let Some(after) = option(&mut map, tail) {
            tail = after;
        }
        let is_comment = text::trim(tail).starts_with(b"#");
        if is_comment || text::trim(tail).is_empty() {
            map.file = file(&rest[..at]);
            map.whole = Some(Box::new(whole));
            return Some(map).filter(|map| !map.file.is_empty());
        }
    }
    Some(whole).filter(|map| !map.file.is_empty())
}

/// The starts of words that may end a name: options and comments.
fn starts(rest: &[u8]) -> impl Iterator<Item = usize> {
    let is_start = |at: &usize| *at == 0 || text::is_blank(rest[at - 1]);
    (0..rest.len()).filter(move |at| is_start(at) && matches!(rest[*at], b'-' | b'#'))
}

fn file(name: &[u8]) -> String {
    unquoted(&Encoding::UTF8.name(name)).to_owned()
}

/// Takes an option with its arguments off the front; returns what follows, `None` if there is none.
fn option<'a>(map: &mut Map, mut rest: &'a [u8]) -> Option<&'a [u8]> {
    let word = text::token(&mut rest)?;
    match word.to_ascii_lowercase().as_slice() {
        b"-o" => map.offset = pair(&mut rest, 0.0),
        b"-s" => map.scale = pair(&mut rest, 1.0),
        b"-t" => {
            if pair(&mut rest, 0.0) != [0.0; 2] {
                map.unapplied.push("-t");
            }
        }
        b"-bm" => map.bump = finite(&mut rest).unwrap_or(1.0),
        b"-clamp" => {
            let on = text::token(&mut rest)?.eq_ignore_ascii_case(b"on");
            map.wrap = [if on { CLAMP } else { REPEAT }; 2];
        }
        b"-mm" => {
            let [base, gain] = [finite(&mut rest), finite(&mut rest)];
            if base.unwrap_or(0.0) != 0.0 || gain.unwrap_or(1.0) != 1.0 {
                map.unapplied.push("-mm");
            }
        }
        b"-cc" => {
            if text::token(&mut rest)?.eq_ignore_ascii_case(b"on") {
                map.unapplied.push("-cc");
            }
        }
        b"-imfchan" => match text::token(&mut rest)?.to_ascii_lowercase().as_slice() {
            b"r" => map.channel = Some(Channel::Component(0)),
            b"g" => map.channel = Some(Channel::Component(1)),
            b"b" => map.channel = Some(Channel::Component(2)),
            b"m" => map.channel = Some(Channel::Component(3)),
            b"l" => map.channel = Some(Channel::Brightness),
            _ => map.unapplied.push("-imfchan"),
        },
        // Filters, the size in memory, and the shape of a reflection map.
        b"-blendu" | b"-blendv" | b"-boost" | b"-texres" | b"-type" => {
            text::token(&mut rest);
        }
        _ => return None,
    }
    Some(rest)
}

/// Two of up to three numbers; the third is for solid textures.
fn pair(rest: &mut &[u8], default: f32) -> [f32; 2] {
    let mut values = [default; 3];
    for value in &mut values {
        let mut after = *rest;
        let Some(number) = finite(&mut after) else {
            break;
        };
        *value = number;
        *rest = after;
    }
    [values[0], values[1]]
}

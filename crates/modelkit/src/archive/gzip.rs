//! Single files packed with gzip, as CAD programs and web servers keep them: one layer is unpacked before reading.

use super::allowance::Allowance;
use super::content::{Content, Spool};
use super::entry::entry_broken;
use crate::Result;
use crate::limits::Limits;
use crate::read::{Format, extension};
use flate2::read::MultiGzDecoder;

/// Whether bytes are gzip's (RFC 1952: signature and deflate).
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1f\x8b\x08")
}

/// What the file at `name` holds.
pub fn unpack(bytes: &[u8], name: &str, limits: &Limits) -> Result<Content> {
    let mut spool = Spool::default();
    let mut allowance = Allowance::new(bytes.len(), limits);
    allowance.unpack_unsized(name, &mut MultiGzDecoder::new(bytes), &mut spool)?;
    match spool.length() {
        0 => Err(entry_broken(name)),
        _ => spool.finish(),
    }
}

/// The name of what is inside: `a.stp` of `a.stp.gz` and of `a.stpz`; other names stay.
pub fn name_inside(name: &str) -> String {
    let ext = extension(name);
    let without = |end: &str| {
        let cut = name.len().checked_sub(end.len())?;
        let tail = name.get(cut..)?;
        tail.eq_ignore_ascii_case(end).then(|| name.get(..cut))?
    };
    let inner = match ext.strip_suffix('z') {
        Some("g") => without(".gz"),
        Some(known) if Format::of_extension(known).is_some() => without("z"),
        _ => None,
    };
    inner.unwrap_or(name).to_owned()
}

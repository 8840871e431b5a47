//! Facts that several programs state: the formats (`formats.json`), the limits of uploads (`uploads.toml`) and
//! the figures of the score (`score.json`). The engine,
//! the services and the frontend's build read them here, so that no two of them can differ. No I/O.

mod formats;
mod score;
mod uploads;

pub use formats::{
    Family, FamilyRow, Format, Reads, Refused, Row, families, refused, rows, titles,
};
pub use score::{Score, score};
pub use uploads::{MB, UPLOADS, Uploads};

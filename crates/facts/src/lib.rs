//! Facts that several programs state: the formats (`formats.json`), the limits of uploads (`uploads.toml`),
//! the labels of models, the figures of the score (`score.json`) and the studio of models' pictures (`studio.json`). The engine, the services and
//! the frontend's build read them here, so that no two of them can differ. No I/O.

mod formats;
pub mod labels;
mod score;
mod studio;
mod uploads;

pub use formats::{
    Family, FamilyRow, Format, Reads, Refused, Row, families, refused, rows, titles,
};
pub use score::{Score, score};
pub use studio::{Exposure, Room, Studio, StudioLamp, StudioView, studio};
pub use uploads::{MB, UPLOADS, Uploads};

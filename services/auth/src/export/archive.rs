//! The archive itself: a ZIP on disk that grows page by page, so that its size costs no memory.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};

use chassis::console::cell;
use proto::common::v1::{ExportField, ExportPage};
use serde_json::{Map, Value};
use tempfile::NamedTempFile;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::page::{self, Listed};

/// The spreadsheet of an area while its JSON is written: a ZIP takes one file at a time.
struct Sheet {
    service: String,
    area: String,
    title: String,
    fields: Vec<ExportField>,
    rows: u64,
    cells: BufWriter<File>,
}

pub struct Archive {
    zip: ZipWriter<BufWriter<NamedTempFile>>,
    open: Option<Sheet>,
    listed: Vec<Listed>,
    /// Bytes of objects so far.
    objects: u64,
    left_out: Vec<String>,
}

/// Limits of one object, and of all of them: larger ones are listed instead of packed.
pub const MOST_OBJECT: u64 = 8 * 1024 * 1024;
const MOST_OBJECTS: u64 = 24 * 1024 * 1024;

impl Archive {
    pub fn begin() -> anyhow::Result<Self> {
        Ok(Self {
            zip: ZipWriter::new(BufWriter::new(NamedTempFile::new()?)),
            open: None,
            listed: Vec::new(),
            objects: 0,
            left_out: Vec::new(),
        })
    }

    /// Adds a page of a service; pages of an area follow each other.
    pub fn add(&mut self, service: &str, page: &ExportPage) -> anyhow::Result<()> {
        let same = |sheet: &Sheet| sheet.service == service && sheet.area == page.area;
        if !self.open.as_ref().is_some_and(same) {
            self.close_area()?;
            if page.area.is_empty() {
                return Ok(());
            }
            self.open_area(service, page)?;
        }
        let Some(sheet) = &mut self.open else {
            return Ok(());
        };
        for row in &page.rows {
            if sheet.rows == 0 {
                let name = format!("{}/{}.json", sheet.service, sheet.area);
                self.zip.start_file(name, deflated())?;
            }
            let lead = if sheet.rows == 0 { "[\n" } else { ",\n" };
            self.zip.write_all(lead.as_bytes())?;
            self.zip.write_all(row.as_bytes())?;
            let members: Map<String, Value> = serde_json::from_str(row)?;
            let cells = sheet
                .fields
                .iter()
                .map(|field| text_of(members.get(&field.name)));
            let cells = cells.collect::<Vec<_>>().join(",");
            sheet.cells.write_all(cells.as_bytes())?;
            sheet.cells.write_all(b"\r\n")?;
            sheet.rows += 1;
        }
        Ok(())
    }

    fn open_area(&mut self, service: &str, page: &ExportPage) -> anyhow::Result<()> {
        let headings = page.fields.iter().map(|field| cell(&field.label));
        let headings = headings.collect::<Vec<_>>().join(",");
        let mut cells = BufWriter::new(tempfile::tempfile()?);
        // Spreadsheets assume another encoding without this mark.
        write!(cells, "\u{feff}{headings}\r\n")?;
        self.open = Some(Sheet {
            service: service.to_owned(),
            area: page.area.clone(),
            title: page.title.clone(),
            fields: page.fields.clone(),
            rows: 0,
            cells,
        });
        Ok(())
    }

    fn close_area(&mut self) -> anyhow::Result<()> {
        let Some(mut sheet) = self.open.take() else {
            return Ok(());
        };
        let name = format!("{}/{}", sheet.service, sheet.area);
        if sheet.rows > 0 {
            self.zip.write_all(b"\n]\n")?;
            sheet.cells.flush()?;
            let cells = sheet.cells.get_mut();
            cells.seek(SeekFrom::Start(0))?;
            self.zip.start_file(format!("{name}.csv"), deflated())?;
            std::io::copy(cells, &mut self.zip)?;
        }
        self.listed.push(Listed {
            service: sheet.service,
            name,
            title: sheet.title,
            rows: sheet.rows,
        });
        Ok(())
    }

    /// Whether an object of this size is packed; otherwise it is listed.
    pub fn has_room(&mut self, path: &str, bytes: u64) -> bool {
        let fits = bytes <= MOST_OBJECT && self.objects + bytes <= MOST_OBJECTS;
        if !fits {
            self.left_out.push(path.to_owned());
        }
        fits
    }

    pub fn add_object(&mut self, path: &str, content: &[u8]) -> anyhow::Result<()> {
        self.close_area()?;
        self.objects += content.len() as u64;
        // Pictures and archives are compressed already.
        let stored = deflated().compression_method(zip::CompressionMethod::Stored);
        self.zip.start_file(path, stored)?;
        Ok(self.zip.write_all(content)?)
    }

    /// Writes the index of the files, and returns the archive with its size.
    pub fn finish(mut self, made_at: i64) -> anyhow::Result<(NamedTempFile, u64)> {
        self.close_area()?;
        let text = page::index(&self.listed, &self.left_out, made_at);
        self.zip.start_file("index.html", deflated())?;
        self.zip.write_all(text.as_bytes())?;
        let file = self.zip.finish()?.into_inner()?;
        let bytes = file.as_file().metadata()?.len();
        Ok((file, bytes))
    }
}

fn deflated() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated)
}

/// A cell of a spreadsheet. Numbers are ours and stay numbers.
fn text_of(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Bool(true)) => "是".to_owned(),
        Some(Value::Bool(false)) => "否".to_owned(),
        Some(Value::String(text)) => cell(text),
        Some(other) => cell(&other.to_string()),
    }
}

//! Georeferencing.
//! Coordinates of a file are relative to an origin in a spatial reference system; tiles use local frames (east, north,
//! up at a point, metres) whose matrices lead to Earth-centred, Earth-fixed coordinates (WGS 84).

use crate::scene::math::{self, Mat4};
use crate::{Error, Result};
use proj4rs::Proj;
use proj4rs::transform::transform;

/// Semi-major axis and flattening of WGS 84.
const A: f64 = 6_378_137.0;
const F: f64 = 1.0 / 298.257_223_563;
const E2: f64 = F * (2.0 - F);

/// A tile's frame is treated as linear while no point deviates by more than this, metres.
const MOST_DEVIATION: f64 = 0.002;

/// Longitude and latitude in radians, height above the ellipsoid in metres.
pub fn ecef([longitude, latitude, height]: [f64; 3]) -> [f64; 3] {
    let (sin, cos) = latitude.sin_cos();
    let n = A / (1.0 - E2 * sin * sin).sqrt();
    [
        (n + height) * cos * longitude.cos(),
        (n + height) * cos * longitude.sin(),
        (n * (1.0 - E2) + height) * sin,
    ]
}

/// The inverse of [`ecef`].
pub fn geodetic([x, y, z]: [f64; 3]) -> [f64; 3] {
    let p = x.hypot(y);
    let mut latitude = z.atan2(p * (1.0 - E2));
    let mut height = 0.0;
    // Converges to below a millimetre within four rounds anywhere near the surface.
    for _ in 0..8 {
        let (sin, cos) = latitude.sin_cos();
        let n = A / (1.0 - E2 * sin * sin).sqrt();
        height = p * cos + z * sin - A * A / n;
        latitude = z.atan2(p * (1.0 - E2 * n / (n + height)));
    }
    [y.atan2(x), latitude, height]
}

/// Matrix from east, north, up at an Earth-centred point to Earth-centred coordinates.
pub fn east_north_up(at: [f64; 3]) -> Mat4 {
    let [longitude, latitude, _] = geodetic(at);
    let ((sin_lon, cos_lon), (sin_lat, cos_lat)) = (longitude.sin_cos(), latitude.sin_cos());
    [
        -sin_lon,
        cos_lon,
        0.0,
        0.0,
        -sin_lat * cos_lon,
        -sin_lat * sin_lon,
        cos_lat,
        0.0,
        cos_lat * cos_lon,
        cos_lat * sin_lon,
        sin_lat,
        0.0,
        at[0],
        at[1],
        at[2],
        1.0,
    ]
}

pub enum System {
    /// Metres without a known place on Earth.
    Unplaced,
    /// East, north, up at a point.
    Local(Mat4),
    /// A map projection: source and geographic systems, and metres per unit.
    Projected(Box<(Proj, Proj, f64)>),
    /// Already Earth-centred.
    Geocentric,
}

/// A reference system and the origin that coordinates are relative to.
pub struct Georeference {
    system: System,
    origin: [f64; 3],
    /// As in the metadata; of WKT its name.
    pub name: String,
    /// Heights refer to something other than the ellipsoid, and are used unchanged.
    pub height_datum_ignored: bool,
    /// The system's unit is the degree: the origin is in degrees, and the files' coordinates are metres east, north and
    /// up of it.
    pub in_degrees: bool,
}

/// A coordinate system's name: the first quoted text of WKT, else the text itself, shortened.
pub fn title(srs: &str) -> String {
    let quoted = || {
        let (head, rest) = srs.split_once('"')?;
        let (name, _) = rest.split_once('"')?;
        head.trim_end().ends_with(['[', '(']).then_some(name)
    };
    let name = quoted().unwrap_or(srs);
    let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = name.chars().take(NAME).collect();
    match short.len() < name.len() {
        true => format!("{short}…"),
        false => short,
    }
}

/// Most characters of a coordinate system's name.
pub const NAME: usize = 80;

/// A name by OGC's scheme, `urn:ogc:def:crs:EPSG:version:code`, as `EPSG:code`.
fn of_urn(srs: &str) -> Option<String> {
    let parts: Vec<&str> = srs.split(':').map(str::trim).collect();
    match parts[..] {
        [urn, ogc, def, crs, authority, _, code]
            if [urn, ogc, def, crs, authority]
                .iter()
                .zip(["urn", "ogc", "def", "crs", "EPSG"])
                .all(|(part, known)| part.eq_ignore_ascii_case(known)) =>
        {
            Some(format!("EPSG:{code}"))
        }
        _ => None,
    }
}

impl Georeference {
    pub fn unplaced() -> Georeference {
        Georeference {
            system: System::Unplaced,
            origin: [0.0; 3],
            name: String::new(),
            height_datum_ignored: false,
            in_degrees: false,
        }
    }

    /// A tangent plane at a latitude and longitude in degrees and a height in metres.
    pub fn local(latitude: f64, longitude: f64, height: f64) -> Result<Georeference> {
        if !(latitude.abs() <= 90.0 && longitude.abs() <= 360.0 && height.is_finite()) {
            return Err(Error::corrupt(format!(
                "坐标原点的纬度、经度 {latitude},{longitude} 超出范围"
            )));
        }
        let at = ecef([longitude.to_radians(), latitude.to_radians(), height]);
        Ok(Georeference {
            system: System::Local(east_north_up(at)),
            origin: [0.0; 3],
            name: format!("ENU:{latitude},{longitude}"),
            height_datum_ignored: false,
            in_degrees: false,
        })
    }

    /// Parses `EPSG:n`, `EPSG:n+m`, also as `urn:ogc:def:crs:EPSG::n`, `ENU:lat,lon`, WKT and PROJ strings.
    pub fn parse(srs: &str, origin: [f64; 3]) -> Result<Georeference> {
        let urn = of_urn(srs.trim());
        let srs = urn.as_deref().unwrap_or(srs.trim());
        let name = title(srs);
        let unknown = || Error::unsupported(format!("无法识别坐标系 {name}"));
        if origin.iter().any(|v| !v.is_finite()) {
            return Err(Error::corrupt("坐标原点不是有效的数字"));
        }
        let upper = srs.to_uppercase();
        let mut out = if let Some(place) = upper.strip_prefix("ENU:") {
            let numbers: Vec<f64> = place
                .split(',')
                .filter_map(|v| v.trim().parse().ok())
                .collect();
            match numbers[..] {
                [latitude, longitude] => Georeference::local(latitude, longitude, 0.0)?,
                [latitude, longitude, height] => Georeference::local(latitude, longitude, height)?,
                _ => return Err(unknown()),
            }
        } else {
            let (text, ignored) = if let Some(codes) = upper.strip_prefix("EPSG:") {
                let horizontal = codes.split('+').next().unwrap_or("").trim();
                let code: u16 = horizontal.parse().map_err(|_| unknown())?;
                let found = crs_definitions::from_code(code).ok_or_else(unknown)?;
                (found.proj4.to_owned(), codes.contains('+'))
            } else if srs.starts_with('+') {
                (srs.to_owned(), srs.contains("geoidgrids"))
            } else {
                let text = proj4wkt::wkt_to_projstring(srs).map_err(|_| unknown())?;
                (text, upper.contains("VERT_CS") || upper.contains("VERTCRS"))
            };
            let system = projected(&text).ok_or_else(unknown)?;
            let in_degrees = system.is_none();
            Georeference {
                system: match system {
                    Some(system) => system,
                    None => at_degrees(origin)?,
                },
                origin: [0.0; 3],
                name,
                height_datum_ignored: ignored,
                in_degrees,
            }
        };
        if !out.in_degrees {
            out.origin = origin;
        }
        // A place that cannot be computed should fail here rather than at some tile.
        out.ecef([0.0; 3])?;
        Ok(out)
    }

    /// Whether the zero of its coordinates is far from wherever a model may be: the equator, or the Earth's centre.
    pub fn needs_origin(&self) -> bool {
        matches!(self.system, System::Projected(_) | System::Geocentric)
    }

    pub fn is_placed(&self) -> bool {
        !matches!(self.system, System::Unplaced)
    }

    /// Earth-centred coordinates of a point in the files.
    pub fn ecef(&self, p: [f64; 3]) -> Result<[f64; 3]> {
        let [x, y, z] = std::array::from_fn(|k| p[k] + self.origin[k]);
        let out = match &self.system {
            System::Unplaced | System::Geocentric => [x, y, z],
            System::Local(m) => {
                std::array::from_fn(|r| m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r])
            }
            System::Projected(systems) => {
                let (from, to, metres) = systems.as_ref();
                let mut point = (x, y, z * metres);
                transform(from, to, &mut point).map_err(|_| off_map())?;
                ecef([point.0, point.1, point.2])
            }
        };
        match out.iter().all(|v| v.is_finite()) {
            true => Ok(out),
            false => Err(off_map()),
        }
    }
}

fn off_map() -> Error {
    Error::corrupt("坐标超出坐标系的适用范围，请检查 metadata.xml 的 SRS 和 SRSOrigin")
}

/// The tangent plane at an origin in degrees. Longitude comes first, as exporters of such deliveries write it; if only
/// the other order is valid, that is used.
fn at_degrees([first, second, height]: [f64; 3]) -> Result<System> {
    let (longitude, latitude) = match second.abs() > 90.0 {
        true => (second, first),
        false => (first, second),
    };
    if longitude == 0.0 && latitude == 0.0 {
        return Err(Error::unsupported(
            "坐标系以经纬度为单位，却没有坐标原点（SRSOrigin）；请以投影坐标系或 ENU 重新导出",
        ));
    }
    Ok(Georeference::local(latitude, longitude, height)?.system)
}

/// `None` for text that is not a projection; `Some(None)` for systems in degrees.
fn projected(text: &str) -> Option<Option<System>> {
    if text.contains("+proj=geocent") {
        return Some(Some(System::Geocentric));
    }
    let from = Proj::from_proj_string(text).ok()?;
    if from.is_latlong() {
        return Some(None);
    }
    let to = Proj::from_proj_string("+proj=longlat +datum=WGS84 +no_defs").ok()?;
    let metres = from.to_meter();
    Some(Some(System::Projected(Box::new((from, to, metres)))))
}

/// A local frame: metres, Z up, with x east and y north for a georeferenced model.
pub struct Frame<'g> {
    /// To Earth-centred coordinates, or to the files' own if there is no georeference.
    pub matrix: Mat4,
    georeference: &'g Georeference,
    center: [f64; 3],
    /// Columns: the step that each of the files' axes corresponds to.
    steps: [[f64; 3]; 3],
    /// Too large to be treated as linear.
    curved: bool,
}

impl<'g> Frame<'g> {
    /// Frame at `center`, for points up to `reach` away (in the files' coordinates).
    pub fn new(georeference: &'g Georeference, center: [f64; 3], reach: f64) -> Result<Frame<'g>> {
        let at = georeference.ecef(center)?;
        let matrix = match georeference.is_placed() {
            true => east_north_up(at),
            false => moved(at),
        };
        let mut frame = Frame {
            matrix,
            georeference,
            center,
            steps: [[0.0; 3]; 3],
            curved: false,
        };
        for axis in 0..3 {
            let step = |by: f64| {
                let mut p = center;
                p[axis] += by;
                frame.exact(p)
            };
            // Ten metres: far above the rounding of ECEF coordinates, far below the curvature.
            let (ahead, back) = (step(10.0)?, step(-10.0)?);
            frame.steps[axis] = std::array::from_fn(|k| (ahead[k] - back[k]) / 20.0);
        }
        if matches!(georeference.system, System::Projected(_)) {
            let mut worst = 0.0f64;
            for (x, y) in [
                (-reach, -reach),
                (reach, -reach),
                (-reach, reach),
                (reach, reach),
            ] {
                let p = [center[0] + x, center[1] + y, center[2]];
                let (linear, exact) = (frame.linear(p), frame.exact(p)?);
                let off = math::sub(linear, exact);
                worst = worst.max(math::dot(off, off).sqrt());
            }
            frame.curved = worst > MOST_DEVIATION;
        }
        Ok(frame)
    }

    fn linear(&self, p: [f64; 3]) -> [f64; 3] {
        let d = math::sub(p, self.center);
        let s = &self.steps;
        std::array::from_fn(|k| s[0][k] * d[0] + s[1][k] * d[1] + s[2][k] * d[2])
    }

    fn exact(&self, p: [f64; 3]) -> Result<[f64; 3]> {
        let m = &self.matrix;
        let d = math::sub(self.georeference.ecef(p)?, [m[12], m[13], m[14]]);
        // The matrix is a rotation: its transpose is the inverse.
        Ok(std::array::from_fn(|k| {
            math::dot(d, [m[k * 4], m[k * 4 + 1], m[k * 4 + 2]])
        }))
    }

    /// A point of the files in this frame; non-finite if the projection fails.
    pub fn place(&self, p: [f64; 3]) -> [f64; 3] {
        match self.curved {
            true => self.exact(p).unwrap_or([f64::NAN; 3]),
            false => self.linear(p),
        }
    }

    /// A direction of the files in this frame, normalised.
    pub fn turn(&self, d: [f32; 3]) -> [f32; 3] {
        let d = d.map(f64::from);
        let s = &self.steps;
        let out = std::array::from_fn(|k| s[0][k] * d[0] + s[1][k] * d[1] + s[2][k] * d[2]);
        math::normalize(out)
            .unwrap_or([0.0, 0.0, 1.0])
            .map(|v| v as f32)
    }
}

/// Matrix of a translation.
pub fn moved(by: [f64; 3]) -> Mat4 {
    let mut matrix = math::IDENTITY;
    matrix[12..15].copy_from_slice(&by);
    matrix
}

/// Inverse of a rotation with translation, in full precision.
pub fn inverse_rigid(m: &Mat4) -> Mat4 {
    let mut out = math::IDENTITY;
    for row in 0..3 {
        for column in 0..3 {
            out[column * 4 + row] = m[row * 4 + column];
        }
        let axis = [m[row * 4], m[row * 4 + 1], m[row * 4 + 2]];
        out[12 + row] = -math::dot(axis, [m[12], m[13], m[14]]);
    }
    out
}

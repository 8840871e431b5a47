//! A person's picture at a provider: fetched only from the provider's hosts and encoded anew, so that neither the file nor its
//! address is passed on.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::Uri;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use outbound::{Bounds, Http, Reach};

/// Longest wait; the sign-in waits with it.
const WAIT: Duration = Duration::from_secs(3);
/// Largest file.
const MAX_FILE: usize = 2 * 1024 * 1024;
const LIMITS: picturescan::Limits = picturescan::Limits {
    bytes: MAX_FILE as u64,
    side: MAX_SIDE,
    pixels: 4_000_000,
    frames: 100,
};
/// Largest side in pixels.
pub const MAX_SIDE: u32 = 2048;
/// Side of the stored picture.
pub const SIDE: u32 = 96;
const QUALITY: u8 = 82;
const JPEG: &str = "data:image/jpeg;base64,";
/// Longest data URI.
const MAX_URI: usize = 16 * 1024;

/// Fetches pictures.
#[derive(Clone)]
pub struct Pictures {
    public: Http,
    /// For hosts that are configured as an address with its port: a provider simulated on this machine.
    stated: Http,
}

impl Pictures {
    pub fn open() -> anyhow::Result<Self> {
        let bounds = |reach| Bounds {
            wait: WAIT,
            most: MAX_FILE,
            reach,
        };
        Ok(Self {
            public: Http::open(true, bounds(Reach::Public))?,
            stated: Http::open(false, bounds(Reach::Any))?,
        })
    }

    /// The picture as a data URI; empty when there is no usable one.
    pub async fn of(&self, address: &str, hosts: &[String]) -> String {
        if address.is_empty() {
            return String::new();
        }
        match self.fetch(address, hosts).await {
            Ok(uri) => uri,
            Err(error) => {
                tracing::info!(%error, "picture of a third party left out");
                String::new()
            }
        }
    }

    async fn fetch(&self, address: &str, hosts: &[String]) -> anyhow::Result<String> {
        let (client, address) = match allowed(address, hosts) {
            Some(Source::Public(address)) => (&self.public, address),
            Some(Source::Stated(address)) => (&self.stated, address),
            None => anyhow::bail!("not on a host of the provider"),
        };
        let answer = client.get(address).await?;
        anyhow::ensure!(answer.status == 200, "status {}", answer.status);
        tokio::task::spawn_blocking(move || made_anew(&answer.body)).await?
    }
}

#[derive(Debug)]
pub enum Source {
    /// A host name of the provider, fetched over TLS.
    Public(Uri),
    /// An address that the operator configured.
    Stated(Uri),
}

pub fn allowed(address: &str, hosts: &[String]) -> Option<Source> {
    let uri: Uri = address.parse().ok()?;
    let authority = uri.authority()?.as_str();
    if !matches!(uri.scheme_str(), Some("http" | "https"))
        || !hosts.iter().any(|host| host == authority)
    {
        return None;
    }
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    if uri.port().is_some() {
        return Some(Source::Stated(uri.clone()));
    }
    // Providers still name http addresses; their hosts all serve TLS.
    let secure = format!("https://{authority}{path}").parse().ok()?;
    Some(Source::Public(secure))
}

pub fn made_anew(file: &[u8]) -> anyhow::Result<String> {
    let clean = picturescan::clean(file, &LIMITS)?;
    // A code is a link, not a portrait.
    anyhow::ensure!(
        clean.codes.texts.is_empty() && !clean.codes.unreadable,
        "a code in the picture"
    );
    let picture = image::load_from_memory(&clean.bytes)?;
    let small = picture.resize_to_fill(SIDE, SIDE, FilterType::Triangle);
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
    small.to_rgb8().write_with_encoder(encoder)?;
    let uri = format!("{JPEG}{}", STANDARD.encode(bytes));
    anyhow::ensure!(uri.len() <= MAX_URI, "too large");
    Ok(uri)
}

/// The bytes of a picture that [`Pictures::of`] has made.
pub fn bytes_of(uri: &str) -> Vec<u8> {
    let inner = uri.strip_prefix(JPEG).unwrap_or_default();
    STANDARD.decode(inner).unwrap_or_default()
}

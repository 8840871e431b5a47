//! A provider's picture of somebody: fetched from its own hosts alone, and made anew, so that neither the file nor its address
//! reaches anybody.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::Uri;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use outbound::{Bounds, Http, Reach};

/// Longest wait; whoever signs in waits with it.
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
const MAX_SIDE: u32 = 2048;
/// Side of what is kept.
const SIDE: u32 = 96;
const QUALITY: u8 = 82;
const JPEG: &str = "data:image/jpeg;base64,";
/// Longest data URI.
const MAX_URI: usize = 16 * 1024;

/// Fetches pictures.
#[derive(Clone)]
pub struct Pictures {
    public: Http,
    /// For hosts that are configured as an address with its port: a provider played on this machine.
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

    /// The picture as a data URI; empty when there is none that can be used.
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
enum Source {
    /// A name of the provider's, fetched over TLS.
    Public(Uri),
    /// An address that the operator wrote down.
    Stated(Uri),
}

fn allowed(address: &str, hosts: &[String]) -> Option<Source> {
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

fn made_anew(file: &[u8]) -> anyhow::Result<String> {
    let clean = picturescan::clean(file, &LIMITS)?;
    // A code leads somewhere: nobody's portrait.
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

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::ImageFormat;

    use super::*;

    #[test]
    fn only_hosts_of_the_provider_are_asked() {
        let hosts = ["thirdwx.qlogo.cn".to_owned(), "127.0.0.1:7190".to_owned()];
        let source = allowed("http://thirdwx.qlogo.cn/mmopen/vi_32/a/132?x=1", &hosts);
        let Some(Source::Public(address)) = source else {
            panic!("{source:?}")
        };
        assert_eq!(address, "https://thirdwx.qlogo.cn/mmopen/vi_32/a/132?x=1");
        assert!(matches!(
            allowed("http://127.0.0.1:7190/p.png", &hosts),
            Some(Source::Stated(_))
        ));
        for other in [
            "http://127.0.0.1:7191/p.png",
            "http://127.0.0.1/p.png",
            "http://thirdwx.qlogo.cn@127.0.0.1/",
            "http://thirdwx.qlogo.cn:8080/",
            "http://thirdwx.qlogo.cn.evil.cn/",
            "http://2130706433/",
            "file:///etc/passwd",
            "//thirdwx.qlogo.cn/a",
            "",
        ] {
            assert!(allowed(other, &hosts).is_none(), "{other}");
        }
    }

    #[test]
    fn a_picture_is_made_anew_and_small() {
        let mut file = Vec::new();
        image::RgbImage::from_fn(640, 300, |x, y| image::Rgb([x as u8, y as u8, 7]))
            .write_to(&mut Cursor::new(&mut file), ImageFormat::Png)
            .unwrap();
        let uri = made_anew(&file).unwrap();
        let inner = STANDARD
            .decode(uri.strip_prefix("data:image/jpeg;base64,").unwrap())
            .unwrap();
        let made = image::load_from_memory(&inner).unwrap();
        assert_eq!((made.width(), made.height()), (SIDE, SIDE));
        let mut large = Vec::new();
        image::GrayImage::new(MAX_SIDE + 1, 1)
            .write_to(&mut Cursor::new(&mut large), ImageFormat::Png)
            .unwrap();
        for bad in [
            &b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..],
            b"GIF89a",
            b"",
            &file[..90],
            &large,
        ] {
            assert!(made_anew(bad).is_err());
        }
    }
}

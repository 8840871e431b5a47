//! Safety of pictures and texts.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use chassis::db::begin_write;
use chassis::testing::shapes;
use image::{DynamicImage, ImageFormat, Luma, Rgb, RgbImage};
use proto::code;
use proto::personal::v1::picture_api_client::PictureApiClient;
use proto::personal::v1::{ImageScanRequest, TextScanRequest};
use tonic::transport::Channel;
use tonic::{Code, Status};
use xl_personal::review::Decision;
use xl_personal::{NewWord, Personal};

use crate::{Running, code_of, message_of, op};

/// Large random blocks from a seed, so that the pictures do not look alike.
pub fn picture(seed: u64) -> DynamicImage {
    let level = |x: u32, y: u32| {
        let mut mixed = u64::from(x / 24) << 32 | u64::from(y / 24) << 16 | (seed + 1);
        for _ in 0..3 {
            mixed = (mixed ^ (mixed >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        (mixed >> 56) as u8
    };
    RgbImage::from_fn(192, 192, |x, y| Rgb([level(x, y), level(x, y), 90])).into()
}

pub fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).expect("encodes");
    bytes.into_inner()
}

pub fn qr(text: &str) -> DynamicImage {
    let code = qrcode::QrCode::new(text).expect("fits");
    let (width, colours) = (code.width() as u32, code.to_colors());
    let side = (width + 8) * 6;
    let dark = |x: u32, y: u32| {
        let inside = |at: u32| (at / 6).checked_sub(4).filter(|at| *at < width);
        let (Some(x), Some(y)) = (inside(x), inside(y)) else {
            return false;
        };
        colours[(y * width + x) as usize] == qrcode::Color::Dark
    };
    image::GrayImage::from_fn(side, side, |x, y| Luma([if dark(x, y) { 0 } else { 255 }])).into()
}

impl Running {
    fn pictures(&self) -> PictureApiClient<Channel> {
        PictureApiClient::new(self.channel())
    }

    /// Stores an object and returns the address a page sends for it.
    pub async fn store(&self, key: &str, bytes: Vec<u8>) -> String {
        let objects = &self.test.parts.objects;
        let put = objects
            .put_bytes(key, Bytes::from(bytes), "image/png")
            .await;
        put.expect("stored");
        format!("{}/{key}", objects.bucket())
    }

    pub async fn scan(&self, user: &str, img_url: &str) -> Result<(), Status> {
        let request = ImageScanRequest {
            user_id: user.to_owned(),
            img_url: img_url.to_owned(),
        };
        let answer = self
            .pictures()
            .image_sync_scan(self.by(user, request))
            .await;
        answer.map(|_| ())
    }

    async fn scan_text(&self, text: &str) -> Result<(), Status> {
        let request = TextScanRequest {
            content: text.to_owned(),
            ..Default::default()
        };
        let answer = self
            .content()
            .text_antispam_scan(self.by("u1", request))
            .await;
        answer.map(|_| ())
    }

    /// A second handle on the same tables, like another replica.
    pub async fn replica(&self) -> Personal {
        let context = self.test.parts.context(xl_personal::NAME).await;
        Personal::new(context.expect("context")).expect("parts")
    }
}

fn refusal(answer: Result<(), Status>) -> (i32, String) {
    let status = answer.expect_err("refused");
    (code_of(&status), message_of(&status))
}

/// SF010, SF011: the scan of a picture; UP029, UP030, UP031 on the server.
#[tokio::test]
async fn pictures_are_judged_by_what_they_are_and_show() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let good = running
            .store("u/u1/a.png", encoded(&picture(1), ImageFormat::Png))
            .await;
        running.scan("u1", &good).await.expect("a harmless picture");
        let server = running.test.parts.objects.public_address().to_owned();
        running
            .scan("u1", &format!("{server}/{good}?X-Amz-Signature=0"))
            .await
            .expect("the same by its address");

        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec();
        let svg = running.store("u/u1/logo.png", svg).await;
        let (number, message) = refusal(running.scan("u1", &svg).await);
        assert_eq!(number, code::IMAGE_REFUSED);
        assert_eq!(
            message,
            "图片格式不正确！仅支持jpg,jpeg,png,JPEG,BMP,GIF,WEBP文件"
        );
        let polyglot = [
            encoded(&picture(1), ImageFormat::Png),
            b"PK\x03\x04".to_vec(),
        ]
        .concat();
        let polyglot = running.store("u/u1/both.png", polyglot).await;
        assert_eq!(
            refusal(running.scan("u1", &polyglot).await).0,
            code::IMAGE_REFUSED
        );
        let large = running
            .store("u/u1/large.png", vec![0; 51 * 1024 * 1024])
            .await;
        let (number, message) = refusal(running.scan("u1", &large).await);
        assert_eq!(
            (number, message.as_str()),
            (code::IMAGE_REFUSED, "单个文件不能超过50M")
        );

        // QR codes: forbidden words are refused, links need review, plain text passes.
        for (text, expected) in [
            ("代开发票 找我", Some("图片中的二维码含有不允许发布的内容")),
            (
                "https://elsewhere.example/join",
                Some("图片需要人工审核，通过后即可使用"),
            ),
            ("序列号 12345", None),
        ] {
            let url = running
                .store("u/u1/qr.png", encoded(&qr(text), ImageFormat::Png))
                .await;
            let answer = running.scan("u1", &url).await;
            match expected {
                Some(expected) => {
                    assert_eq!(refusal(answer), (code::IMAGE_REFUSED, expected.into()))
                }
                None => answer.expect("plain text"),
            }
        }
        running.test.finish().await;
    }
}

/// A reviewer's decision applies to those bytes of that owner; a ban applies to all users and to look-alikes.
#[tokio::test]
async fn a_reviewer_decides_once_and_a_ban_finds_look_alikes() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let personal = running.replica().await;
        let db = running
            .test
            .parts
            .context(xl_personal::NAME)
            .await
            .expect("context")
            .db;
        let code = encoded(&qr("https://elsewhere.example/a"), ImageFormat::Png);
        let url = running.store("u/u1/code.png", code).await;
        for _ in 0..2 {
            refusal(running.scan("u1", &url).await);
        }
        let waiting = personal.waiting_pictures(1, 20).await.expect("queue");
        assert_eq!(waiting.0, 1, "once, however often it is sent");
        let row = &waiting.1[0];
        let accept = Decision {
            accept: true,
            ..Default::default()
        };
        let decided = personal.decide_case(&row.id, &accept, &op()).await;
        decided.expect("decided");
        let refuse = Decision::default();
        let again = personal.decide_case(&row.id, &refuse, &op()).await;
        assert!(again.is_err(), "decided twice");
        running
            .scan("u1", &url)
            .await
            .expect("passed by the reviewer");

        let banned = picturescan::clean(
            &encoded(&picture(5), ImageFormat::Png),
            &picturescan::Limits::default(),
        );
        let print = banned
            .unwrap_or_else(|refusal| panic!("{refusal}"))
            .fingerprint;
        let transaction = begin_write(&db).await.expect("transaction");
        let ban = personal
            .ban_picture(&transaction, &print.text(), "test", "o1")
            .await;
        ban.expect("banned");
        transaction.commit().await.expect("committed");
        let alike = encoded(&picture(5).thumbnail(120, 120), ImageFormat::Jpeg);
        let alike = running.store("u/u2/alike.jpg", alike).await;
        assert_eq!(
            refusal(running.scan("u2", &alike).await).0,
            code::IMAGE_REFUSED
        );
        let other = running
            .store("u/u2/other.png", encoded(&picture(6), ImageFormat::Png))
            .await;
        running.scan("u2", &other).await.expect("another picture");
        running.test.finish().await;
    }
}

/// No address is ever fetched: a local listener sees no connection for 20 hostile ones.
#[tokio::test]
async fn no_address_is_fetched() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let seen = Arc::new(AtomicUsize::new(0));
    let counted = seen.clone();
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    let running = Running::start(chassis::testing::Shape::Embedded).await;
    let good = running
        .store("u/u2/a.png", encoded(&picture(1), ImageFormat::Png))
        .await;
    let server = running.test.parts.objects.public_address().to_owned();
    let host = server.split("://").nth(1).unwrap_or_default();
    let hostile = [
        format!("http://127.0.0.1:{port}/a.png"),
        format!("http://localhost:{port}/a.png"),
        format!("http://2130706433:{port}/a.png"),
        format!("http://0x7f000001:{port}/a.png"),
        format!("http://0177.0.0.1:{port}/a.png"),
        format!("http://127.1:{port}/a.png"),
        format!("http://[::ffff:127.0.0.1]:{port}/a.png"),
        format!("http://0.0.0.0:{port}/a.png"),
        format!("//127.0.0.1:{port}/a.png"),
        format!("\\\\127.0.0.1:{port}\\a.png"),
        format!("http://{host}@127.0.0.1:{port}/a.png"),
        format!("{server}@127.0.0.1:{port}/a.png"),
        format!("{server}.127.0.0.1.nip.io:{port}/a.png"),
        format!("ftp://127.0.0.1:{port}/a.png"),
        format!("gopher://127.0.0.1:{port}/_GET"),
        format!("http://127.0.0.1:{port}/redirect?to=http://169.254.169.254/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "file:///etc/passwd".to_owned(),
        format!("{server}/{good}"),
        good.replace("u/u2/", "u/u1/../u2/"),
    ];
    for address in &hostile {
        let (number, _) = refusal(running.scan("u1", address).await);
        assert_eq!(number, code::INVALID, "{address}");
    }
    assert_eq!(
        running.scan("", &good).await.expect_err("nobody").code(),
        Code::Unauthenticated
    );
    assert_eq!(hostile.len(), 20);
    assert_eq!(seen.load(Ordering::SeqCst), 0);
    running.test.finish().await;
}

/// An edited list applies at once in every replica.
#[tokio::test]
async fn an_edited_word_holds_at_once() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let personal = running.replica().await;
        running
            .scan_text("这是 禁词丙 吗")
            .await
            .expect("not listed yet");
        let word = NewWord {
            word: "禁词丙",
            action: "refuse",
            replacement: "",
            note: "",
        };
        personal.put_word(&word, true, &op()).await.expect("listed");
        let wrong = NewWord {
            action: "explode",
            ..word
        };
        assert!(personal.put_word(&wrong, false, &op()).await.is_err());
        let (number, message) = refusal(running.scan_text("这是 禁 词-丙 吗").await);
        assert_eq!(
            (number, message.as_str()),
            (code::TEXT_REFUSED, "含有不允许发布的词语「禁词丙」")
        );
        personal
            .remove_word("禁词丙", "", &op())
            .await
            .expect("removed");
        running
            .scan_text("这是 禁词丙 吗")
            .await
            .expect("no longer listed");
        running.test.finish().await;
    }
}

//! Profile pictures: a coloured square with a lighter circle, different for each person.

use std::io::Cursor;

use actix_web::HttpResponse;
use actix_web::web::{self, Path, ServiceConfig};
use image::{ImageFormat, Rgb, RgbImage};
use sha2::{Digest, Sha256};

const SIDE: u32 = 132;

pub(super) fn routes(service: &mut ServiceConfig) {
    service.route("/social/picture/{name}.png", web::get().to(picture));
}

async fn picture(name: Path<String>) -> HttpResponse {
    let digest: [u8; 32] = Sha256::digest(name.as_bytes()).into();
    let [red, green, blue, ..] = digest;
    let middle = SIDE as f32 / 2.0;
    let drawn = RgbImage::from_fn(SIDE, SIDE, |x, y| {
        let away = (x as f32 - middle).hypot(y as f32 - middle * 0.8);
        let light = if away < middle * 0.45 { 110 } else { 0 };
        Rgb([red, green, blue].map(|part| (part / 2 + 40).saturating_add(light)))
    });
    let mut bytes = Vec::new();
    match drawn.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png) {
        Ok(()) => HttpResponse::Ok().content_type("image/png").body(bytes),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

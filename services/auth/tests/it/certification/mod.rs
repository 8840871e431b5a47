//! Certification: submitting, the numbers and pictures behind it, deciding, and what is stored where.

mod asking;
mod deciding;
mod keys;

use std::io::Cursor;

use chassis::messaging::Outbox;
use chassis::testing::Shape;
use image::{DynamicImage, ImageFormat};
use prost::Message;
use proto::auth::v1::certification_api_client::CertificationApiClient;
use proto::auth::v1::{
    AuthDeveloperRequest, AuthEnterpriseRequest, AuthPersonalRequest, CertificationChanged,
    MyCertificationReply, MyCertificationRequest, WithdrawCertificationRequest,
};
use proto::code;
use proto::events::Published;
use sea_orm::{ConnectionTrait, Statement};
use tonic::Status;
use tonic::service::Routes;
use xl_auth::certification::{Certifications, Decision};
use xl_auth::console::actor::Actor;

use crate::world::{Person, World, refusal};

const REVIEWER: &str = "reviewer-1";
const CREDIT_CODE: &str = "91350100M000100Y43";
const DAY_SECONDS: i64 = 24 * 3600;

fn reviewer() -> Actor<'static> {
    by_command(REVIEWER)
}

pub fn by_command(name: &str) -> Actor<'static> {
    Actor::command("certification", name).unwrap()
}

fn client(world: &World) -> CertificationApiClient<Routes> {
    CertificationApiClient::new(world.routes())
}

pub fn operators(world: &World) -> Certifications {
    let outbox = Outbox::new(world.context.db.clone(), world.context.clock.clone());
    Certifications::new(&world.context, &outbox).unwrap()
}

/// An identity card number for a date of birth, with its check character.
pub fn id_card(day: &str, serial: u32) -> String {
    let digits = format!("110105{day}{serial:03}");
    let weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let sum: u32 = digits
        .bytes()
        .zip(weights)
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    let check = b"10X98765432"[(sum % 11) as usize];
    format!("{digits}{}", char::from(check))
}

pub fn picture(shade: u8, format: ImageFormat) -> Vec<u8> {
    let mut picture = image::RgbImage::from_pixel(640, 400, image::Rgb([shade; 3]));
    for x in 100..200 {
        picture.put_pixel(x, 100, image::Rgb([255 - shade; 3]));
    }
    let mut bytes = Vec::new();
    let mut target = Cursor::new(&mut bytes);
    DynamicImage::ImageRgb8(picture)
        .write_to(&mut target, format)
        .unwrap();
    bytes
}

async fn upload(world: &World, login_id: &str, name: &str, bytes: Vec<u8>) -> String {
    let key = format!("u/{login_id}/certification/{name}");
    let store = &world.context.objects;
    store
        .put_bytes(&key, bytes.into(), "image/jpeg")
        .await
        .unwrap();
    format!("{}/{key}", store.bucket())
}

/// A valid form of a person, its pictures uploaded.
pub async fn form(world: &World, person: &Person, number: &str) -> AuthPersonalRequest {
    AuthPersonalRequest {
        user_id: person.login_id.clone(),
        real_name: "张三丰".to_owned(),
        id_card: number.to_owned(),
        id_card_front: upload(
            world,
            &person.login_id,
            "front.jpg",
            picture(30, ImageFormat::Jpeg),
        )
        .await,
        id_card_back: upload(
            world,
            &person.login_id,
            "back.png",
            picture(60, ImageFormat::Png),
        )
        .await,
    }
}

pub async fn submit(
    world: &World,
    person: &Person,
    form: AuthPersonalRequest,
) -> Result<i32, Status> {
    let reply = client(world)
        .auth_personal(world.signed(person, form))
        .await?;
    Ok(reply.into_inner().check_status)
}

pub async fn enterprise(world: &World, person: &Person) -> Result<i32, Status> {
    let form = AuthEnterpriseRequest {
        company_name: "福州玄览测试有限公司".to_owned(),
        credit_code: CREDIT_CODE.to_lowercase(),
        business_license: upload(
            world,
            &person.login_id,
            "license.png",
            picture(90, ImageFormat::Png),
        )
        .await,
        legal_person: "李四".to_owned(),
        contact_phone: "0591-87654321".to_owned(),
        ..Default::default()
    };
    let reply = client(world)
        .auth_enterprise(world.signed(person, form))
        .await?;
    Ok(reply.into_inner().check_status)
}

async fn developer(world: &World, person: &Person) -> Result<i32, Status> {
    let form = AuthDeveloperRequest {
        direction: "plugin".to_owned(),
        introduce: "十年三维可视化插件开发经验。".to_owned(),
        website: "https://example.cn/works".to_owned(),
        ..Default::default()
    };
    let reply = client(world)
        .auth_developer(world.signed(person, form))
        .await?;
    Ok(reply.into_inner().check_status)
}

pub async fn mine(world: &World, person: &Person) -> MyCertificationReply {
    let request = world.signed(person, MyCertificationRequest::default());
    client(world)
        .my_certification(request)
        .await
        .unwrap()
        .into_inner()
}

async fn withdraw(world: &World, person: &Person, id: &str) -> Result<i32, Status> {
    let body = WithdrawCertificationRequest {
        id: id.to_owned(),
        ..Default::default()
    };
    let reply = client(world)
        .withdraw_certification(world.signed(person, body))
        .await?;
    Ok(reply.into_inner().check_status)
}

/// Events published for an account, oldest first.
async fn published(world: &World, login_id: &str) -> Vec<CertificationChanged> {
    let db = &world.context.db;
    let key = CertificationChanged::KEY;
    let text = format!(
        "SELECT body FROM outbox WHERE event_key = '{key}' AND aggregate = '{login_id}' ORDER BY id"
    );
    let rows = db
        .query_all_raw(Statement::from_string(db.get_database_backend(), text))
        .await
        .unwrap();
    let bodies = rows
        .iter()
        .map(|row| row.try_get_by_index::<Vec<u8>>(0).unwrap());
    bodies
        .map(|body| CertificationChanged::decode(body.as_slice()).unwrap())
        .collect()
}

async fn records(world: &World) -> Vec<String> {
    let db = &world.context.db;
    let text = "SELECT state FROM certification ORDER BY state";
    let rows = db
        .query_all_raw(Statement::from_string(db.get_database_backend(), text))
        .await
        .unwrap();
    rows.iter()
        .map(|row| row.try_get_by_index(0).unwrap())
        .collect()
}

async fn kept(world: &World) -> Vec<String> {
    let page = world.context.objects.list("c/", None).await.unwrap();
    page.objects.into_iter().map(|object| object.key).collect()
}

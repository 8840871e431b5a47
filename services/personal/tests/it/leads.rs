//! A visitor without an account asks to be called about asset management. covers: P57 P58

use chassis::testing::{Shape, shapes};
use proto::code;
use proto::common::v1::Principal;
use proto::personal::v1::lead_api_client::LeadApiClient;
use proto::personal::v1::*;
use tonic::{Request, Status};

use crate::{Running, code_of, message_of};

const DAY_MS: i64 = 24 * 3_600_000;

fn form(number: u32) -> ApplicationRecord {
    ApplicationRecord {
        company_name: " 北岸机械 ".to_owned(),
        contact_name: "周宁".to_owned(),
        contact_phone: format!("138{number:08}"),
        demand: "两千个零件\n要能检索".to_owned(),
        visitor_id: format!("{number:032x}"),
    }
}

/// An anonymous request from an address.
fn from<T>(running: &Running, address: &str, body: T) -> Request<T> {
    let mut request = Request::new(body);
    let principal = Principal {
        audience: xl_personal::NAME.to_owned(),
        remote_addr: address.to_owned(),
        ..Default::default()
    };
    let principals = &running.test.parts.principals;
    let attached = principals.attach(principal, request.metadata_mut());
    attached.expect("signed");
    request
}

async fn save(running: &Running, address: &str, form: ApplicationRecord) -> Result<(), Status> {
    let mut client = LeadApiClient::new(running.channel());
    let request = from(running, address, form);
    client.save_application_record(request).await.map(|_| ())
}

async fn submitted(running: &Running, visitor: &str) -> Result<bool, Status> {
    let visitor_id = visitor.to_owned();
    let request = from(running, "10.0.0.1", IsSubmittedRequest { visitor_id });
    let mut client = LeadApiClient::new(running.channel());
    let reply = client.is_submitted(request).await?;
    Ok(reply.into_inner().submitted)
}

#[tokio::test]
async fn one_application_stands_for_a_browser_and_a_number() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let visitor = form(1).visitor_id;
        assert!(!submitted(&running, &visitor).await.unwrap());
        save(&running, "10.0.0.1", form(1)).await.unwrap();
        assert!(submitted(&running, &visitor).await.unwrap());
        let other_number = ApplicationRecord {
            contact_phone: "13900139000".to_owned(),
            ..form(1)
        };
        let other_browser = ApplicationRecord {
            visitor_id: "f".repeat(32),
            ..form(1)
        };
        for again in [form(1), other_number, other_browser] {
            let reply = save(&running, "10.0.0.1", again).await.unwrap_err();
            assert_eq!(code_of(&reply), code::CONFLICT);
            assert_eq!(message_of(&reply), "您已提交过申请，我们会尽快与您联系");
        }
        assert!(!submitted(&running, &"f".repeat(32)).await.unwrap());
        // Concurrent requests from two tabs: one is stored.
        let (one, two) = tokio::join!(
            save(&running, "10.0.0.2", form(2)),
            save(&running, "10.0.0.3", form(2))
        );
        assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
        running.test.finish().await;
    }
}

#[tokio::test]
async fn what_is_missing_or_wrong_is_told() {
    let running = Running::start(Shape::Embedded).await;
    let wrong = [
        (
            ApplicationRecord {
                company_name: " ".to_owned(),
                ..form(1)
            },
            "请填写企业名称",
        ),
        (
            ApplicationRecord {
                company_name: "大".repeat(61),
                ..form(1)
            },
            "企业名称最多 60 个字符",
        ),
        (
            ApplicationRecord {
                contact_name: String::new(),
                ..form(1)
            },
            "请填写联系人",
        ),
        (
            ApplicationRecord {
                contact_phone: String::new(),
                ..form(1)
            },
            "请填写手机号",
        ),
        (
            ApplicationRecord {
                contact_phone: "12345678901".to_owned(),
                ..form(1)
            },
            "手机号格式不正确，请填写 11 位手机号",
        ),
        (
            ApplicationRecord {
                demand: String::new(),
                ..form(1)
            },
            "请填写需求说明",
        ),
        (
            ApplicationRecord {
                demand: "大".repeat(501),
                ..form(1)
            },
            "需求说明最多 500 个字符",
        ),
        (
            ApplicationRecord {
                visitor_id: "me".to_owned(),
                ..form(1)
            },
            "参数 visitorId 不正确",
        ),
    ];
    for (form, words) in wrong {
        let reply = save(&running, "10.0.0.1", form).await.unwrap_err();
        assert_eq!(
            (code_of(&reply), message_of(&reply).as_str()),
            (code::INVALID, words)
        );
    }
    let reply = submitted(&running, "a'b").await.unwrap_err();
    assert_eq!(code_of(&reply), code::INVALID);
    running.test.finish().await;
}

#[tokio::test]
async fn an_address_asks_ten_times_a_day() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        // One IPv6 subscriber is one address.
        for number in 0..10 {
            let address = format!("2001:db8::{number:x}");
            save(&running, &address, form(number)).await.unwrap();
        }
        let reply = save(&running, "2001:db8::ffff", form(10))
            .await
            .unwrap_err();
        assert_eq!(code_of(&reply), code::QUOTA);
        save(&running, "10.0.0.1", form(10)).await.unwrap();
        running.test.parts.clock.advance_ms(DAY_MS);
        save(&running, "2001:db8::ffff", form(11)).await.unwrap();
        running.test.finish().await;
    }
}

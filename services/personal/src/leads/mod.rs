//! Requests for a call about asset management, which need no account: accepted, processed by operators, deleted some time after
//! they are closed.

mod console;
pub(crate) mod schema;

use std::time::Duration;

use chassis::ids::new_id;
use chassis::texts::Rule;
use chassis::{BusinessError, Origin, ServiceError, db};
use proto::code;
use proto::personal::v1::{ApplicationRecord, IsSubmittedRequest, LeadCalls};
use sea_orm::entity::prelude::*;
use sha2::{Digest, Sha256};

use crate::Personal;
use crate::entity::lead::{self, State};
use crate::entity::lead_day;

const COMPANY: Rule = Rule {
    called: "企业名称",
    lines: false,
};
const CONTACT: Rule = Rule {
    called: "联系人",
    lines: false,
};
const DEMAND: Rule = Rule {
    called: "需求说明",
    lines: true,
};
/// Daily limit of attempts per address.
const MOST_A_DAY: i64 = 10;
const DAY_MS: i64 = 24 * 3_600_000;
/// Retention of closed leads.
const KEPT_MS: i64 = 180 * DAY_MS;
/// Period of the sweeper.
const PERIOD: Duration = Duration::from_secs(3600);

/// 11 digits: 1, then 3 to 9.
pub fn phone(text: &str) -> Result<String, ServiceError> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let digits = bytes.len() == 11 && bytes.iter().all(u8::is_ascii_digit);
    match digits && bytes[0] == b'1' && (b'3'..=b'9').contains(&bytes[1]) {
        true => Ok(text.to_owned()),
        false => Err(BusinessError::invalid("手机号格式不正确，请填写 11 位手机号").into()),
    }
}

/// A random id chosen by the browser, which others cannot guess.
fn visitor(id: &str) -> Result<&str, ServiceError> {
    let sound = (16..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric());
    match sound {
        true => Ok(id),
        false => Err(BusinessError::invalid("参数 visitorId 不正确").into()),
    }
}

impl LeadCalls<ServiceError> for Personal {
    async fn save_application_record(
        &self,
        from: &Origin,
        form: ApplicationRecord,
    ) -> Result<(), ServiceError> {
        let now = self.context.clock.now_ms();
        // Not published, so not scanned for forbidden words.
        let row = lead::Model {
            id: new_id(),
            state: State::New,
            company_name: COMPANY.check_shape(&form.company_name)?,
            contact_name: CONTACT.check_shape(&form.contact_name)?,
            phone: phone(&form.contact_phone)?,
            visitor_id: visitor(&form.visitor_id)?.to_owned(),
            demand: DEMAND.check_shape(&form.demand)?,
            note: String::new(),
            operator: String::new(),
            created_at: now,
            updated_at: now,
        };
        // Committed on its own: refused attempts count too, so that numbers cannot be probed.
        self.count_try(from.remote_addr(), now).await?;
        match db::insert_new(row, &self.context.db).await? {
            true => Ok(()),
            false => {
                let message = "您已提交过申请，我们会尽快与您联系";
                Err(BusinessError::new(code::CONFLICT, message).into())
            }
        }
    }

    async fn is_submitted(
        &self,
        _: &Origin,
        request: IsSubmittedRequest,
    ) -> Result<bool, ServiceError> {
        let open = lead::Entity::find()
            .filter(lead::Column::VisitorId.eq(visitor(&request.visitor_id)?))
            .filter(lead::Column::State.ne(State::Closed))
            .count(&self.context.db)
            .await?;
        Ok(open > 0)
    }
}

impl Personal {
    async fn count_try(&self, remote_addr: &str, now: i64) -> Result<(), ServiceError> {
        let who = remote_addr.parse().map_or_else(
            |_| remote_addr.to_owned(),
            |address| peers::subscriber(address).to_string(),
        );
        let day = now.div_euclid(DAY_MS);
        let who = hex::encode(Sha256::digest(format!("lead|{day}|{who}")));
        let row = lead_day::Model {
            who,
            number: 1,
            until: (day + 1) * DAY_MS,
        };
        let transaction = db::begin_write(&self.context.db).await?;
        let tries = db::count_version(row, lead_day::Column::Number, &transaction).await?;
        transaction.commit().await?;
        match tries > MOST_A_DAY {
            true => {
                let message = "今天提交的次数已达上限，请明天再试，或直接联系客服";
                Err(BusinessError::new(code::QUOTA, message).into())
            }
            false => Ok(()),
        }
    }

    /// Deletes leads whose retention has ended, and the counters of past days.
    async fn forget_leads(&self) -> Result<(), ServiceError> {
        let db = &self.context.db;
        let now = self.context.clock.now_ms();
        lead_day::Entity::delete_many()
            .filter(lead_day::Column::Until.lte(now))
            .exec(db)
            .await?;
        lead::Entity::delete_many()
            .filter(lead::Column::State.eq(State::Closed))
            .filter(lead::Column::UpdatedAt.lte(now - KEPT_MS))
            .exec(db)
            .await?;
        Ok(())
    }

    pub(crate) fn spawn_leads(&self) {
        let personal = self.clone();
        self.context.shutdown.every(PERIOD, "leads", move || {
            let personal = personal.clone();
            async move { personal.forget_leads().await }
        });
    }
}

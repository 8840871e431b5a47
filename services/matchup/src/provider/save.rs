//! Saving the user type and the provider's profile.

use chassis::db::states::Transition;
use chassis::texts::Rule;
use chassis::{ServiceError, db};
use proto::matchup::v1::{SaveProviderRequest, ServiceInfoReply, UserTypeReply};
use proto::personal::v1::{AppearancesRequest, PersonalCommands};
use sea_orm::Set;
use sea_orm::entity::prelude::*;

use crate::Matchup;
use crate::entity::provider::{ActiveModel, Column, Entity, Model, State};
use crate::lists::{INDUSTRIES, REGIONS, SKILLS, one_of, some_of};
use crate::state::{certified_name, conflict, invalid, joined, split};
use crate::texts::{Said, contact};

const INTRODUCE: Rule = Rule {
    called: "服务介绍",
    lines: true,
};
const SHORTEST: usize = 20;
const MOST_SKILLS: usize = 8;
const MOST_INDUSTRIES: usize = 6;

impl Matchup {
    /// Certified name, read from personal without the cache: if personal is unavailable the call fails, instead of treating the
    /// user as uncertified.
    async fn certified(&self, owner: &str) -> Result<String, ServiceError> {
        let request = AppearancesRequest {
            login_ids: vec![owner.to_owned()],
        };
        match PersonalCommands::appearances(&self.context.bus, &request).await {
            Ok(reply) => Ok(certified_name(reply.people.first())),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(error, "a certification could not be asked for");
                Err(conflict("暂时无法核对认证信息，请稍后再试"))
            }
        }
    }

    pub(super) async fn set_type(
        &self,
        owner: &str,
        user_type: i32,
    ) -> Result<UserTypeReply, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let person = self.hold_person(&transaction, owner).await?;
        Entity::update_own(owner)
            .set(ActiveModel {
                user_type: Set(user_type),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .exec(&transaction)
            .await?;
        if user_type == 1 {
            // A hidden profile stays hidden.
            Transition::to(State::Draft)
                .from_only(&[State::Review, State::Shown])
                .only(Column::Id.eq(&person.id))
                .apply(&transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(UserTypeReply { user_type })
    }

    pub(super) async fn own_info(&self, owner: &str) -> Result<ServiceInfoReply, ServiceError> {
        // The user may come from the certification, which would otherwise be unknown here for a minute.
        let name = certified_name(self.people.newest(self.now(), owner).await.as_ref());
        let person = self.person(&self.context.db, owner).await?;
        let info_reply = person.map(info).unwrap_or_else(|| ServiceInfoReply {
            state: State::Draft.name().to_owned(),
            ..Default::default()
        });
        Ok(ServiceInfoReply {
            certified: !name.is_empty(),
            company_name: name,
            ..info_reply
        })
    }

    pub(super) async fn save_provider(
        &self,
        owner: &str,
        form: &SaveProviderRequest,
    ) -> Result<ServiceInfoReply, ServiceError> {
        let mut said = Said::default();
        let introduce = self.say(&INTRODUCE, &form.introduce, &mut said).await?;
        let contact = contact(&form.contact)?;
        let skills = some_of(&SKILLS, &form.skills, MOST_SKILLS, "服务类别")?;
        let industries = some_of(&INDUSTRIES, &form.industries, MOST_INDUSTRIES, "行业")?;
        let region = match form.region.as_str() {
            "" => String::new(),
            region => one_of(&REGIONS, region, "请从列表中选择所在地区")?,
        };
        let mut name = String::new();
        if form.publish {
            let lacking = [
                (skills.is_empty(), "请至少选择一项服务类别"),
                (region.is_empty(), "请选择所在地区"),
                (
                    introduce.chars().count() < SHORTEST,
                    "服务介绍至少 20 个字，写清做过什么、怎么交付",
                ),
                (contact.is_empty(), "请填写联系方式，选定后才会给对方看"),
            ];
            if let Some((_, what)) = lacking.into_iter().find(|(lacks, _)| *lacks) {
                return Err(invalid(what));
            }
            name = self.certified(owner).await?;
            if name.is_empty() {
                return Err(conflict("完成个人或企业认证后才能发布服务商资料"));
            }
        }
        let transaction = db::begin_write(&self.context.db).await?;
        let person = self.hold_person(&transaction, owner).await?;
        if !matches!(person.user_type, 2 | 3) {
            return Err(conflict("请先选择「我提供服务」"));
        }
        let suspects = said.suspects();
        let now = self.now();
        let next = match (form.publish, suspects.is_empty()) {
            (false, _) => State::Draft,
            (true, true) => State::Shown,
            (true, false) => State::Review,
        };
        let moved = Transition::to(next)
            // Only an operator can restore a hidden profile.
            .from_only(&[State::Draft, State::Review, State::Shown, State::Refused])
            .set(ActiveModel {
                name: Set(name),
                skills: Set(joined(&skills)),
                industries: Set(joined(&industries)),
                region: Set(region),
                introduce: Set(introduce),
                contact: Set(contact),
                suspects: Set(suspects),
                reason: Set(String::new()),
                submitted_at: Set(if next == State::Review { now } else { 0 }),
                shown_at: Set(match (next, person.shown_at) {
                    (State::Shown, 0) => now,
                    (_, at) => at,
                }),
                updated_at: Set(now),
                ..Default::default()
            })
            .only(Column::Id.eq(&person.id))
            .apply(&transaction)
            .await?;
        if !moved {
            return Err(conflict("服务商资料已被平台下架，请联系客服"));
        }
        transaction.commit().await?;
        self.own_info(owner).await
    }
}

fn info(row: Model) -> ServiceInfoReply {
    ServiceInfoReply {
        service_type: row.user_type,
        introduce: row.introduce,
        contact: row.contact,
        state: row.state.name().to_owned(),
        provider_id: row.id,
        skills: split(&row.skills),
        industries: split(&row.industries),
        region: row.region,
        reason: row.reason,
        updated_at: row.updated_at,
        ..Default::default()
    }
}

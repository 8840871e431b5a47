//! Examples of needs and providers, created at start. They are marked as examples, take no offers, and rank after users' entries.
//! An example that an operator has hidden stays hidden: rows are known by their ids and never written twice.

use chassis::Context;
use sea_orm::sea_query::OnConflict;
use sea_orm::{EntityTrait, Set};
use serde::Deserialize;

use crate::config::Config;
use crate::entity::{demand, provider};
use crate::lists::{CATEGORIES, INDUSTRIES, REGIONS, SKILLS};
use crate::provider::blank;
use crate::state::joined;

const NEEDS: &str = include_str!("../seed/needs.toml");
const PROVIDERS: &str = include_str!("../seed/providers.toml");
const MINUTE_MS: i64 = 60_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Needs {
    need: Vec<Need>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Need {
    pub slug: String,
    pub category: String,
    pub industry: String,
    pub title: String,
    pub budget: [i64; 2],
    pub content: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Providers {
    provider: Vec<Provider>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    pub slug: String,
    pub name: String,
    pub skills: Vec<String>,
    pub industries: Vec<String>,
    pub region: String,
    pub introduce: String,
}

pub fn needs() -> anyhow::Result<Vec<Need>> {
    let needs = toml::from_str::<Needs>(NEEDS)?.need;
    for one in &needs {
        let filed = CATEGORIES.contains(&one.category.as_str())
            && INDUSTRIES.contains(&one.industry.as_str());
        anyhow::ensure!(filed, "{}: not filed under the lists", one.slug);
    }
    Ok(needs)
}

pub fn providers() -> anyhow::Result<Vec<Provider>> {
    let providers = toml::from_str::<Providers>(PROVIDERS)?.provider;
    for one in &providers {
        let filed = one
            .skills
            .iter()
            .all(|name| SKILLS.contains(&name.as_str()))
            && one
                .industries
                .iter()
                .all(|name| INDUSTRIES.contains(&name.as_str()))
            && REGIONS.contains(&one.region.as_str());
        anyhow::ensure!(filed, "{}: not filed under the lists", one.slug);
    }
    Ok(providers)
}

pub(crate) async fn make_first(context: &Context) -> anyhow::Result<()> {
    let config: Config = context.settings.section(crate::NAME)?;
    if !config.examples {
        return Ok(());
    }
    let now = context.clock.now_ms();
    let needs = needs()?.into_iter().zip(1..).map(|(one, place)| {
        // The first entry of the file is the newest.
        let at = now - place * MINUTE_MS;
        let none = || Set(String::new());
        demand::ActiveModel {
            id: Set(format!("example-{}", one.slug)),
            owner: Set(format!("#example-{}", one.slug)),
            state: Set(demand::State::Open),
            revision: Set(1),
            category: Set(one.category),
            title: Set(one.title),
            content: Set(one.content.trim().to_owned()),
            industry: Set(one.industry),
            budget_low: Set(one.budget[0]),
            budget_high: Set(one.budget[1]),
            until: Set(0),
            contact: none(),
            suspects: none(),
            reason: none(),
            example: Set(true),
            chosen_offer: none(),
            chosen_owner: none(),
            submitted_at: Set(0),
            opened_at: Set(at),
            chosen_at: Set(0),
            closed_at: Set(0),
            created_at: Set(at),
            updated_at: Set(at),
        }
    });
    let known = OnConflict::column(demand::Column::Id)
        .do_nothing()
        .to_owned();
    demand::Entity::insert_many(needs)
        .on_conflict(known)
        .exec_without_returning(&context.db)
        .await?;
    let providers = providers()?.into_iter().zip(1..).map(|(one, place)| {
        let at = now - place * MINUTE_MS;
        provider::ActiveModel::from(provider::Model {
            id: format!("example-{}", one.slug),
            user_type: 2,
            state: provider::State::Shown,
            name: one.name,
            skills: joined(&one.skills),
            industries: joined(&one.industries),
            region: one.region,
            introduce: one.introduce.trim().to_owned(),
            example: true,
            shown_at: at,
            updated_at: at,
            ..blank(&format!("#example-{}", one.slug))
        })
    });
    let known = OnConflict::column(provider::Column::Owner)
        .do_nothing()
        .to_owned();
    provider::Entity::insert_many(providers)
        .on_conflict(known)
        .exec_without_returning(&context.db)
        .await?;
    Ok(())
}

//! Imports the embedded articles: new ones are written, a higher revision replaces the one before, and what an operator has
//! changed is kept. Replicas that start together write each row once.

use std::collections::HashMap;

use chassis::{Context, db};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{DatabaseTransaction, QuerySelect, Set};

use super::{Category, Seed};
use crate::draft::day;
use crate::entity::article::{ActiveModel, Column, Entity, State};
use crate::entity::{category, revision};
use crate::kind::{Kind, number_for};
use crate::shown;

/// What is stored of an article.
struct Known {
    seed_revision: i32,
    edited: bool,
    latest: i64,
}

pub(crate) async fn take_in(
    context: &Context,
    categories: &[Category],
    seeds: &[Seed],
) -> anyhow::Result<()> {
    let now = context.clock.now_ms();
    let known = known(&context.db).await?;
    let fresh = |seed: &&Seed| {
        let known = known.get(&id_of(seed));
        known.is_none_or(|known| !known.edited && known.seed_revision < seed.revision)
    };
    let fresh: Vec<&Seed> = seeds.iter().filter(fresh).collect();
    let transaction = db::begin_write(&context.db).await?;
    for one in categories {
        take_category(&transaction, one, now).await?;
    }
    for seed in &fresh {
        match known.get(&id_of(seed)) {
            None => insert(&transaction, seed, now).await?,
            Some(known) => renew(&transaction, seed, known, now).await?,
        }
    }
    transaction.commit().await?;
    if !fresh.is_empty() {
        tracing::info!(articles = fresh.len(), "articles of the program taken in");
    }
    Ok(())
}

fn id_of(seed: &Seed) -> String {
    number_for("article", seed.kind, &seed.slug, 0)
}

async fn known(connection: &impl ConnectionTrait) -> Result<HashMap<String, Known>, DbErr> {
    let rows: Vec<(String, i32, bool, i64)> = Entity::find()
        .select_only()
        .columns([
            Column::Id,
            Column::SeedRevision,
            Column::Edited,
            Column::LatestRevision,
        ])
        .filter(Column::SeedRevision.gt(0))
        .into_tuple()
        .all(connection)
        .await?;
    let known = rows.into_iter().map(|(id, seed_revision, edited, latest)| {
        let known = Known {
            seed_revision,
            edited,
            latest,
        };
        (id, known)
    });
    Ok(known.collect())
}

async fn take_category(
    transaction: &DatabaseTransaction,
    one: &Category,
    now: i64,
) -> anyhow::Result<()> {
    let Some(kind) = Kind::of(&one.kind) else {
        anyhow::bail!("there is no kind {:?}", one.kind);
    };
    let id = |slug: &str| number_for("category", kind, slug, 0);
    let parent_id = match one.parent.as_str() {
        "" => String::new(),
        parent => id(parent),
    };
    let texts = || category::ActiveModel {
        parent_id: Set(parent_id.clone()),
        title: Set(one.title.clone()),
        summary: Set(one.summary.clone()),
        position: Set(one.order),
        updated_at: Set(now),
        ..Default::default()
    };
    let row = category::ActiveModel {
        id: Set(id(&one.slug)),
        kind: Set(kind),
        slug: Set(one.slug.clone()),
        edited: Set(false),
        ..texts()
    };
    // A conflict may also be a category that an operator has made under this slug.
    let written = category::Entity::insert(row)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await?;
    if written == 0 {
        category::Entity::update_many()
            .set(texts())
            .filter(category::Column::Id.eq(id(&one.slug)))
            .filter(category::Column::Edited.eq(false))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

async fn insert(transaction: &DatabaseTransaction, seed: &Seed, now: i64) -> anyhow::Result<()> {
    let dated = day(&seed.draft.date).unwrap_or(now);
    let row = ActiveModel {
        id: Set(id_of(seed)),
        kind: Set(seed.kind),
        slug: Set(seed.slug.clone()),
        // With a later date, it is shown from that day on.
        state: Set(if dated > now {
            State::Scheduled
        } else {
            State::Published
        }),
        version: Set(1),
        published_revision: Set(1),
        latest_revision: Set(1),
        published_at: Set(dated),
        shown_changed_at: Set(now),
        seed_revision: Set(seed.revision),
        edited: Set(false),
        created_at: Set(now),
        updated_at: Set(now),
        ..shown::columns(&seed.draft)
    };
    let written = Entity::insert(row)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await?;
    if written > 0 {
        add_revision(transaction, seed, 1, now).await?;
    }
    Ok(())
}

async fn renew(
    transaction: &DatabaseTransaction,
    seed: &Seed,
    known: &Known,
    now: i64,
) -> anyhow::Result<()> {
    let number = known.latest + 1;
    let moved = Entity::update_many()
        .set(ActiveModel {
            published_revision: Set(number),
            latest_revision: Set(number),
            shown_changed_at: Set(now),
            seed_revision: Set(seed.revision),
            updated_at: Set(now),
            ..shown::columns(&seed.draft)
        })
        .col_expr(Column::Version, Expr::col(Column::Version).add(1))
        .filter(Column::Id.eq(id_of(seed)))
        .filter(Column::Edited.eq(false))
        .filter(Column::SeedRevision.eq(known.seed_revision))
        .filter(Column::LatestRevision.eq(known.latest))
        .exec(transaction)
        .await?;
    if moved.rows_affected > 0 {
        add_revision(transaction, seed, number, now).await?;
    }
    Ok(())
}

async fn add_revision(
    transaction: &DatabaseTransaction,
    seed: &Seed,
    number: i64,
    now: i64,
) -> anyhow::Result<()> {
    let row = revision::Model {
        article_id: id_of(seed),
        number,
        title: seed.draft.title.clone(),
        draft: serde_json::to_string(&seed.draft)?,
        saved_by: String::new(),
        saved_at: now,
        published_at: now,
        restored_from: 0,
    };
    db::insert(row, transaction).await?;
    Ok(())
}

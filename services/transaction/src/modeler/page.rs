//! The public page of a maker: banner, introduction and carousel. The pictures are those of the maker's own listings, which
//! operators have approved.

use chassis::{BusinessError, ServiceError, db};
use proto::transaction::v1::{Modeler, ModelerPage, SaveModelerPageRequest};
use sea_orm::Set;
use sea_orm::entity::prelude::*;

use crate::Mall;
use crate::entity::listing;
use crate::entity::modeler::{ActiveModel, Column, Entity, Model, State};
use crate::listing::{conflict, no_such_listing, split, texts};

/// Colours of the banner; the first one means none chosen.
pub(super) const THEMES: [&str; 5] = ["night", "blue", "teal", "plum", "amber"];
const MOST_IN_CAROUSEL: usize = 8;

impl Mall {
    /// The page as visitors see it.
    pub(crate) async fn page_view(&self, row: &Model) -> Result<ModelerPage, ServiceError> {
        let carousel_ids = split(&row.carousel_ids);
        let named = carousel_ids.iter().chain(Some(&row.banner_id));
        let named: Vec<&str> = named
            .map(String::as_str)
            .filter(|id| !id.is_empty())
            .collect();
        let own: Vec<listing::Model> = match named.is_empty() {
            true => Vec::new(),
            false => {
                listing::Entity::find_own(&row.login_id)
                    .filter(listing::Column::Id.is_in(named))
                    .all(&self.context.db)
                    .await?
            }
        };
        let of = |id: &String| own.iter().find(|one| one.id == *id && one.is_shown());
        Ok(ModelerPage {
            slogan: row.slogan.clone(),
            introduction: row.introduction.clone(),
            theme: row.theme.clone(),
            banner_url: of(&row.banner_id)
                .map(|one| self.address(&one.thumb_key))
                .unwrap_or_default(),
            banner_id: row.banner_id.clone(),
            carousel: carousel_ids
                .iter()
                .filter_map(of)
                .map(|one| self.view(one))
                .collect(),
            carousel_ids,
        })
    }

    pub(super) async fn save_page(
        &self,
        login_id: &str,
        form: &SaveModelerPageRequest,
    ) -> Result<Modeler, ServiceError> {
        let db = &self.context.db;
        let known = self.modeler(db, login_id).await?;
        if known.is_none_or(|row| row.state != State::Approved) {
            return Err(conflict("通过模型师审核后才能设置主页"));
        }
        self.not_frozen(db, login_id).await?;
        let scanner = self.words.scanner().await?;
        let slogan = texts::SLOGAN.check(&form.slogan, &scanner)?;
        let introduction = texts::INTRODUCTION.check(&form.introduction, &scanner)?;
        let theme = match form.theme.as_str() {
            "" => THEMES[0],
            theme if THEMES.contains(&theme) => theme,
            _ => return Err(BusinessError::invalid("没有这种配色").into()),
        };
        let mut ids = Vec::new();
        for id in split(&form.carousel_ids) {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        if ids.len() > MOST_IN_CAROUSEL {
            let message = format!("轮播最多 {MOST_IN_CAROUSEL} 个模型");
            return Err(BusinessError::invalid(message).into());
        }
        self.check_own(login_id, ids.iter().chain(Some(&form.banner_id)))
            .await?;
        let transaction = db::begin_write(db).await?;
        let saved = Entity::update_many()
            .set(ActiveModel {
                slogan: Set(slogan),
                introduction: Set(introduction),
                theme: Set(theme.to_owned()),
                banner_id: Set(form.banner_id.clone()),
                carousel_ids: Set(ids.join(",")),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .filter(Column::LoginId.eq(login_id))
            .filter(Column::State.eq(State::Approved))
            .filter(Column::Frozen.eq(false))
            .exec(&transaction)
            .await?;
        if saved.rows_affected == 0 {
            return Err(conflict("状态已改变，请刷新后再试"));
        }
        transaction.commit().await?;
        self.standing(login_id).await
    }

    /// Errors: one is not the caller's, or the mall does not show it.
    async fn check_own<'a>(
        &self,
        login_id: &str,
        ids: impl Iterator<Item = &'a String>,
    ) -> Result<(), ServiceError> {
        let ids: Vec<&str> = ids
            .map(String::as_str)
            .filter(|id| !id.is_empty())
            .collect();
        if ids.is_empty() {
            return Ok(());
        }
        let found = listing::Entity::find_own(login_id)
            .filter(listing::Column::Id.is_in(ids.iter().copied()))
            .all(&self.context.db)
            .await?;
        for id in ids {
            let own = found.iter().find(|one| one.id == id);
            let own = own.ok_or_else(no_such_listing)?;
            if !own.is_shown() {
                let message = format!("「{}」不在商城展示，请选择已上架的模型", own.name);
                return Err(conflict(&message));
            }
        }
        Ok(())
    }
}

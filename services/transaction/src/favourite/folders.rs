//! Folders: made, named and deleted.

use std::collections::HashMap;

use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, db};
use contentscan::{is_invisible, is_visible};
use proto::code;
use proto::transaction::v1::{
    DeleteFavouriteFolderRequest, FavouriteChanged, FavouriteFolder, FavouriteFoldersReply,
    SaveFavouriteFolderRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect, Set};

use super::{DEFAULT, DEFAULT_NAME, carry, lock, models, no_such_folder, of_owner};
use crate::Mall;
use crate::entity::favourite;
use crate::entity::folder::{ActiveModel, Column, Entity, Model};
use crate::listing::conflict;

const MOST: u64 = 200;
/// Pictures shown of a folder.
const PREVIEWS: u64 = 3;

impl Mall {
    /// A folder of the caller's; the default one is there before it was ever used.
    pub(super) async fn folder(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let known = Entity::find_own(owner).filter(Column::Id.eq(id));
        match known.one(db).await? {
            Some(found) => Ok(found),
            None if id == DEFAULT => Ok(Model {
                owner: owner.to_owned(),
                id: DEFAULT.to_owned(),
                name: DEFAULT_NAME.to_owned(),
                revision: 0,
                created_at: 0,
            }),
            None => Err(no_such_folder()),
        }
    }

    pub(super) async fn folders(&self, owner: &str) -> Result<FavouriteFoldersReply, ServiceError> {
        let db = &self.context.db;
        let mut all = vec![self.folder(db, owner, DEFAULT).await?];
        let others = Entity::find_own(owner)
            .filter(Column::Id.ne(DEFAULT))
            .order_by_desc(Column::CreatedAt)
            .order_by_desc(Column::Id)
            .limit(MOST)
            .all(db)
            .await?;
        all.extend(others);
        let counted: Vec<(String, i64)> = of_owner(owner)
            .select_only()
            .column(favourite::Column::FolderId)
            .column_as(favourite::Column::ListingId.count(), "count")
            .group_by(favourite::Column::FolderId)
            .into_tuple()
            .all(db)
            .await?;
        let counted: HashMap<String, i64> = counted.into_iter().collect();
        // A person has at most 2,000 of these short rows.
        let newest: Vec<(String, String)> = of_owner(owner)
            .select_only()
            .columns([favourite::Column::FolderId, favourite::Column::ListingId])
            .order_by_desc(favourite::Column::AddedAt)
            .order_by_desc(favourite::Column::ListingId)
            .into_tuple()
            .all(db)
            .await?;
        let mut shown: HashMap<String, Vec<String>> = HashMap::new();
        for (folder, listing) in newest {
            let some = shown.entry(folder).or_default();
            if (some.len() as u64) < PREVIEWS {
                some.push(listing);
            }
        }
        let ids: Vec<&str> = shown.values().flatten().map(String::as_str).collect();
        let listings = self.listings(db, &ids).await?;
        let results = all.into_iter().map(|one| {
            let count = counted.get(&one.id).copied().unwrap_or(0);
            let some = shown.get(&one.id).map_or(&[][..], Vec::as_slice);
            let pictures = some.iter().filter_map(|id| listings.get(id));
            let previews = pictures.map(|one| self.address(&one.thumb_key)).collect();
            view(one, count, previews)
        });
        Ok(FavouriteFoldersReply {
            results: results.collect(),
            models: models(db, owner).await?,
        })
    }

    pub(super) async fn save_folder(
        &self,
        owner: &str,
        form: &SaveFavouriteFolderRequest,
    ) -> Result<FavouriteFolder, ServiceError> {
        let name = form.name.as_str();
        if name.chars().any(is_invisible) || !is_visible(name) {
            return Err(BusinessError::invalid("收藏夹名称含有不可见字符，请重新输入").into());
        }
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        lock(&transaction, owner, now).await?;
        let alike = Entity::find_own(owner)
            .filter(Column::Name.eq(name))
            .filter(Column::Id.ne(&form.folder_id))
            .count(&transaction)
            .await?;
        if alike > 0 {
            return Err(conflict("已有同名的收藏夹"));
        }
        let saved = if form.folder_id.is_empty() {
            let made = ActiveModel {
                owner: Set(owner.to_owned()),
                id: Set(new_id()),
                name: Set(name.to_owned()),
                revision: Set(1),
                created_at: Set(now),
            };
            let made = made.insert(&transaction).await?;
            let own = Entity::find_own(owner);
            if own.count(&transaction).await? > MOST {
                let message = format!("最多可以有 {MOST} 个收藏夹，请先删除一些");
                return Err(BusinessError::new(code::QUOTA, message).into());
            }
            made
        } else {
            let found = self.folder(&transaction, owner, &form.folder_id).await?;
            let row = ActiveModel {
                name: Set(name.to_owned()),
                ..found.into()
            };
            row.update(&transaction).await?
        };
        let count = of_owner(owner)
            .filter(favourite::Column::FolderId.eq(&saved.id))
            .count(&transaction)
            .await?;
        transaction.commit().await?;
        Ok(view(saved, count as i64, Vec::new()))
    }

    pub(super) async fn delete_folder(
        &self,
        owner: &str,
        form: &DeleteFavouriteFolderRequest,
    ) -> Result<FavouriteChanged, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        lock(&transaction, owner, self.now()).await?;
        let gone = self.folder(&transaction, owner, &form.folder_id).await?;
        if gone.id == DEFAULT {
            return Err(conflict("默认收藏夹不能删除"));
        }
        if gone.id == form.move_to_id {
            return Err(BusinessError::invalid("请选择另一个收藏夹").into());
        }
        let those = of_owner(owner).filter(favourite::Column::FolderId.eq(&gone.id));
        let those = those.all(&transaction).await?;
        let before = those.iter().map(|one| one.listing_id.clone()).collect();
        if form.move_to_id.is_empty() {
            favourite::Entity::delete_own(owner)
                .filter(favourite::Column::FolderId.eq(&gone.id))
                .exec(&transaction)
                .await?;
        } else {
            self.folder(&transaction, owner, &form.move_to_id).await?;
            carry(&transaction, those, &form.move_to_id).await?;
        }
        Entity::delete_own(owner)
            .filter(Column::Id.eq(gone.id))
            .exec(&transaction)
            .await?;
        let models = self.uncount(&transaction, owner, before).await?;
        transaction.commit().await?;
        Ok(FavouriteChanged { models })
    }
}

fn view(folder: Model, count: i64, previews: Vec<String>) -> FavouriteFolder {
    FavouriteFolder {
        folder_id: folder.id,
        name: folder.name,
        count,
        previews,
        created_at: folder.created_at,
    }
}

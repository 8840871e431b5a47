//! Entries: saved and listed by their owners.

use chassis::db::list::choice;
use chassis::db::{self, List};
use chassis::ids::new_id;
use chassis::{ServiceError, SignedIn};
use proto::@name@::v1::{
    Entry, EntryCalls, MyEntriesReply, MyEntriesRequest, SaveEntryRequest,
};

use crate::@Name@;
use crate::entity::entry::{Column, Entity, Model, State};

impl EntryCalls<ServiceError> for @Name@ {
    async fn save_entry(
        &self,
        caller: &SignedIn,
        request: SaveEntryRequest,
    ) -> Result<String, ServiceError> {
        let entry = Model {
            id: new_id(),
            owner: caller.login_id().to_owned(),
            state: State::Open,
            title: request.title,
            created_at: self.now(),
        };
        let id = entry.id.clone();
        db::insert(entry, &self.context.db).await?;
        Ok(id)
    }

    async fn my_entries(
        &self,
        caller: &SignedIn,
        request: MyEntriesRequest,
    ) -> Result<MyEntriesReply, ServiceError> {
        let page = List::<Entity>::own(caller.login_id())
            .when(Column::State, choice(&request.state, State::of, "没有这种状态")?)
            .search(&request.keyword, [Column::Title])
            .newest_first(Column::CreatedAt, Column::Id)
            .page(&request, &self.context.db)
            .await?;
        Ok(page.reply(view))
    }
}

fn view(entry: Model) -> Entry {
    Entry {
        id: entry.id,
        title: entry.title,
        state: entry.state.name().to_owned(),
        create_time: entry.created_at,
    }
}

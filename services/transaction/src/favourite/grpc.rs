//! The calls of favourites: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::transaction::v1::favourite_api_server::FavouriteApi;
use proto::transaction::v1::*;
use tonic::Request;

use crate::Mall;

fn changed(models: i64) -> FavouriteChanged {
    FavouriteChanged { models }
}

#[tonic::async_trait]
impl FavouriteApi for Mall {
    async fn favourite_folders(
        &self,
        request: Request<FavouriteFoldersRequest>,
    ) -> Reply<FavouriteFoldersReply> {
        let (owner, _) = signed_in(request)?;
        reply(self.folders(&owner).await)
    }

    async fn save_favourite_folder(
        &self,
        request: Request<SaveFavouriteFolderRequest>,
    ) -> Reply<FavouriteFolder> {
        let (owner, form) = signed_in(request)?;
        reply(self.save_folder(&owner, &form).await)
    }

    async fn delete_favourite_folder(
        &self,
        request: Request<DeleteFavouriteFolderRequest>,
    ) -> Reply<FavouriteChanged> {
        let (owner, form) = signed_in(request)?;
        reply(self.delete_folder(&owner, &form).await.map(changed))
    }

    async fn favourite_list(
        &self,
        request: Request<FavouriteListRequest>,
    ) -> Reply<FavouriteListReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.favourites(&owner, &form).await)
    }

    async fn add_favourite(
        &self,
        request: Request<AddFavouriteRequest>,
    ) -> Reply<FavouriteChanged> {
        let (owner, form) = signed_in(request)?;
        reply(self.remember(&owner, &form).await.map(changed))
    }

    async fn remove_favourites(
        &self,
        request: Request<RemoveFavouritesRequest>,
    ) -> Reply<FavouriteChanged> {
        let (owner, form) = signed_in(request)?;
        reply(self.forget_favourites(&owner, &form).await.map(changed))
    }

    async fn move_favourites(
        &self,
        request: Request<MoveFavouritesRequest>,
    ) -> Reply<FavouriteChanged> {
        let (owner, form) = signed_in(request)?;
        reply(self.move_favourites_of(&owner, &form).await.map(changed))
    }

    async fn favourite_marks(
        &self,
        request: Request<FavouriteMarksRequest>,
    ) -> Reply<FavouriteMarksReply> {
        let (owner, _) = signed_in(request)?;
        reply(self.marks(&owner).await)
    }
}

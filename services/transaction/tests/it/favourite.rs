//! Favourites and their folders.

use chassis::testing::{code_of, shapes};
use proto::auth::v1::AccountClosed;
use proto::code;
use proto::transaction::v1::favourite_api_client::FavouriteApiClient;
use proto::transaction::v1::*;
use sea_orm::{EntityTrait, Set};
use tonic::Status;
use tonic::transport::Channel;
use xl_transaction::entity::{favourite, folder};

use crate::support::Running;

impl Running {
    fn favourites(&self) -> FavouriteApiClient<Channel> {
        FavouriteApiClient::new(self.channel())
    }

    async fn remember(&self, user: &str, id: &str, folder: &str) -> Result<i64, Status> {
        let form = AddFavouriteRequest {
            model_id: id.to_owned(),
            folder_id: folder.to_owned(),
            ..Default::default()
        };
        let answer = self.favourites().add_favourite(self.by(user, form)).await?;
        Ok(answer.into_inner().models)
    }

    async fn unremember(&self, user: &str, ids: &str, folder: &str) -> Result<i64, Status> {
        let form = RemoveFavouritesRequest {
            model_ids: ids.to_owned(),
            folder_id: folder.to_owned(),
            ..Default::default()
        };
        let answer = self
            .favourites()
            .remove_favourites(self.by(user, form))
            .await;
        Ok(answer?.into_inner().models)
    }

    async fn carry(&self, user: &str, id: &str, from: &str, to: &str) -> Result<i64, Status> {
        let form = MoveFavouritesRequest {
            model_ids: id.to_owned(),
            folder_id: from.to_owned(),
            move_to_id: to.to_owned(),
            ..Default::default()
        };
        let answer = self.favourites().move_favourites(self.by(user, form)).await;
        Ok(answer?.into_inner().models)
    }

    async fn folder(&self, user: &str, id: &str, name: &str) -> Result<FavouriteFolder, Status> {
        let form = SaveFavouriteFolderRequest {
            folder_id: id.to_owned(),
            name: name.to_owned(),
            ..Default::default()
        };
        let answer = self
            .favourites()
            .save_favourite_folder(self.by(user, form))
            .await;
        Ok(answer?.into_inner())
    }

    async fn delete_folder(&self, user: &str, id: &str, to: &str) -> Result<i64, Status> {
        let form = DeleteFavouriteFolderRequest {
            folder_id: id.to_owned(),
            move_to_id: to.to_owned(),
            ..Default::default()
        };
        let answer = self
            .favourites()
            .delete_favourite_folder(self.by(user, form))
            .await;
        Ok(answer?.into_inner().models)
    }

    /// Names and counts.
    async fn folders(&self, user: &str) -> (Vec<(String, i64)>, i64) {
        let form = FavouriteFoldersRequest::default();
        let answer = self
            .favourites()
            .favourite_folders(self.by(user, form))
            .await;
        let reply = answer.expect("folders").into_inner();
        let named = reply.results.into_iter().map(|one| (one.name, one.count));
        (named.collect(), reply.models)
    }

    async fn in_folder(
        &self,
        user: &str,
        id: &str,
        keyword: &str,
    ) -> Result<FavouriteListReply, Status> {
        let form = FavouriteListRequest {
            folder_id: id.to_owned(),
            keyword: keyword.to_owned(),
            ..Default::default()
        };
        let answer = self
            .favourites()
            .favourite_list(self.by(user, form))
            .await?;
        Ok(answer.into_inner())
    }

    async fn marks(&self, user: &str) -> Vec<String> {
        let form = FavouriteMarksRequest::default();
        let answer = self.favourites().favourite_marks(self.by(user, form)).await;
        let mut ids = answer.expect("marks").into_inner().model_ids;
        ids.sort();
        ids
    }

    async fn counted(&self, id: &str) -> i64 {
        self.number(&format!("SELECT favourites FROM listing WHERE id = '{id}'"))
            .await
    }
}

fn refusal(answer: Result<impl Sized, Status>) -> (i32, String) {
    let status = answer.err().expect("refused");
    let message = chassis::error::business_error(&status).expect("for people");
    (code_of(&status), message.message)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_counted_once_a_person_however_many_folders_have_it() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let first = running.listed("maker", "f1").await;
        let second = running.listed("maker", "f2").await;
        let revision = format!("SELECT revision FROM listing WHERE id = '{first}'");
        let before = running.number(&revision).await;
        assert_eq!(
            running.folders("u1").await.0,
            [("默认收藏夹".to_owned(), 0)]
        );
        assert_eq!(running.remember("u1", &first, "").await.unwrap(), 1);
        assert_eq!(
            running.remember("u1", &first, "default").await.unwrap(),
            1,
            "again"
        );
        let gears = running.folder("u1", "", " 齿轮 ").await.unwrap();
        assert_eq!((gears.name.as_str(), gears.count), ("齿轮", 0));
        assert_eq!(
            running
                .remember("u1", &first, &gears.folder_id)
                .await
                .unwrap(),
            1
        );
        assert_eq!(
            running
                .remember("u1", &second, &gears.folder_id)
                .await
                .unwrap(),
            2
        );
        assert_eq!(running.remember("u2", &first, "").await.unwrap(), 1);
        assert_eq!(running.counted(&first).await, 2);
        assert_eq!(
            running.number(&revision).await,
            before,
            "no change of its maker's"
        );

        let named = |name: &str, count| (name.to_owned(), count);
        assert_eq!(
            running.folders("u1").await,
            (vec![named("默认收藏夹", 1), named("齿轮", 2)], 2)
        );
        let all = running.in_folder("u1", "", "").await.unwrap();
        assert_eq!((all.total_count, all.results.len()), (2, 2));
        assert_eq!(all.results[0].listing.clone().unwrap().listing_id, second);
        let one = running.in_folder("u1", "default", "").await.unwrap();
        assert_eq!(
            (one.total_count, one.folder_name.as_str()),
            (1, "默认收藏夹")
        );
        assert_eq!(
            running
                .in_folder("u1", "", "不是它")
                .await
                .unwrap()
                .total_count,
            0
        );
        assert_eq!(
            running
                .in_folder("u1", "", "直齿")
                .await
                .unwrap()
                .total_count,
            2
        );
        let mut both = vec![first.clone(), second.clone()];
        both.sort();
        assert_eq!(running.marks("u1").await, both);

        // What leaves the mall stays and says so; it cannot be added any more.
        running.withdraw("maker", &second).await;
        let page = running.in_folder("u1", &gears.folder_id, "").await.unwrap();
        let gone = page.results.iter().find(|one| !one.available).unwrap();
        assert_eq!(gone.reason, "模型已被作者下架");
        let refused = refusal(running.remember("u2", &second, "").await);
        assert_eq!(refused, (code::CONFLICT, "该模型已下架".to_owned()));
        running.take_down(&first).await;
        let page = running.in_folder("u1", "default", "").await.unwrap();
        assert_eq!(page.results[0].reason, "模型已被平台下架");

        // Out of one folder it is remembered still; out of the last it is not.
        let left = running.unremember("u1", &first, &gears.folder_id).await;
        assert_eq!((left.unwrap(), running.counted(&first).await), (2, 2));
        let joined = both.join(",");
        assert_eq!(running.unremember("u1", &joined, "").await.unwrap(), 0);
        assert_eq!(
            running.unremember("u1", &joined, "").await.unwrap(),
            0,
            "again"
        );
        assert_eq!(
            (
                running.counted(&first).await,
                running.counted(&second).await
            ),
            (1, 0)
        );
        assert_eq!(running.marks("u1").await, Vec::<String>::new());
        for bad in ["", " , "] {
            assert_eq!(
                refusal(running.unremember("u1", bad, "").await).0,
                code::INVALID
            );
        }
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn models_of_a_folder_move_or_go_with_it_and_folders_are_their_owners() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("maker", "f1").await;
        let copies = running.copies(&id, 3).await;
        let [a, b, c] = &copies[..] else { panic!() };
        let one = running.folder("u1", "", "一").await.unwrap().folder_id;
        let two = running.folder("u1", "", "二").await.unwrap().folder_id;
        for (model, folder) in [(a, &one), (b, &one), (c, &one), (b, &two)] {
            running.remember("u1", model, folder).await.unwrap();
        }
        // One that the other has already is not twice in it.
        let both = format!("{a},{b}");
        assert_eq!(running.carry("u1", &both, &one, &two).await.unwrap(), 3);
        let told_of = running.folders("u1").await;
        let named = |name: &str, count| (name.to_owned(), count);
        assert_eq!(
            told_of.0,
            [named("默认收藏夹", 0), named("二", 2), named("一", 1)]
        );
        assert_eq!(running.counted(b).await, 1);
        let same = refusal(running.carry("u1", a, &two, &two).await);
        assert_eq!(same.1, "请选择另一个收藏夹");

        let renamed = running.folder("u1", &two, "机械").await.unwrap();
        assert_eq!((renamed.name.as_str(), renamed.count), ("机械", 2));
        let alike = refusal(running.folder("u1", &one, "机械").await);
        assert_eq!(alike, (code::CONFLICT, "已有同名的收藏夹".to_owned()));
        for name in ["", "  ", &"长".repeat(21), "a\u{202e}b"] {
            let refused = refusal(running.folder("u1", "", name).await);
            assert_eq!(refused.0, code::INVALID, "{name}");
        }

        // No other user has them.
        let nothing = (code::NOT_FOUND, "没有这个收藏夹".to_owned());
        for folder in [one.as_str(), "0"] {
            assert_eq!(refusal(running.remember("u2", a, folder).await), nothing);
            assert_eq!(refusal(running.in_folder("u2", folder, "").await), nothing);
            assert_eq!(refusal(running.folder("u2", folder, "我的").await), nothing);
            assert_eq!(
                refusal(running.delete_folder("u2", folder, "").await),
                nothing
            );
            assert_eq!(refusal(running.unremember("u2", a, folder).await), nothing);
            assert_eq!(
                refusal(running.carry("u2", a, folder, "default").await),
                nothing
            );
            assert_eq!(
                refusal(running.carry("u2", a, "default", folder).await),
                nothing
            );
        }
        let own = refusal(running.delete_folder("u1", "default", "").await);
        assert_eq!(own, (code::CONFLICT, "默认收藏夹不能删除".to_owned()));
        assert_eq!(
            refusal(running.delete_folder("u1", &one, "0").await),
            nothing
        );
        assert_eq!(
            running.delete_folder("u1", &one, "default").await.unwrap(),
            3
        );
        assert_eq!(running.counted(c).await, 1);
        assert_eq!(running.delete_folder("u1", &two, "").await.unwrap(), 1);
        assert_eq!((running.counted(a).await, running.counted(c).await), (0, 1));
        assert_eq!(running.folders("u1").await.0, [named("默认收藏夹", 1)]);
        assert_eq!(
            refusal(running.remember("u1", "0", "").await).0,
            code::NOT_FOUND
        );
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn favourites_are_no_more_than_they_may_be_and_end_with_the_account() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("maker", "f1").await;
        let copies = running.copies(&id, 3).await;
        let row = |at: usize| favourite::ActiveModel {
            owner: Set("u1".to_owned()),
            folder_id: Set("default".to_owned()),
            listing_id: Set(format!("x{at}")),
            added_at: Set(1),
        };
        for part in (0..1_998).collect::<Vec<_>>().chunks(500) {
            favourite::Entity::insert_many(part.iter().map(|at| row(*at)))
                .exec_without_returning(&running.db)
                .await
                .unwrap();
        }
        // Two places are left for three at once.
        let (a, b, c) = tokio::join!(
            running.remember("u1", &copies[0], ""),
            running.remember("u1", &copies[1], ""),
            running.remember("u1", &copies[2], "")
        );
        let answers = [a, b, c];
        let full = answers.iter().filter_map(|answer| answer.as_ref().err());
        let full: Vec<i32> = full.map(code_of).collect();
        assert_eq!(full, [code::QUOTA]);
        let own = "SELECT COUNT(*) FROM favourite WHERE owner = 'u1'";
        assert_eq!(running.number(own).await, 2_000);
        let sum = "SELECT CAST(SUM(favourites) AS BIGINT) FROM listing";
        assert_eq!(
            running.number(sum).await,
            2,
            "who was refused counts for nothing"
        );

        let rows = (0..198).map(|at| folder::ActiveModel {
            owner: Set("u1".to_owned()),
            id: Set(format!("f{at}")),
            name: Set(format!("第 {at} 个")),
            revision: Set(1),
            created_at: Set(1),
        });
        folder::Entity::insert_many(rows)
            .exec_without_returning(&running.db)
            .await
            .unwrap();
        running.folder("u1", "", "最后一个").await.unwrap();
        let more = refusal(running.folder("u1", "", "再一个").await);
        assert_eq!(
            more,
            (
                code::QUOTA,
                "最多可以有 200 个收藏夹，请先删除一些".to_owned()
            )
        );

        let closed = AccountClosed {
            closure_id: "c1".to_owned(),
            login_id: "u1".to_owned(),
            pseudonym: "gone-1".to_owned(),
            round: 1,
        };
        running.publish("closed-u1", &closed).await;
        running.becomes(own, 0).await;
        running
            .becomes("SELECT COUNT(*) FROM folder WHERE owner = 'u1'", 0)
            .await;
        assert_eq!(running.number(sum).await, 0);
        running.test.finish().await;
    }
}

//! Free models, downloads and returns.

use std::sync::Arc;

use chassis::testing::{code_of, shapes};
use proto::auth::v1::AccountClosed;
use proto::code;
use proto::transaction::v1::*;
use tokio::task::JoinSet;
use tonic::Status;

use crate::support::Running;

const DAY_MS: i64 = 24 * 3_600_000;

impl Running {
    pub async fn take_free(&self, user: &str, id: &str) -> Result<i32, Status> {
        let form = FreeModelRequest {
            model_id: id.to_owned(),
            ..Default::default()
        };
        let taken = self.grants().get_a_free_model(self.by(user, form)).await?;
        Ok(taken.into_inner().count)
    }

    async fn left(&self, user: &str) -> i32 {
        let form = FreeModelCountRequest::default();
        let left = self
            .grants()
            .check_the_day_of_free_model_count(self.by(user, form))
            .await;
        left.expect("a count").into_inner().count
    }

    pub async fn mine(&self, user: &str, way: &str) -> MyModelsReply {
        let form = MyModelsRequest {
            way: way.to_owned(),
            ..Default::default()
        };
        let page = self.grants().my_models(self.by(user, form)).await;
        page.expect("a page").into_inner()
    }

    pub async fn download(&self, user: &str, id: &str) -> Result<DownloadModelReply, Status> {
        self.download_of(user, id, "", 0).await
    }

    async fn download_of(
        &self,
        user: &str,
        id: &str,
        format: &str,
        version: i32,
    ) -> Result<DownloadModelReply, Status> {
        let form = DownloadModelRequest {
            model_id: id.to_owned(),
            format: format.to_owned(),
            version,
            ..Default::default()
        };
        let answer = self.grants().download_model(self.by(user, form)).await;
        answer.map(|reply| reply.into_inner())
    }

    async fn refused(&self, user: &str, id: &str) -> i32 {
        code_of(&self.download(user, id).await.unwrap_err())
    }

    /// Moves the clock to so many milliseconds before midnight in China.
    fn before_midnight(&self, milliseconds: i64) {
        let clock = &self.test.parts.clock;
        let since = (clock.now_ms() + DAY_MS / 3).rem_euclid(DAY_MS);
        clock.advance_ms(DAY_MS - since - milliseconds);
    }
}

/// 64 at once; how many of them took one.
async fn all_at_once(running: &Arc<Running>, user: &str, ids: &[String]) -> usize {
    let mut all = JoinSet::new();
    for id in ids {
        let (running, user, id) = (running.clone(), user.to_owned(), id.clone());
        all.spawn(async move { running.take_free(&user, &id).await.is_ok() });
    }
    let taken = all.join_all().await;
    taken.into_iter().filter(|one| *one).count()
}

/// ML001, ML002, PY034, AM031.
#[tokio::test(flavor = "multi_thread")]
async fn everybody_takes_five_a_day_by_the_date_in_china() {
    for shape in shapes() {
        let running = Arc::new(Running::start(shape, true).await);
        let paid = running.listed("maker", "f1").await;
        let refused = running.take_free("u1", &paid).await.unwrap_err();
        assert_eq!(code_of(&refused), code::CONFLICT);
        let free = running.listed("maker", "f2").await;
        running.price("maker", &free, 0).await;
        let own = running.take_free("maker", &free).await.unwrap_err();
        assert_eq!(code_of(&own), code::CONFLICT);
        assert_eq!(
            running.left("u1").await,
            5,
            "what is refused counts for nothing"
        );

        let copies = running.copies(&free, 64).await;
        running.before_midnight(3_600_000);
        for (at, id) in copies[..4].iter().enumerate() {
            assert_eq!(running.take_free("u1", id).await.unwrap(), 4 - at as i32);
        }
        let again = running.take_free("u1", &copies[0]).await.unwrap_err();
        assert_eq!(code_of(&again), code::CONFLICT);
        assert_eq!(running.left("u1").await, 1);
        assert_eq!(all_at_once(&running, "u1", &copies).await, 1, "the last");
        let sixth = running.take_free("u1", &free).await.unwrap_err();
        assert_eq!(code_of(&sixth), code::QUOTA);
        assert_eq!(running.left("u1").await, 0);

        // Some of these are before midnight, some after it.
        running.before_midnight(15_000);
        let racing = {
            let (running, copies) = (running.clone(), copies.clone());
            tokio::spawn(async move { all_at_once(&running, "u2", &copies).await })
        };
        running.before_midnight(-1);
        let taken = racing.await.unwrap();
        let counted = "SELECT CAST(SUM(taken) AS BIGINT) FROM free_day WHERE owner = 'u2'";
        let granted = "SELECT COUNT(*) FROM model_grant WHERE owner = 'u2'";
        assert_eq!(running.number(counted).await, taken as i64);
        assert_eq!(running.number(granted).await, taken as i64);
        let most = "SELECT CAST(MAX(taken) AS BIGINT) FROM free_day";
        assert_eq!(running.number(most).await, 5);

        assert_eq!(running.left("u1").await, 5);
        assert_eq!(all_at_once(&running, "u1", &copies).await, 5);
        // The same one many times is one.
        let same = vec![copies[0].clone(); 16];
        assert_eq!(all_at_once(&running, "u3", &same).await, 1);
        assert_eq!(running.left("u3").await, 4);
        running.test.parts.clock.advance_ms(3 * DAY_MS);
        running.take_free("u1", &free).await.unwrap();
        let days = "SELECT COUNT(*) FROM free_day WHERE owner = 'u1'";
        assert_eq!(running.number(days).await, 1, "what is past is forgotten");
        running
            .test
            .parts
            .shutdown
            .finish(std::time::Duration::from_secs(10))
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_is_written_down_and_its_link_is_good_for_one_object() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("maker", "f1").await;
        running.put_source(&id, 1).await;
        assert_eq!(running.refused("u1", &id).await, code::FOREIGN);
        assert_eq!(running.refused("u1", "0").await, code::FOREIGN);
        running.paid("u1", "o1", &[&id]).await;

        let mine = running.mine("u1", "bought").await;
        assert_eq!(mine.total_count, 1);
        assert_eq!(mine.counts["paid"], 1);
        let model = &mine.results[0];
        assert_eq!(
            (model.model_id.as_str(), model.way.as_str(), model.price),
            (id.as_str(), "paid", 1_990)
        );
        assert!(model.returnable && model.preview.contains("1.webp"));
        assert_eq!(model.versions.len(), 1);
        assert_eq!(model.versions[0].formats[0].format, "glb");
        assert_eq!(running.mine("u1", "free").await.total_count, 0);
        assert_eq!(running.mine("u2", "").await, MyModelsReply::default());

        let link = running.download("u1", &id).await.unwrap();
        assert!(
            link.url.contains(&format!("/m/{id}/1/source.glb?")),
            "{link:?}"
        );
        assert!(link.url.contains("X-Amz-Expires=600&"), "{link:?}");
        assert_eq!(
            (link.file_name.as_str(), link.version, link.bytes),
            ("直齿轮-v1.glb", 1, 4096)
        );
        let left = link.expires_at - running.test.parts.clock.now_ms();
        assert!((590_000..=600_000).contains(&left), "{left}");
        running.download("u1", &id).await.unwrap();
        assert_eq!(running.number("SELECT COUNT(*) FROM download").await, 2);
        let mine = running.mine("u1", "").await;
        let model = &mine.results[0];
        assert_eq!((model.downloads, model.returnable), (2, false));
        assert!(model.first_download_at > 0);

        for (format, version) in [("fbx", 0), ("", 2), ("glb", -1)] {
            let refused = running.download_of("u1", &id, format, version).await;
            assert_eq!(code_of(&refused.unwrap_err()), code::INVALID);
        }
        assert_eq!(running.refused("u2", &id).await, code::FOREIGN);
        let bad = MyModelsRequest {
            way: "stolen".to_owned(),
            ..Default::default()
        };
        let bad = running.grants().my_models(running.by("u1", bad)).await;
        assert_eq!(code_of(&bad.unwrap_err()), code::INVALID);

        // A store that has lost it is a fault of ours, and no download.
        running
            .test
            .parts
            .objects
            .delete(&format!("m/{id}/1/source.glb"))
            .await
            .unwrap();
        running.download("u1", &id).await.unwrap_err();
        assert_eq!(running.number("SELECT COUNT(*) FROM download").await, 2);
        running.put_source(&id, 1).await;
        let revoke = "UPDATE model_grant SET state = 'revoked'";
        running.execute(revoke).await;
        assert_eq!(running.refused("u1", &id).await, code::FOREIGN);
        assert_eq!(running.mine("u1", "").await.total_count, 0);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_a_model_keeps_it_whatever_becomes_of_its_maker() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("maker", "f1").await;
        let bytes = running.put_source(&id, 1).await;
        running.paid("u1", "o1", &[&id]).await;
        running.paid("u2", "o2", &[&id]).await;
        running.add("u3", &id).await.unwrap();
        running.withdraw("maker", &id).await;
        let left = |who: &str| AccountClosed {
            closure_id: format!("c-{who}"),
            login_id: who.to_owned(),
            pseudonym: format!("p-{who}"),
            round: 1,
        };
        running.publish("left-maker", &left("maker")).await;
        running
            .becomes("SELECT COUNT(*) FROM listing WHERE seller = 'p-maker'", 1)
            .await;
        let link = running.download("u1", &id).await.unwrap();
        let key = format!("m/{id}/1/source.glb");
        assert!(link.url.contains(&key) && link.sha256 == "cd".repeat(32));
        let kept = running.test.folder.path().join("kept");
        running
            .test
            .parts
            .objects
            .get_to_file(&key, &kept)
            .await
            .unwrap();
        assert_eq!(std::fs::read(kept).unwrap(), bytes);
        assert_eq!(
            running.mine("u1", "").await.results[0].listing_state,
            "withdrawn"
        );
        running.take_down(&id).await;
        running.download("u1", &id).await.unwrap();

        // A buyer who leaves: what was bought is kept for the books, under the pseudonym.
        for who in ["u2", "u3"] {
            running.publish(&format!("left-{who}"), &left(who)).await;
        }
        let kept = "SELECT COUNT(*) FROM model_grant WHERE owner = 'p-u2'";
        running.becomes(kept, 1).await;
        running.becomes("SELECT COUNT(*) FROM cart_item", 0).await;
        assert_eq!(running.refused("u2", &id).await, code::FOREIGN);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_downloads_and_returns_at_once_one_kind_wins() {
    for shape in shapes() {
        let running = Arc::new(Running::start(shape, true).await);
        let id = running.listed("maker", "f1").await;
        running.put_source(&id, 1).await;
        let copies = running.copies(&id, 4).await;
        let wanted: Vec<&str> = copies.iter().map(String::as_str).collect();
        running.paid("u1", "o1", &wanted).await;
        for (at, id) in copies.iter().enumerate() {
            let mut all: JoinSet<(bool, String)> = JoinSet::new();
            for n in 0..128 {
                let (running, id) = (running.clone(), id.clone());
                // The order differs from round to round.
                all.spawn(async move {
                    match (n + at) % 2 == 0 {
                        true => (running.download("u1", &id).await.is_ok(), String::new()),
                        false => (false, running.give_back("o1", &format!("o1-{at}")).await),
                    }
                });
            }
            let answers = all.join_all().await;
            let got = answers.iter().filter(|(got, _)| *got).count();
            let said = |word: &str| answers.iter().filter(|(_, said)| said == word).count();
            let returning = said("returning");
            assert!(
                (got, returning) == (64, 0) || (got, returning) == (0, 64),
                "{got} downloads, {returning} returns"
            );
            assert_eq!(said("downloaded"), 64 - returning);
            let code = running
                .download("u1", id)
                .await
                .map_err(|status| code_of(&status));
            assert_eq!(code.is_ok(), got > 0);
        }
        let rows = "SELECT COUNT(*) FROM download d JOIN model_grant g ON g.id = d.grant_id WHERE g.state = 'returning'";
        assert_eq!(running.number(rows).await, 0);

        // One that is not downloaded, and one that does not exist.
        running.paid("u2", "o2", &[&id]).await;
        assert_eq!(running.give_back("o2", "o2-0").await, "returning");
        assert_eq!(running.refused("u2", &id).await, code::FOREIGN);
        assert_eq!(running.mine("u2", "").await.results[0].state, "returning");
        assert_eq!(running.give_back("o2", "o2-0").await, "returning");
        for (order, item) in [("o2", "o1-0"), ("", ""), ("o9", "o9-0")] {
            assert_eq!(running.give_back(order, item).await, "none");
        }
        running
            .test
            .parts
            .shutdown
            .finish(std::time::Duration::from_secs(10))
            .await;
    }
}

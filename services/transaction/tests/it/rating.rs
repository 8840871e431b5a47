//! Reviews of models by those who have them.

use chassis::testing::{code_of, shapes};
use proto::auth::v1::AccountClosed;
use proto::code;
use proto::transaction::v1::rating_api_client::RatingApiClient;
use proto::transaction::v1::rating_console_api_client::RatingConsoleApiClient;
use proto::transaction::v1::search_api_client::SearchApiClient;
use proto::transaction::v1::*;
use tonic::Status;
use tonic::transport::Channel;

use crate::support::Running;

impl Running {
    fn ratings(&self) -> RatingApiClient<Channel> {
        RatingApiClient::new(self.channel())
    }

    fn reviewers(&self) -> RatingConsoleApiClient<Channel> {
        RatingConsoleApiClient::new(self.channel())
    }

    pub async fn review(
        &self,
        user: &str,
        id: &str,
        stars: i32,
        content: &str,
    ) -> Result<ModelReview, Status> {
        let form = SaveModelReviewRequest {
            model_id: id.to_owned(),
            stars,
            content: content.to_owned(),
            ..Default::default()
        };
        let saved = self
            .ratings()
            .save_model_review(self.by(user, form))
            .await?;
        Ok(saved.into_inner())
    }

    async fn reviews(&self, id: &str, stars: i32) -> ModelReviewsReply {
        let form = ModelReviewsRequest {
            model_id: id.to_owned(),
            stars,
            ..Default::default()
        };
        let page = self.ratings().model_reviews(self.by("", form)).await;
        page.expect("a page").into_inner()
    }

    async fn own_review(&self, user: &str, id: &str) -> MyModelReviewReply {
        let form = MyModelReviewRequest {
            model_id: id.to_owned(),
            ..Default::default()
        };
        let reply = self.ratings().my_model_review(self.by(user, form)).await;
        reply.expect("told").into_inner()
    }

    async fn answer(&self, user: &str, review: &str, content: &str) -> Result<(), Status> {
        let form = AnswerModelReviewRequest {
            review_id: review.to_owned(),
            content: content.to_owned(),
            ..Default::default()
        };
        let answered = self
            .ratings()
            .answer_model_review(self.by(user, form))
            .await;
        answered.map(|_| ())
    }

    async fn stars(&self, id: &str) -> (i64, i64) {
        let of = |column: &str| format!("SELECT {column} FROM listing WHERE id = '{id}'");
        (
            self.number(&of("rating_sum")).await,
            self.number(&of("rating_count")).await,
        )
    }

    /// Messages asked for so far.
    async fn told_people(&self) -> i64 {
        let mut told = 0;
        for what in ["modelReviewed", "reviewAnswered", "reviewHidden"] {
            told += self.told(what).await.len() as i64;
        }
        told
    }
}

fn refusal(answer: Result<impl Sized, Status>) -> (i32, String) {
    let status = answer.err().expect("refused");
    let message = chassis::error::business_error(&status).expect("for people");
    (code_of(&status), message.message)
}

#[tokio::test(flavor = "multi_thread")]
async fn only_who_has_a_model_reviews_it_once_and_its_stars_count() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("maker", "f1").await;
        running.price("maker", &id, 0).await;
        let refused = refusal(running.review("u1", &id, 5, "").await);
        assert_eq!(
            refused,
            (code::CONFLICT, "购买或领取这个模型后才能评价".to_owned())
        );
        assert!(!running.own_review("u1", &id).await.allowed);
        let own = refusal(running.review("maker", &id, 5, "").await);
        assert_eq!(own, (code::CONFLICT, "不能评价自己发布的模型".to_owned()));
        for user in ["u1", "u2"] {
            running.take_free(user, &id).await.unwrap();
        }
        for stars in [-1, 0, 6] {
            assert_eq!(
                refusal(running.review("u1", &id, stars, "").await).0,
                code::INVALID
            );
        }
        let long = refusal(running.review("u1", &id, 4, &"长".repeat(501)).await);
        assert_eq!(long, (code::INVALID, "评价内容最多 500 个字符".to_owned()));
        assert_eq!(
            refusal(running.review("u1", "0", 4, "").await).0,
            code::NOT_FOUND
        );
        let bad = refusal(running.review("u1", &id, 4, "赌博网站").await);
        assert_eq!(bad.0, code::TEXT_REFUSED, "{bad:?}");

        let first = running.review("u1", &id, 4, " 齿形准确 ").await.unwrap();
        assert_eq!((first.stars, first.content.as_str()), (4, "齿形准确"));
        running.test.parts.clock.advance_ms(1_000);
        let again = running.review("u1", &id, 2, "装不上").await.unwrap();
        assert_eq!(again.review_id, first.review_id);
        assert!(again.updated_at > again.created_at);
        running.review("u2", &id, 5, "").await.unwrap();
        assert_eq!(running.stars(&id).await, (7, 2));
        assert_eq!(running.told_people().await, 2, "a change tells nobody");

        let page = running.reviews(&id, 0).await;
        assert_eq!(
            (page.total_count, page.rating_sum, page.rating_count),
            (2, 7, 2)
        );
        assert_eq!(page.distribution, [0, 1, 0, 0, 1]);
        let [latest, earlier] = &page.results[..] else {
            panic!("{page:?}")
        };
        assert_eq!(
            (latest.nickname.as_str(), latest.way.as_str()),
            ("模型师u2", "free")
        );
        assert_eq!(latest.certified, "personal");
        assert_eq!(earlier.content, "装不上");
        let two = running.reviews(&id, 2).await;
        assert_eq!(
            (two.total_count, two.results.len(), two.rating_count),
            (1, 1, 2)
        );

        // The index follows: what has stars comes first by rating.
        let other = running.listed("maker2", "f2").await;
        let form = || ModelListRequest {
            sort: "rating".to_owned(),
            ..Default::default()
        };
        let list = async |search: &mut SearchApiClient<Channel>| {
            let found = search.model_list(running.by("", form())).await;
            let found = found.expect("found").into_inner().results;
            found
                .into_iter()
                .map(|one| one.listing_id)
                .collect::<Vec<_>>()
        };
        chassis::testing::eventually("both are found", || async {
            let mut search = SearchApiClient::new(running.channel());
            (list(&mut search).await.len() == 2).then_some(())
        })
        .await;
        running.take_free("u3", &other).await.unwrap_err();
        running.price("maker2", &other, 0).await;
        for at in 0..3 {
            let user = format!("v{at}");
            running.take_free(&user, &other).await.unwrap();
            running.review(&user, &other, 5, "").await.unwrap();
        }
        let first = chassis::testing::eventually("the better one first", || async {
            let mut search = SearchApiClient::new(running.channel());
            let found = list(&mut search).await;
            (found.first() == Some(&other)).then_some(found)
        });
        assert_eq!(first.await, [other, id]);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_maker_answers_and_an_operator_hides_with_a_reason() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("maker", "f1").await;
        running.price("maker", &id, 0).await;
        running.take_free("u1", &id).await.unwrap();
        let review = running
            .review("u1", &id, 1, "骗人")
            .await
            .unwrap()
            .review_id;
        for stranger in ["u1", "u2"] {
            let refused = refusal(running.answer(stranger, &review, "谢谢").await);
            assert_eq!(refused.0, code::NOT_FOUND);
        }
        assert_eq!(
            refusal(running.answer("maker", "0", "谢谢").await).0,
            code::NOT_FOUND
        );
        running.answer("maker", &review, " 已修正 ").await.unwrap();
        assert_eq!(running.reviews(&id, 0).await.results[0].answer, "已修正");
        assert_eq!(running.told_people().await, 2);
        running.answer("maker", &review, "").await.unwrap();
        assert_eq!(running.reviews(&id, 0).await.results[0].answered_at, 0);

        let act = || ModelReviewActRequest {
            review_id: review.clone(),
            reason: "与模型无关的辱骂".to_owned(),
        };
        let hidden = running
            .reviewers()
            .model_review_hide(running.by_operator("anna", act()))
            .await;
        hidden.unwrap();
        let again = running
            .reviewers()
            .model_review_hide(running.by_operator("anna", act()))
            .await;
        assert_eq!(refusal(again).0, code::CONFLICT);
        assert_eq!(running.stars(&id).await, (0, 0));
        assert_eq!(running.reviews(&id, 0).await.total_count, 0);
        let own = running.own_review("u1", &id).await;
        assert_eq!(own.hidden_reason, "与模型无关的辱骂");
        // Changed, it stays hidden and counts for nothing.
        running.review("u1", &id, 3, "一般").await.unwrap();
        assert_eq!(running.stars(&id).await, (0, 0));
        assert_eq!(
            refusal(running.answer("maker", &review, "谢谢").await).0,
            code::NOT_FOUND
        );

        let form = |state: &str| ModelReviewSearchRequest {
            state: state.to_owned(),
            text: "一般".to_owned(),
            ..Default::default()
        };
        let search = async |state: &str| {
            let found = running
                .reviewers()
                .model_review_search(running.by_operator("anna", form(state)))
                .await;
            found.unwrap().into_inner().reviews
        };
        assert_eq!(search("shown").await, []);
        let found = search("hidden").await;
        assert_eq!(
            (found[0].author.as_str(), found[0].seller.as_str()),
            ("u1", "maker")
        );
        let restored = running
            .reviewers()
            .model_review_restore(running.by_operator("anna", act()))
            .await;
        restored.unwrap();
        assert_eq!(running.stars(&id).await, (3, 1));
        assert_eq!(
            running
                .number("SELECT COUNT(*) FROM audit WHERE call IN ('K161', 'K162')")
                .await,
            2
        );

        let closed = AccountClosed {
            closure_id: "c1".to_owned(),
            login_id: "u1".to_owned(),
            pseudonym: "gone-1".to_owned(),
            round: 1,
        };
        running.publish("closed-u1", &closed).await;
        running.becomes("SELECT COUNT(*) FROM rating", 0).await;
        assert_eq!(running.stars(&id).await, (0, 0));
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn users_list_their_own_reviews_by_stars_text_and_time() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let mut own = Vec::new();
        for (file, stars, content) in [("f1", 4, "齿形准确"), ("f2", 2, "装不上")] {
            let id = running.listed("maker", file).await;
            running.price("maker", &id, 0).await;
            for user in ["u1", "u2"] {
                running.take_free(user, &id).await.unwrap();
            }
            own.push(running.review("u1", &id, stars, content).await.unwrap());
            running.review("u2", &id, stars, content).await.unwrap();
            running.test.parts.clock.advance_ms(1_000);
        }
        let later = Some(own[1].created_at);
        let narrowed = [
            (0, "", None, None, vec![&own[1], &own[0]]),
            (4, "", None, None, vec![&own[0]]),
            (0, "不上", None, None, vec![&own[1]]),
            (0, "", later, None, vec![&own[1]]),
            (0, "", None, later, vec![&own[0]]),
        ];
        for (stars, keyword, begin_time, end_time, expected) in narrowed {
            let form = MyRatingsRequest {
                stars,
                keyword: keyword.to_owned(),
                begin_time,
                end_time,
                ..Default::default()
            };
            let page = running.ratings().my_ratings(running.by("u1", form)).await;
            let page = page.expect("a page").into_inner();
            assert_eq!(page.total_count, expected.len() as i64);
            assert!(page.results.iter().all(|one| one.listing_name == "直齿轮"));
            let reviews = page.results.iter().filter_map(|one| one.review.as_ref());
            assert_eq!(reviews.collect::<Vec<_>>(), expected);
        }
        running.test.finish().await;
    }
}

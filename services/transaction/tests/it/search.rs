//! The mall's search: what is found by which words and filters, in which order, and what visitors may see.

mod asked;
mod index;
mod silent;

use chassis::testing::{eventually, shapes};
use proto::process::v1::FileReleased;
use proto::transaction::v1::search_api_client::SearchApiClient;
use proto::transaction::v1::*;
use sea_orm::ConnectionTrait;
use tonic::Status;
use tonic::transport::Channel;

use crate::support::Running;

/// Name, maker, price, category, format, triangles, score, animation, origin.
type Offer = (
    &'static str,
    &'static str,
    i64,
    &'static str,
    &'static str,
    i64,
    i32,
    bool,
    &'static str,
);

const OFFERS: &[Offer] = &[
    (
        "行星齿轮组",
        "u1",
        1_990,
        "c1001",
        "glb",
        9_000,
        95,
        false,
        "own",
    ),
    ("直齿轮", "u1", 0, "c1001", "stl", 1_200, 82, false, "own"),
    (
        "斜齿轮",
        "u1",
        2_990,
        "c1001",
        "glb",
        60_000,
        71,
        false,
        "adapted",
    ),
    (
        "锥齿轮",
        "u1",
        4_990,
        "c1001",
        "obj",
        120_000,
        88,
        false,
        "own",
    ),
    (
        "青花瓷瓶",
        "u2",
        9_900,
        "c1002",
        "glb",
        30_000,
        90,
        false,
        "ai",
    ),
    (
        "会走路的机器人",
        "u2",
        29_900,
        "c1002",
        "glb",
        600_000,
        64,
        true,
        "own",
    ),
    ("石拱桥", "u3", 0, "c1002", "fbx", 44_000, 77, false, "own"),
];

struct Mall {
    running: Running,
    ids: Vec<String>,
}

impl Mall {
    fn client(&self) -> SearchApiClient<Channel> {
        SearchApiClient::new(self.running.channel())
    }

    async fn found(&self, form: ModelListRequest) -> Result<ModelListReply, Status> {
        let reply = self.client().model_list(self.running.by("", form)).await;
        reply.map(tonic::Response::into_inner)
    }

    async fn by_word(&self, keyword: &str) -> ModelListReply {
        let form = ModelListRequest {
            keyword: keyword.to_owned(),
            ..Default::default()
        };
        self.found(form).await.expect("found")
    }

    async fn names(&self, form: ModelListRequest) -> Vec<String> {
        let reply = self.found(form).await.expect("found");
        assert_eq!(reply.total_count as usize, reply.results.len());
        reply.results.into_iter().map(|one| one.name).collect()
    }

    async fn detail(&self, id: &str) -> Result<ModelDetailReply, Status> {
        let form = ModelDetailRequest {
            model_id: id.to_owned(),
        };
        let reply = self.client().model_detail(self.running.by("", form)).await;
        reply.map(tonic::Response::into_inner)
    }

    async fn cards(&self, ids: &[String]) -> Vec<Listing> {
        let form = ModelsByIdsRequest {
            model_ids: ids.join(","),
        };
        let reply = self.client().models_by_ids(self.running.by("", form)).await;
        reply.expect("cards").into_inner().results
    }

    /// The search has all that is listed.
    async fn until(&self, count: i64) {
        eventually("the index follows", || async {
            let all = self.found(ModelListRequest::default()).await;
            all.is_ok_and(|all| all.total_count == count).then_some(())
        })
        .await;
    }

    async fn sql(&self, sql: &str) {
        let done = self.running.db.execute_unprepared(sql).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
}

async fn offered(running: &Running, at: usize) -> String {
    let (name, maker, price, category, format, triangles, score, animation, origin) = OFFERS[at];
    let file = format!("f{at}");
    let event = FileReleased {
        file_id: file.clone(),
        login_id: maker.to_owned(),
        model_name: name.to_owned(),
        format: format.to_owned(),
        file_size: 4096,
        sha256: format!("{at:02x}").repeat(32),
        triangles,
        score,
        animation,
        released_at_ms: 1,
        ..Default::default()
    };
    running.publish(&format!("release-{file}"), &event).await;
    let draft = eventually("the draft", || async {
        let page = running.page(maker, "", "").await;
        page.results.into_iter().find(|one| one.file_id == file)
    })
    .await;
    let id = draft.listing.expect("shown").listing_id;
    let form = SaveListingRequest {
        listing_id: id.clone(),
        name: Some(name.to_owned()),
        category_id: Some(category.to_owned()),
        label_ids: Some("2001".to_owned()),
        intro: Some("可以直接使用".to_owned()),
        price: Some(price),
        origin: Some(origin.to_owned()),
        ..Default::default()
    };
    running.save(maker, form).await.expect("saved");
    assert_eq!(running.submit(maker, &id).await, "making");
    running.pictured(&id, 1, "ready").await;
    running.in_state(maker, &id, "submitted").await;
    running.decide(&id, 1, "approve").await.expect("approved");
    id
}

async fn mall(running: Running) -> Mall {
    let mut ids = Vec::new();
    for at in 0..OFFERS.len() {
        ids.push(offered(&running, at).await);
    }
    let mall = Mall { running, ids };
    mall.until(OFFERS.len() as i64).await;
    mall
}

#[tokio::test]
async fn what_is_listed_is_found_by_words_filters_and_order_and_nothing_else_is() {
    for shape in shapes() {
        let mall = mall(Running::start(shape, true).await).await;
        asked::words(&mall).await;
        asked::makers(&mall).await;
        asked::filters(&mall).await;
        asked::counts(&mall).await;
        asked::orders(&mall).await;
        asked::strange_questions(&mall).await;
        index::the_database_says_what_is_shown(&mall).await;
        index::nobody_sees_what_is_not_listed(&mall).await;
        index::names_are_followed(&mall).await;
        index::a_difference_is_found(&mall).await;
        mall.running.test.finish().await;
    }
}

//! The mall's search: what is found by which words and filters, in which order, and what visitors may see.

use std::collections::BTreeSet;

use chassis::testing::{code_of, eventually, shapes};
use proto::code;
use proto::common::v1::Empty;
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
        words(&mall).await;
        filters(&mall).await;
        counts(&mall).await;
        orders(&mall).await;
        strange_questions(&mall).await;
        the_database_says_what_is_shown(&mall).await;
        nobody_sees_what_is_not_listed(&mall).await;
        a_difference_is_found(&mall).await;
        mall.running.test.finish().await;
    }
}

async fn words(mall: &Mall) {
    for keyword in ["齿轮", "chilun", "齒輪", "ＣＨＩＬＵＮ", "cl", "gear"] {
        let found = mall.by_word(keyword).await;
        assert_eq!(found.total_count, 4, "{keyword}");
        assert!(found.results.iter().all(|one| one.name.contains("齿轮")));
    }
    for keyword in ["行星齿轮组", "行星齒輪組", "xingxing"] {
        let found = mall.by_word(keyword).await.results;
        let first = found.first().map(|one| one.name.as_str());
        assert_eq!(first, Some("行星齿轮组"), "{keyword}");
    }
    // A wrong character, and a wrong letter.
    for (keyword, meant) in [("齿纶", "齿轮"), ("chilum", "齿轮"), ("机器仁", "机器人")]
    {
        let found = mall.by_word(keyword).await;
        assert!(found.total_count > 0, "{keyword}");
        assert!(
            found.corrected.contains(meant),
            "{keyword}: {}",
            found.corrected
        );
    }
    let nothing = mall.by_word("潜水艇导弹").await;
    assert_eq!((nothing.total_count, nothing.corrected.as_str()), (0, ""));
    for typed in ["行星", "xingx", "xx"] {
        let form = SuggestRequest {
            keyword: typed.to_owned(),
        };
        let answer = mall.client().suggest(mall.running.by("", form)).await;
        let answer = answer.expect("suggestions").into_inner().results;
        assert!(
            answer.iter().any(|one| one.text == "行星齿轮组"),
            "{typed}: {answer:?}"
        );
    }
}

async fn filters(mall: &Mall) {
    let all = ModelListRequest::default;
    let text = str::to_owned;
    let cases = [
        (
            ModelListRequest {
                category_id: text("c1001"),
                ..all()
            },
            4,
        ),
        (
            ModelListRequest {
                formats: text("stl,FBX"),
                ..all()
            },
            2,
        ),
        (
            ModelListRequest {
                free: text("true"),
                ..all()
            },
            2,
        ),
        (
            ModelListRequest {
                free: text("false"),
                price_max: Some(2_990),
                ..all()
            },
            2,
        ),
        (
            ModelListRequest {
                price_min: Some(2_990),
                price_max: Some(9_900),
                ..all()
            },
            3,
        ),
        (
            ModelListRequest {
                animated: text("true"),
                ..all()
            },
            1,
        ),
        (
            ModelListRequest {
                triangle_min: Some(60_000),
                ..all()
            },
            3,
        ),
        (
            ModelListRequest {
                score_min: 88,
                ..all()
            },
            3,
        ),
        (
            ModelListRequest {
                origin: text("adapted,ai"),
                ..all()
            },
            2,
        ),
        (
            ModelListRequest {
                seller_id: text("u3"),
                ..all()
            },
            1,
        ),
        (
            ModelListRequest {
                label_ids: text("2001"),
                ..all()
            },
            7,
        ),
        (
            ModelListRequest {
                license: text("personal"),
                ..all()
            },
            7,
        ),
        (
            ModelListRequest {
                keyword: text("齿轮"),
                formats: text("glb"),
                ..all()
            },
            2,
        ),
        (
            ModelListRequest {
                category_id: text("nothing"),
                ..all()
            },
            0,
        ),
        (
            ModelListRequest {
                price_min: Some(-5),
                price_max: Some(-1),
                ..all()
            },
            0,
        ),
    ];
    for (form, expected) in cases {
        let names = mall.names(form.clone()).await;
        assert_eq!(names.len(), expected, "{form:?}: {names:?}");
    }
}

/// Facets say what the database says.
async fn counts(mall: &Mall) {
    let found = mall
        .found(ModelListRequest::default())
        .await
        .expect("found");
    let sums = [
        ("format", "format", "'glb'", "glb"),
        ("origin", "origin", "'own'", "own"),
        ("seller", "seller", "'u1'", "u1"),
        ("license", "license", "'personal'", "personal"),
    ];
    for (facet, column, value, key) in sums {
        let sql =
            format!("SELECT COUNT(*) FROM listing WHERE state = 'listed' AND {column} = {value}");
        assert_eq!(
            bucket(&found, facet, key),
            mall.running.number(&sql).await,
            "{facet}"
        );
    }
    let between = |column, from, to| {
        format!(
            "SELECT COUNT(*) FROM listing WHERE state = 'listed' AND {column} >= {from} AND {column} < {to}"
        )
    };
    for (facet, column, from, to) in [
        ("price", "price", 1_000, 5_000),
        ("triangles", "triangles", 10_000, 50_000),
        ("score", "score", 80, 90),
    ] {
        let counted = mall.running.number(&between(column, from, to)).await;
        assert_eq!(
            bucket(&found, facet, &format!("{from}-{to}")),
            counted,
            "{facet}"
        );
    }
    let tree = mall
        .client()
        .label_cate(mall.running.by("", Empty {}))
        .await;
    let tree = tree.expect("categories").into_inner().categories;
    let nested = tree.iter().flat_map(|first| &first.children);
    let counted: i64 = nested
        .filter(|one| one.id == "c1001")
        .map(|one| one.count)
        .sum();
    assert_eq!(counted, 4);
    assert!(
        tree.iter().any(|one| one.count == 0),
        "those of nothing can be chosen too"
    );
    let formats = mall
        .client()
        .format_list(mall.running.by("", Empty {}))
        .await;
    let formats = formats.expect("formats").into_inner().formats;
    assert!(
        formats
            .iter()
            .any(|one| one.format == "glb" && one.count == 4)
    );
    let new = mall
        .client()
        .new_quantities(mall.running.by("", Empty {}))
        .await;
    let new = new.expect("new").into_inner();
    assert_eq!((new.week, new.month), (7, 7));
}

fn bucket(found: &ModelListReply, facet: &str, key: &str) -> i64 {
    let facet = found
        .facets
        .iter()
        .find(|one| one.name == facet)
        .expect(facet);
    let bucket = facet.buckets.iter().find(|one| one.key == key);
    bucket.map_or(0, |one| one.count)
}

async fn orders(mall: &Mall) {
    let by = |sort: &str| ModelListRequest {
        sort: sort.to_owned(),
        ..Default::default()
    };
    let first = async |sort| mall.names(by(sort)).await[0].clone();
    assert_eq!(first("priceDesc").await, "会走路的机器人");
    assert!(["直齿轮", "石拱桥"].contains(&first("priceAsc").await.as_str()));
    assert_eq!(first("newest").await, "石拱桥");
    // Paid sales and stars of the bridge bring it up; the robot's favourites alone do not.
    let (bridge, robot) = (&mall.ids[6], &mall.ids[5]);
    mall.sql(&format!(
        "UPDATE listing SET sold = 40, rating_sum = 50, rating_count = 10, revision = revision + 1 WHERE id = '{bridge}'"
    ))
    .await;
    mall.sql(&format!(
        "UPDATE listing SET favourites = 900, revision = revision + 1 WHERE id = '{robot}'"
    ))
    .await;
    eventually("what is sold comes first", || async {
        (first("").await == "石拱桥").then_some(())
    })
    .await;
    assert_eq!(first("sales").await, "石拱桥");
    assert_eq!(first("rating").await, "石拱桥");
    // Of a page of four at most three are of one maker, and no two pages show the same.
    let page = async |page_no| {
        let form = ModelListRequest {
            page_size: 4,
            page_no,
            ..Default::default()
        };
        mall.found(form).await.expect("a page").results
    };
    let (one, two) = (page(1).await, page(2).await);
    assert!(one.iter().filter(|one| one.seller == "u1").count() <= 3);
    let shown: BTreeSet<String> = one
        .into_iter()
        .chain(two)
        .map(|one| one.listing_id)
        .collect();
    assert_eq!(shown.len(), 7);
}

async fn strange_questions(mall: &Mall) {
    let all = ModelListRequest::default;
    let refused = [
        ModelListRequest {
            keyword: "齿".repeat(101),
            ..all()
        },
        ModelListRequest {
            keyword: "name:(齿 OR ".repeat(700),
            ..all()
        },
        ModelListRequest {
            sort: "cheapest".to_owned(),
            ..all()
        },
        ModelListRequest {
            page_size: 61,
            ..all()
        },
        ModelListRequest {
            page_no: 417,
            ..all()
        },
        ModelListRequest {
            page_no: i32::MAX,
            page_size: 60,
            ..all()
        },
        ModelListRequest {
            license: "all".to_owned(),
            ..all()
        },
        ModelListRequest {
            free: "1".to_owned(),
            ..all()
        },
        ModelListRequest {
            label_ids: vec!["x"; 21].join(","),
            ..all()
        },
    ];
    for form in refused {
        let answer = mall.found(form.clone()).await.expect_err("refused");
        assert_eq!(code_of(&answer), code::INVALID, "{form:?}");
    }
    for keyword in [
        "\"",
        "name:齿轮",
        "* OR (",
        "\u{0}\u{7}",
        "齿轮 AND NOT 直",
        "   ",
        "😀",
        "-",
        "%_",
    ] {
        mall.by_word(keyword).await;
    }
    assert_eq!(mall.by_word("！！！").await.total_count, 0);
    assert!(mall.cards(&["x".to_owned()]).await.is_empty());
}

/// A change that the index has not seen is shown all the same.
async fn the_database_says_what_is_shown(mall: &Mall) {
    let id = &mall.ids[0];
    // Asked before each change too: what is kept of an answer has no price and no state.
    assert_eq!(mall.by_word("行星齿轮组").await.results[0].price, 1_990);
    // The revision stays: the index takes it for what it has.
    mall.sql(&format!("UPDATE listing SET price = 123 WHERE id = '{id}'"))
        .await;
    assert_eq!(mall.cards(std::slice::from_ref(id)).await[0].price, 123);
    assert_eq!(
        mall.detail(id)
            .await
            .expect("shown")
            .listing
            .expect("one")
            .price,
        123
    );
    assert_eq!(mall.by_word("行星齿轮组").await.results[0].price, 123);
    let found = mall.found(ModelListRequest {
        price_min: Some(1_990),
        price_max: Some(1_990),
        ..Default::default()
    });
    assert_eq!(
        found.await.expect("found").total_count,
        1,
        "the index is behind"
    );
    let similar = SimilarModelsRequest {
        model_id: id.clone(),
        size: 3,
    };
    let similar = mall
        .client()
        .similar_models(mall.running.by("", similar))
        .await;
    assert_eq!(similar.expect("similar").into_inner().results.len(), 3);
    let author = AuthorRequest {
        author_id: "u1".to_owned(),
    };
    let author = mall
        .client()
        .author_detail(mall.running.by("", author))
        .await;
    assert_eq!(
        author
            .expect("author")
            .into_inner()
            .author
            .expect("one")
            .models,
        4
    );
    let detail = mall.detail(id).await.expect("shown");
    let shown = mall.cards(std::slice::from_ref(id)).await;
    assert_eq!(shown[0].seller_name, "模型师u1");
    assert_eq!(detail.author.as_ref().expect("one").nickname, "模型师u1");
    assert_eq!(detail.category_names.len(), 2);
    assert_eq!(detail.versions.len(), 1);
    assert!(!detail.pictures.is_empty() && detail.proxy_url.contains("proxy.glb"));
    assert!(
        !format!("{detail:?}").contains("source.glb"),
        "the source has no address"
    );
    // A state likewise: the answer before is kept, the index does not know.
    let shown = async || {
        let found = mall.by_word("行星齿轮组").await.results;
        found.iter().any(|one| &one.listing_id == id)
    };
    let becomes = |state| format!("UPDATE listing SET state = '{state}' WHERE id = '{id}'");
    assert!(shown().await);
    mall.sql(&becomes("takendown")).await;
    assert!(!shown().await, "taken down, and shown");
    mall.sql(&becomes("listed")).await;
    // The comparison may have come between.
    eventually("it is back", || async { shown().await.then_some(()) }).await;
}

async fn nobody_sees_what_is_not_listed(mall: &Mall) {
    let draft = mall
        .running
        .draft("u9", "f9")
        .await
        .listing
        .expect("one")
        .listing_id;
    let gone = &mall.ids[3];
    assert_eq!(mall.running.withdraw("u1", gone).await, "withdrawn");
    for id in [&draft, gone] {
        let answer = mall.detail(id).await.expect_err("hidden");
        assert_eq!(code_of(&answer), code::NOT_FOUND);
        assert!(mall.cards(std::slice::from_ref(id)).await.is_empty());
        let similar = SimilarModelsRequest {
            model_id: id.clone(),
            size: 3,
        };
        let answer = mall
            .client()
            .similar_models(mall.running.by("", similar))
            .await;
        assert_eq!(code_of(&answer.expect_err("hidden")), code::NOT_FOUND);
    }
    let author = AuthorRequest {
        author_id: "u9".to_owned(),
    };
    let answer = mall
        .client()
        .author_detail(mall.running.by("", author))
        .await;
    assert_eq!(
        code_of(&answer.expect_err("nothing of theirs")),
        code::NOT_FOUND
    );
    mall.until(6).await;
    // The back way: shown again.
    assert_eq!(mall.running.relist("u1", gone).await, "listed");
    mall.until(7).await;
}

/// A change that no round looks back to is found by the comparison.
async fn a_difference_is_found(mall: &Mall) {
    let id = &mall.ids[1];
    mall.sql(&format!(
        "UPDATE listing SET state = 'removed', updated_at = 1 WHERE id = '{id}'"
    ))
    .await;
    assert!(mall.cards(std::slice::from_ref(id)).await.is_empty());
    mall.until(6).await;
}

//! What is found: by words, filters and order, with what counts; and odd requests.

use std::collections::BTreeSet;

use chassis::testing::{code_of, eventually};
use proto::code;
use proto::common::v1::Empty;
use proto::transaction::v1::*;

use super::Mall;

pub(super) async fn words(mall: &Mall) {
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

/// What a maker made is found by the maker's name, once personal has told it.
pub(super) async fn makers(mall: &Mall) {
    eventually("names of makers", || async {
        let all = mall.by_word("模型师").await;
        (all.total_count == 7).then_some(())
    })
    .await;
    let names = |keyword: &'static str| async move {
        let found = mall.by_word(keyword).await.results;
        let names = found.into_iter().map(|one| one.name);
        names.collect::<BTreeSet<String>>()
    };
    let both = BTreeSet::from(["会走路的机器人", "青花瓷瓶"].map(str::to_owned));
    assert_eq!(names("模型师u2").await, both);
    assert_eq!(names("moxingshiu2").await, both);
    let one = BTreeSet::from(["青花瓷瓶".to_owned()]);
    assert_eq!(names("花瓶 模型师U2").await, one);
    assert_eq!(names("模型师u1 花瓶").await, BTreeSet::new());
    let form = SuggestRequest {
        keyword: "模型师".to_owned(),
    };
    let answer = mall.client().suggest(mall.running.by("", form)).await;
    let answer = answer.expect("suggestions").into_inner().results;
    let answer: BTreeSet<(String, String)> =
        answer.into_iter().map(|one| (one.text, one.kind)).collect();
    let suggested = ["模型师u1", "模型师u2", "模型师u3"];
    assert_eq!(
        answer,
        suggested
            .map(|name| (name.to_owned(), "maker".to_owned()))
            .into()
    );
}

pub(super) async fn filters(mall: &Mall) {
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
pub(super) async fn counts(mall: &Mall) {
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
    // Other values of a chosen facet count what they would find; all other facets count what is found.
    let chosen = ModelListRequest {
        formats: "glb".to_owned(),
        price_min: Some(4_000),
        ..Default::default()
    };
    let chosen = mall.found(chosen).await.expect("found");
    assert_eq!(chosen.total_count, 2);
    for (facet, key, count) in [
        ("format", "glb", 2),
        ("format", "obj", 1),
        ("format", "stl", 0),
        ("price", "1000-5000", 2),
        ("price", "5000-10000", 1),
        ("origin", "ai", 1),
        ("origin", "adapted", 0),
    ] {
        assert_eq!(bucket(&chosen, facet, key), count, "{facet} {key}");
    }
    // What is chosen keeps its name where nothing is found by it.
    let nothing = ModelListRequest {
        keyword: "潜水艇".to_owned(),
        category_id: "c1001".to_owned(),
        license: "personal".to_owned(),
        price_min: Some(1_000),
        price_max: Some(4_999),
        ..Default::default()
    };
    let nothing = mall.found(nothing).await.expect("nothing");
    let named = nothing.facets.iter().flat_map(|facet| &facet.buckets);
    let named: Vec<(&str, i64)> = named.map(|one| (one.name.as_str(), one.count)).collect();
    assert_eq!(named, [("齿轮与传动", 0), ("10–50元", 0), ("个人授权", 0)]);
    let between = |column, from, to| {
        format!(
            "SELECT COUNT(*) FROM listing WHERE state = 'listed' AND {column} >= {from} AND {column} < {to}"
        )
    };
    for (facet, column, from, to) in [
        ("price", "price", 1_000, 5_000),
        ("triangles", "triangles", 10_000, 50_000),
    ] {
        let counted = mall.running.number(&between(column, from, to)).await;
        assert_eq!(
            bucket(&found, facet, &format!("{from}-{to}")),
            counted,
            "{facet}"
        );
    }
    for least in [60, 70, 80, 90] {
        let counted = mall.running.number(&between("score", least, 1_000)).await;
        assert_eq!(bucket(&found, "score", &format!("{least}-")), counted);
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

pub(super) async fn orders(mall: &Mall) {
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

pub(super) async fn strange_questions(mall: &Mall) {
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

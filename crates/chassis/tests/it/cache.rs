use std::time::Duration;

use chassis::testing::{Proxy, TestParts, eventually, every_shape};
use chassis::{Cache, CacheConfig};

const LIFE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn values_counters_and_single_use() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let cache = test.parts.cache.scoped("t");
        assert_eq!(cache.get("a").await.unwrap(), None);
        cache.put("a", b"1", LIFE).await.unwrap();
        assert_eq!(cache.get("a").await.unwrap().as_deref(), Some(&b"1"[..]));
        assert!(
            !cache.put_new("a", b"2", LIFE).await.unwrap(),
            "{shape:?}: taken already"
        );
        assert!(cache.put_new("b", b"2", LIFE).await.unwrap());
        assert_eq!(cache.take("b").await.unwrap().as_deref(), Some(&b"2"[..]));
        assert_eq!(cache.take("b").await.unwrap(), None);
        for expected in 1..=3 {
            assert_eq!(cache.count("n", LIFE).await.unwrap(), expected, "{shape:?}");
        }
        assert_eq!(
            test.parts.cache.get("a").await.unwrap(),
            None,
            "scopes are apart"
        );
        test.finish().await;
    }
}

#[tokio::test]
async fn lives_end() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let cache = &test.parts.cache;
        let short = Duration::from_millis(50);
        cache.put("a", b"1", short).await.unwrap();
        cache.count("n", short).await.unwrap();
        eventually("value and counter gone", || async {
            let gone = cache.get("a").await.unwrap().is_none();
            (gone && cache.get("n").await.unwrap().is_none()).then_some(())
        })
        .await;
        assert_eq!(
            cache.count("n", LIFE).await.unwrap(),
            1,
            "{shape:?}: a new window"
        );
        test.finish().await;
    }
}

#[tokio::test]
async fn a_group_has_the_last_value_of_each_member() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let cache = test.parts.cache.scoped("t");
        assert!(cache.members("g").await.unwrap().is_empty());
        for (member, value) in [("a", &b"1"[..]), ("b", b"\xff"), ("a", b"2")] {
            cache.put_member("g", member, value, LIFE).await.unwrap();
        }
        let members = cache.members("g").await.unwrap();
        let shown: Vec<_> = members.iter().collect();
        let (a, b) = ("a".to_owned(), "b".to_owned());
        assert_eq!(
            shown,
            [(&a, &b"2".to_vec()), (&b, &b"\xff".to_vec())],
            "{shape:?}"
        );
        cache.remove_members("g", &[]).await.unwrap();
        cache
            .remove_members("g", &[a, "c".to_owned()])
            .await
            .unwrap();
        assert_eq!(cache.members("g").await.unwrap().len(), 1, "{shape:?}");
        assert!(
            test.parts.cache.members("g").await.unwrap().is_empty(),
            "scopes are apart"
        );

        // Many at once.
        let putting = (0..32).map(|number| {
            let cache = cache.clone();
            tokio::spawn(async move {
                let member = format!("m{number}");
                cache.put_member("g", &member, b"x", LIFE).await.unwrap();
            })
        });
        futures::future::join_all(putting).await;
        assert_eq!(cache.members("g").await.unwrap().len(), 33, "{shape:?}");
        let short = Duration::from_millis(50);
        cache.put_member("h", "a", b"1", short).await.unwrap();
        eventually("the group is gone", || async {
            cache.members("h").await.unwrap().is_empty().then_some(())
        })
        .await;
        test.finish().await;
    }
}

#[tokio::test]
async fn of_many_at_once_one_gets_it() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let cache = test.parts.cache.clone();
        cache.put("once", b"x", LIFE).await.unwrap();
        let mut takers = Vec::new();
        for _ in 0..32 {
            let cache = cache.clone();
            takers.push(tokio::spawn(async move {
                cache.take("once").await.unwrap().is_some()
            }));
        }
        let mut winners = 0;
        for taker in takers {
            winners += u32::from(taker.await.unwrap());
        }
        assert_eq!(winners, 1, "{shape:?}");
        test.finish().await;
    }
}

/// Forwards bytes to a server until it is cut.
struct Link {
    address: std::net::SocketAddr,
    cut: tokio::sync::watch::Sender<u32>,
}

impl Link {
    async fn to(server: String) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (cut, cuts) = tokio::sync::watch::channel(0);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let (server, mut cuts) = (server.clone(), cuts.clone());
                cuts.mark_unchanged();
                tokio::spawn(async move {
                    let mut far = tokio::net::TcpStream::connect(server).await.unwrap();
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
                        _ = cuts.changed() => {}
                    }
                });
            }
        });
        Self { address, cut }
    }
}

#[tokio::test]
async fn a_cut_connection_is_replaced() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let mut config: CacheConfig = test.settings.section("cache").unwrap();
        if let Some(rest) = config.url.clone().strip_prefix("redis://") {
            let (server, database) = rest.split_once('/').unwrap_or((rest, "0"));
            let link = Link::to(server.to_owned()).await;
            config.url = format!("redis://{}/{database}", link.address);
            let cache = Cache::open(&config).unwrap();
            cache.put("a", b"1", LIFE).await.unwrap();
            for _ in 0..3 {
                link.cut.send_modify(|cuts| *cuts += 1);
                // What was under way may fail; what comes later must not.
                eventually("the cache answers again", || async {
                    cache.get("a").await.ok().flatten()
                })
                .await;
                for _ in 0..20 {
                    cache.get("a").await.unwrap();
                }
            }
        }
        test.finish().await;
    }
}

#[tokio::test]
async fn a_silent_connection_costs_no_call() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let mut config: CacheConfig = test.settings.section("cache").unwrap();
        if config.url.starts_with("redis:") {
            let proxy = Proxy::before(&config.url).await;
            config.url = proxy.through(&config.url);
            // A quarter of it is waited for a connection to answer.
            config.wait_ms = 8_000;
            config.trusted_ms = 0;
            let cache = Cache::open(&config).unwrap();
            cache.put("a", b"1", LIFE).await.unwrap();
            for _ in 0..2 {
                proxy.silence();
                assert_eq!(cache.get("a").await.unwrap().as_deref(), Some(&b"1"[..]));
            }
        }
        test.finish().await;
    }
}

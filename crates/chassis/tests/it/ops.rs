//! Health and metrics beside the calls of a service by itself.

use chassis::bus::Subscription;
use chassis::messaging::{Event, Handler, Outbox};
use chassis::testing::{TestParts, eventually, every_shape};
use chassis::{Service, ops, rpc};
use metrics_exporter_prometheus::PrometheusBuilder;
use sea_orm::DatabaseTransaction;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The whole answer to a GET over HTTP/1.1.
async fn get(address: std::net::SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_service_tells_whether_it_lives_and_should_get_work() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let context = test.context("ops").await;
        let shutdown = context.shutdown.clone();
        let routes = tonic::service::RoutesBuilder::default().routes();
        let service = Service {
            name: "ops",
            routes: ops::with_ops(routes, context.clone(), None),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(rpc::serve_on(service, listener, shutdown.clone()));

        let alive = get(address, "/healthz").await;
        assert!(alive.starts_with("HTTP/1.1 200"), "{alive}");
        let ready = get(address, "/readyz").await;
        assert!(ready.starts_with("HTTP/1.1 200"), "{ready}");
        assert!(ready.contains(r#""database":true"#), "{ready}");
        // No recorder was given.
        assert!(get(address, "/metrics").await.starts_with("HTTP/1.1 404"));

        // Without its database it asks for no work, but lives. An answer serves all who ask within a moment.
        context.db.clone().close().await.unwrap();
        let ready = eventually("it is not ready", || async {
            let answer = get(address, "/readyz").await;
            answer.starts_with("HTTP/1.1 503").then_some(answer)
        })
        .await;
        assert!(ready.contains(r#""database":false"#), "{ready}");
        assert!(get(address, "/healthz").await.starts_with("HTTP/1.1 200"));
        shutdown.request();
        server.await.unwrap().unwrap();
        test.finish().await;
    }
}

struct Idle;

#[async_trait::async_trait]
impl Handler for Idle {
    async fn handle(&self, _: &DatabaseTransaction, _: &Event) -> anyhow::Result<()> {
        Ok(())
    }
}

impl proto::commands::Server<chassis::ServiceError> for Idle {
    const SERVICE: &'static str = "idle";

    async fn handle(&self, _: &str, body: &[u8]) -> Result<Vec<u8>, chassis::ServiceError> {
        Ok(body.to_vec())
    }
}

/// The increase of a counter that appears with its first event is not seen.
#[tokio::test]
async fn counters_of_work_that_is_given_up_are_there_from_the_start() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let context = test.context("personal").await;
        let outbox = Outbox::new(context.db.clone(), context.clock.clone());
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, || {
            let idle = std::sync::Arc::new(Idle);
            let subscription = Subscription::observing("personal", outbox.clone(), idle);
            context.bus.subscribe(subscription);
            context.bus.serve(Idle);
            outbox.spawn_relays(&context);
        });
        let shown = recorder.handle().render();
        for task in [
            "personal",
            "command",
            "relay of the outbox",
            "cleaning of the outbox",
        ] {
            let counter = format!("xuanlan_given_up_total{{task=\"{task}\"}} 0");
            assert!(shown.contains(&counter), "{shape:?}: {counter} in {shown}");
        }
        test.finish().await;
    }
}

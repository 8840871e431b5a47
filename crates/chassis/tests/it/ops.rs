//! Health and metrics beside the calls of a service by itself.

use chassis::testing::{TestParts, every_shape};
use chassis::{Service, ops, rpc};
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
            routes: ops::with_ops(routes, context.clone(), None).unwrap(),
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

        // Without its database it asks for no work, but lives.
        context.db.clone().close().await.unwrap();
        let ready = get(address, "/readyz").await;
        assert!(ready.starts_with("HTTP/1.1 503"), "{ready}");
        assert!(get(address, "/healthz").await.starts_with("HTTP/1.1 200"));
        shutdown.request();
        server.await.unwrap().unwrap();
        test.finish().await;
    }
}

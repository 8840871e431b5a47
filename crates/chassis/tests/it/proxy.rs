//! A TCP proxy whose connections can go silent for ever, as in a failover: nothing breaks, nothing comes, and new ones work.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

pub struct Proxy {
    address: SocketAddr,
    /// How often its connections went silent.
    silences: watch::Sender<u64>,
}

impl Proxy {
    /// In front of the server that `url` names.
    pub async fn before(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let silences = watch::Sender::new(0_u64);
        let (target, watched) = (authority(url).to_owned(), silences.clone());
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let silence = watched.subscribe();
                tokio::spawn(carry(near, target.clone(), silence));
            }
        });
        Self { address, silences }
    }

    /// The URL through the proxy.
    pub fn through(&self, url: &str) -> String {
        url.replacen(authority(url), &self.address.to_string(), 1)
    }

    /// Every connection there is carries nothing any more.
    pub fn silence(&self) {
        self.silences.send_modify(|count| *count += 1);
    }
}

/// `host:port` of a URL.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").unwrap().1;
    let rest = rest.split_once('/').map_or(rest, |(rest, _)| rest);
    rest.rsplit_once('@').map_or(rest, |(_, rest)| rest)
}

async fn carry(mut near: TcpStream, target: String, mut silence: watch::Receiver<u64>) {
    let Ok(mut far) = TcpStream::connect(&target).await else {
        return;
    };
    tokio::select! {
        _ = copy_bidirectional(&mut near, &mut far) => {}
        // Both stay open and unread.
        Ok(()) = silence.changed() => std::future::pending().await,
    }
}

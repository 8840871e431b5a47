//! The ports of `xuanlan run`, and their addresses for browsers.

use std::net::{IpAddr, SocketAddr, TcpListener};

use anyhow::{Context as _, bail};

use crate::RunOptions;

/// The ports, bound before anything else is started.
pub struct Ports {
    pub site: TcpListener,
    pub store: TcpListener,
    pub console: TcpListener,
    pub embed: TcpListener,
    pub places: Places,
}

/// Addresses of the ports.
#[derive(Clone)]
pub struct Places {
    pub site: SocketAddr,
    pub store: SocketAddr,
    pub console: SocketAddr,
    pub embed: SocketAddr,
    pub sandbox: Option<u16>,
    pub analytics: u16,
    pub host: String,
}

impl Ports {
    pub fn take(options: &RunOptions) -> anyhow::Result<Self> {
        let address: IpAddr = options
            .host
            .parse()
            .with_context(|| format!("监听地址 {} 不正确，应为 IP 地址", options.host))?;
        let next = |offset: u16, chosen: Option<u16>| match (chosen, options.port) {
            (Some(port), _) => port,
            // Port 0 lets the system choose.
            (None, 0) => 0,
            (None, port) => port.saturating_add(offset),
        };
        let site = bind(address, options.port, "--port")?;
        let store = bind(address, next(1, options.store_port), "--store-port")?;
        let sandbox = match options.no_sandbox {
            true => None,
            // The sandbox binds its port itself; it is only tried here, so that a port in use is reported before the start.
            false => Some(
                bind(address, next(2, options.sandbox_port), "--sandbox-port")?
                    .local_addr()?
                    .port(),
            ),
        };
        let console = bind(address, next(3, options.console_port), "--console-port")?;
        // Bound by the service itself, like the sandbox's.
        let analytics = bind(address, next(4, options.analytics_port), "--analytics-port")?
            .local_addr()?
            .port();
        let embed = bind(address, next(5, options.embed_port), "--embed-port")?;
        let host = match &options.public_host {
            Some(host) => host.clone(),
            None if address.is_unspecified() => "127.0.0.1".to_owned(),
            None if address.is_ipv6() => format!("[{address}]"),
            None => address.to_string(),
        };
        let places = Places {
            site: site.local_addr()?,
            store: store.local_addr()?,
            console: console.local_addr()?,
            embed: embed.local_addr()?,
            sandbox,
            analytics,
            host,
        };
        Ok(Self {
            site,
            store,
            console,
            embed,
            places,
        })
    }
}

impl Places {
    pub fn url(&self, port: u16) -> String {
        format!("http://{}:{port}", self.host)
    }
}

fn bind(address: IpAddr, port: u16, option: &str) -> anyhow::Result<TcpListener> {
    let socket = SocketAddr::new(address, port);
    match TcpListener::bind(socket) {
        Ok(listener) => {
            listener.set_nonblocking(true)?;
            Ok(listener)
        }
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            bail!("端口 {port} 已被占用：请关闭占用它的程序，或用 {option} 换一个端口")
        }
        Err(error) => bail!("无法监听 {socket}：{error}"),
    }
}

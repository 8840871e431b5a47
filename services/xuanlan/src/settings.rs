//! Settings that `xuanlan run` derives from the command line, the ports and the sandbox.

use std::net::SocketAddr;

use chassis::config::ConfigError;
use chassis::environment::{is_private, not_private};
use chassis::{Clock, Settings};
use sandbox::config::SandboxConfig;
use sandbox::pay::identity::Identity;
use sandbox::social;
use toml::Value;

use crate::ports::Places;
use crate::{RunOptions, modules};

/// Defaults, file and environment, overridden by the command line.
pub fn load(options: &RunOptions, places: &Places) -> anyhow::Result<Settings> {
    // Absolute: child processes work in folders of their own.
    let data = options.data.canonicalize()?.display().to_string();
    let mut variables: Vec<(String, String)> = std::env::vars()
        .filter(|(name, _)| name.starts_with("XUANLAN__"))
        .collect();
    variables.push(("XUANLAN__DATA__DIR".into(), data.clone()));
    let mut settings =
        Settings::load_from(&modules::defaults(), options.config.as_deref(), variables)?;
    let frontend = options.frontend.display().to_string();
    put_all(&mut settings, served(places, frontend, &data))?;
    let open = open_name(&settings, options, places)?;
    put_all(&mut settings, open)?;
    let visits = visits(&settings, places)?;
    put_all(&mut settings, visits)?;
    if let Some(port) = places.sandbox {
        put_all(&mut settings, shown(places, port))?;
    }
    let payments = payments(&settings, places)?;
    put_all(&mut settings, payments)?;
    let third_parties = third_parties(&settings, places)?;
    put_all(&mut settings, third_parties)?;
    Ok(settings)
}

/// Values by path.
type Decided = Vec<(&'static str, Value)>;

fn put_all(settings: &mut Settings, values: Decided) -> Result<(), ConfigError> {
    for (path, value) in values {
        settings.put(path, value)?;
    }
    Ok(())
}

/// Listen addresses and paths.
fn served(places: &Places, frontend: String, data: &str) -> Decided {
    vec![
        ("gateway.listen", places.site.to_string().into()),
        ("gateway.console.listen", places.console.to_string().into()),
        (
            "gateway.console.public_address",
            places.url(places.console.port()).into(),
        ),
        ("gateway.embed.listen", places.embed.to_string().into()),
        (
            "gateway.embed.public_address",
            places.url(places.embed.port()).into(),
        ),
        ("gateway.embed.site_origins", origins(places).into()),
        ("gateway.static_dir", frontend.into()),
        ("gateway.demo_dir", format!("{data}/demo").into()),
        ("objectstore.listen", places.store.to_string().into()),
        (
            "objectstore.public_address",
            places.url(places.store.port()).into(),
        ),
    ]
}

/// The address for browsers, if its name is not a private one: what must not be open to the outside looks at it
/// (`chassis::environment`). A private one is not stated, for where the gateway listens may be open all the same.
fn open_name(
    settings: &Settings,
    options: &RunOptions,
    places: &Places,
) -> anyhow::Result<Decided> {
    let open = options
        .public_host
        .as_deref()
        .is_some_and(|host| !is_private(host));
    if !open || not_private(settings)?.is_some() {
        return Ok(Decided::new());
    }
    let address = places.url(places.site.port());
    Ok(vec![("site.public_address", address.into())])
}

/// The address for beacons, unless configured.
fn visits(settings: &Settings, places: &Places) -> anyhow::Result<Decided> {
    let analytics: xl_analytics::config::AnalyticsConfig = settings.section("analytics")?;
    let listen = SocketAddr::new(places.site.ip(), places.analytics).to_string();
    let mut decided = vec![("analytics.beacons.listen", listen.into())];
    if analytics.beacons.origins.is_empty() {
        decided.push(("analytics.beacons.origins", origins(places).into()));
    }
    let site: gateway::config::SiteConfig = settings.section("site")?;
    if site.analytics_host.is_empty() {
        let address = places.url(places.analytics);
        decided.push(("site.analytics_host", address.into()));
    }
    Ok(decided)
}

/// The sandbox, and the codes it shows instead of sending them to a phone.
fn shown(places: &Places, port: u16) -> Decided {
    let listen = SocketAddr::new(places.site.ip(), port).to_string();
    let address = places.url(port);
    vec![
        ("sandbox.enabled", true.into()),
        ("sandbox.listen", listen.into()),
        ("sandbox.public_address", address.clone().into()),
        ("site.sandbox", address.into()),
        ("auth.sms.sender", "sandbox".into()),
        ("auth.mail.sender", "sandbox".into()),
        ("auth.slider.reveal", true.into()),
    ]
}

/// Sets auth's page origins, and points providers that are not configured to the sandbox.
fn third_parties(settings: &Settings, places: &Places) -> anyhow::Result<Decided> {
    let auth: xl_auth::config::AuthConfig = settings.section("auth")?;
    let mut decided = Decided::new();
    if auth.third_party.site_origins.is_empty() {
        let origins = origins(places).into();
        decided.push(("auth.third_party.site_origins", origins));
    }
    let Some(port) = places.sandbox else {
        return Ok(decided);
    };
    if SandboxConfig::allowed(settings)?.is_none() {
        return Ok(decided);
    }
    let address = places.url(port);
    if auth.wechat.app_id.is_empty() {
        decided.push(("site.wechat_app_id", social::WECHAT_APP.into()));
        decided.push(("auth.wechat", social::wechat(&address).into()));
    }
    if auth.qq.app_id.is_empty() {
        decided.push(("site.qq_app_id", social::QQ_APP.into()));
        decided.push(("auth.qq", social::qq(&address).into()));
    }
    Ok(decided)
}

/// Origins of this installation's pages.
fn origins(places: &Places) -> Vec<String> {
    let mut origins = vec![places.url(places.site.port())];
    if places.site.ip().is_loopback() || places.site.ip().is_unspecified() {
        origins.push(format!("http://localhost:{}", places.site.port()));
    }
    origins
}

/// Sets payment's addresses, and points channels that are not configured to the sandbox.
fn payments(settings: &Settings, places: &Places) -> anyhow::Result<Decided> {
    let payment: xl_payment::config::PaymentConfig = settings.section("payment")?;
    let site = places.url(places.site.port());
    let mut decided = Decided::new();
    if payment.site_origins.is_empty() {
        decided.push(("payment.site_origins", origins(places).into()));
    }
    if payment.notify_address.is_empty() {
        decided.push(("payment.notify_address", site.into()));
    }
    let Some(port) = places.sandbox else {
        return Ok(decided);
    };
    // Not set if the sandbox or its payment is off.
    let Some(sandbox) = SandboxConfig::allowed(settings)?.filter(|sandbox| sandbox.pay.enabled)
    else {
        return Ok(decided);
    };
    let keys = Identity::open(&sandbox.pay.folder, Clock::system().now_ms())?.merchant_keys()?;
    let address = places.url(port);
    if payment.alipay.app_id.is_empty() {
        decided.push(("payment.alipay", keys.alipay(&address).into()));
    }
    if payment.wechat.mch_id.is_empty() {
        decided.push(("payment.wechat", keys.wechat(&address).into()));
    }
    Ok(decided)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;
    use tempfile::TempDir;
    use toml::Table;
    use xl_payment::config::PaymentConfig;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: RunOptions,
    }

    fn places(sandbox: Option<u16>) -> Places {
        Places {
            site: "127.0.0.1:7000".parse().unwrap(),
            store: "127.0.0.1:7001".parse().unwrap(),
            console: "127.0.0.1:7003".parse().unwrap(),
            embed: "127.0.0.1:7005".parse().unwrap(),
            sandbox,
            analytics: 7004,
            host: "127.0.0.1".to_owned(),
        }
    }

    /// The settings of a start in `folder`, with a file of these lines over the defaults.
    fn loaded(folder: &Path, file: &str, sandbox: Option<u16>) -> Settings {
        let config = folder.join("a.toml");
        std::fs::write(&config, file).unwrap();
        let mut options = Line::parse_from(["run", "--frontend", "pages"]).options;
        options.data = folder.to_owned();
        options.config = Some(config);
        load(&options, &places(sandbox)).unwrap()
    }

    fn table(settings: &Settings, section: &str) -> Table {
        settings.section(section).unwrap()
    }

    #[test]
    fn the_command_line_wins_and_the_rest_of_a_section_stays() {
        let folder = TempDir::new().unwrap();
        let file = "[gateway]\nlisten = \"0.0.0.0:1\"\n[auth.sms]\nsender = \"log\"\n";
        let settings = loaded(folder.path(), file, Some(7002));
        let (gateway, auth) = (table(&settings, "gateway"), table(&settings, "auth"));
        assert_eq!(gateway["listen"].as_str(), Some("127.0.0.1:7000"));
        assert_eq!(gateway["static_dir"].as_str(), Some("pages"));
        let default: Table = xl_auth::DEFAULTS.parse().unwrap();
        for (inner, key, value) in [
            ("sms", "sender", Value::from("sandbox")),
            ("slider", "reveal", Value::from(true)),
        ] {
            let mut expected = default["auth"][inner].as_table().unwrap().clone();
            expected.insert(key.to_owned(), value);
            assert_eq!(auth[inner].as_table(), Some(&expected));
        }
        let sandbox = table(&settings, "sandbox");
        assert_eq!(sandbox["listen"].as_str(), Some("127.0.0.1:7002"));
        let site = table(&settings, "site");
        assert_eq!(site["sandbox"].as_str(), Some("http://127.0.0.1:7002"));
        // Pages offer the providers auth has configured (TP006: the ids are of this installation).
        for (provider, id) in [("wechat", "wechat_app_id"), ("qq", "qq_app_id")] {
            let offered = site[id].as_str().unwrap();
            assert!(!offered.is_empty());
            assert_eq!(auth[provider]["app_id"].as_str(), Some(offered));
        }
    }

    #[test]
    fn without_a_sandbox_nothing_is_shown_and_no_channel_opens() {
        let folder = TempDir::new().unwrap();
        let settings = loaded(folder.path(), "", None);
        let default: Table = xl_auth::DEFAULTS.parse().unwrap();
        let mut expected = default["auth"].as_table().unwrap().clone();
        let own = ["http://127.0.0.1:7000", "http://localhost:7000"];
        expected["third_party"]["site_origins"] = own.to_vec().into();
        assert_eq!(table(&settings, "auth"), expected);
        assert!(expected["wechat"]["app_id"].as_str().unwrap().is_empty());
        let payment: PaymentConfig = settings.section("payment").unwrap();
        assert_eq!(payment.notify_address, "http://127.0.0.1:7000");
        assert_eq!(
            payment.site_origins,
            ["http://127.0.0.1:7000", "http://localhost:7000"]
        );
        assert!(payment.alipay.app_id.is_empty() && payment.wechat.mch_id.is_empty());
    }

    #[test]
    fn what_the_outside_reaches_is_not_private() {
        let folder = TempDir::new().unwrap();
        for (listen, arguments, expected) in [
            ("127.0.0.1:7000", &["run"][..], true),
            ("192.168.1.4:7000", &["run"], true),
            (
                "192.168.1.4:7000",
                &["run", "--public-host", "localhost"],
                true,
            ),
            ("0.0.0.0:7000", &["run"], false),
            (
                "0.0.0.0:7000",
                &["run", "--public-host", "192.168.1.4"],
                false,
            ),
            (
                "127.0.0.1:7000",
                &["run", "--public-host", "3d.example.com"],
                false,
            ),
        ] {
            let mut options = Line::parse_from(arguments).options;
            options.data = folder.path().to_owned();
            let mut places = places(None);
            places.site = listen.parse().unwrap();
            if let Some(host) = &options.public_host {
                places.host.clone_from(host);
            }
            let settings = load(&options, &places).unwrap();
            let private = not_private(&settings).unwrap().is_none();
            assert_eq!(private, expected, "{listen} {arguments:?}");
        }
    }

    #[test]
    fn a_channel_that_is_configured_is_not_the_sandboxs() {
        let folder = TempDir::new().unwrap();
        let file =
            "[payment]\nnotify_address = \"https://a\"\n[payment.alipay]\napp_id = \"2021\"\n";
        let settings = loaded(folder.path(), file, Some(7002));
        let payment: PaymentConfig = settings.section("payment").unwrap();
        assert_eq!(payment.notify_address, "https://a");
        assert_eq!(payment.alipay.app_id, "2021");
        assert!(!payment.wechat.mch_id.is_empty());
    }
}

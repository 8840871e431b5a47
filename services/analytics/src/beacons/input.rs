//! Validates beacons. Texts are truncated, addresses lose what may identify a person; ids and kinds must be valid.

use std::net::IpAddr;

use serde::Deserialize;
use url::Url;

use crate::records::{TEXT, is_visitor, shortened};

/// Characters of a path.
const PATH: usize = 255;

const SOURCES: [&str; 3] = ["search", "link", "direct"];

/// `POST /visitor/add`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Add {
    cookie: String,
    #[serde(default)]
    dap: String,
    entrance_url: String,
    source: String,
    #[serde(default)]
    source_url: String,
}

/// `POST /visitor/end`.
#[derive(Deserialize)]
pub(super) struct End {
    uuid: String,
}

/// `POST /visitor/update`: another page of the same visit.
#[derive(Deserialize)]
pub(super) struct Update {
    uuid: String,
    cookie: String,
    url: String,
}

/// `POST /support/click`.
#[derive(Deserialize)]
pub(super) struct Support {
    cookie: String,
    item: String,
    #[serde(default)]
    url: String,
}

/// `POST /action/log`. Its `username` is not read.
#[derive(Deserialize)]
pub(super) struct Action {
    #[serde(default)]
    source: String,
    #[serde(rename = "touristId")]
    tourist_id: String,
    #[serde(default)]
    user_id: String,
    #[serde(default)]
    template: String,
    #[serde(default)]
    tag: String,
    #[serde(default)]
    location: String,
    #[serde(default)]
    node: String,
}

/// A valid beacon.
#[derive(Debug, PartialEq)]
pub(super) enum Beacon {
    Add {
        visitor: String,
        source: String,
        source_host: String,
        entrance: String,
        dap: String,
    },
    End {
        visit: String,
    },
    Update {
        visit: String,
        path: String,
    },
    Support {
        visitor: String,
        item: String,
        path: String,
    },
    Action {
        visitor: String,
        source: String,
        user_claim: String,
        template: String,
        tag: String,
        location: String,
        node: String,
    },
}

/// Why a beacon is refused, for the caller.
pub(super) type Wrong = &'static str;

fn visitor(cookie: String) -> Result<String, Wrong> {
    match is_visitor(&cookie) {
        true => Ok(cookie),
        false => Err("访客编号格式不正确"),
    }
}

fn visit(uuid: String) -> Result<String, Wrong> {
    match is_visitor(&uuid) {
        true => Ok(uuid),
        false => Err("访问编号格式不正确"),
    }
}

/// The path of an address of the site, without the query, which may contain private data.
fn path_of(address: &str) -> String {
    let path = match Url::parse(address) {
        Ok(url) => url.path().to_owned(),
        Err(_) => address
            .split(['?', '#'])
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    shortened(&path, PATH)
}

fn host_of(address: &str) -> String {
    let url = Url::parse(address).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
    shortened(host, PATH)
}

/// A body that can be validated.
pub(super) trait Say: serde::de::DeserializeOwned {
    fn understood(self) -> Result<Beacon, Wrong>;
}

impl Say for Add {
    fn understood(self) -> Result<Beacon, Wrong> {
        if !SOURCES.contains(&self.source.as_str()) {
            return Err("来源类型不正确");
        }
        if Url::parse(&self.entrance_url).is_err() {
            return Err("入口地址格式不正确");
        }
        Ok(Beacon::Add {
            visitor: visitor(self.cookie)?,
            entrance: path_of(&self.entrance_url),
            source_host: host_of(&self.source_url),
            dap: shortened(&self.dap, TEXT),
            source: self.source,
        })
    }
}

impl Say for End {
    fn understood(self) -> Result<Beacon, Wrong> {
        Ok(Beacon::End {
            visit: visit(self.uuid)?,
        })
    }
}

impl Say for Update {
    fn understood(self) -> Result<Beacon, Wrong> {
        visitor(self.cookie)?;
        Ok(Beacon::Update {
            visit: visit(self.uuid)?,
            path: path_of(&self.url),
        })
    }
}

impl Say for Support {
    fn understood(self) -> Result<Beacon, Wrong> {
        if self.item.is_empty() {
            return Err("缺少点击的项目");
        }
        Ok(Beacon::Support {
            visitor: visitor(self.cookie)?,
            item: shortened(&self.item, TEXT),
            path: path_of(&self.url),
        })
    }
}

impl Say for Action {
    fn understood(self) -> Result<Beacon, Wrong> {
        Ok(Beacon::Action {
            visitor: visitor(self.tourist_id)?,
            source: shortened(&self.source, TEXT),
            user_claim: shortened(&self.user_id, TEXT),
            template: shortened(&self.template, TEXT),
            tag: shortened(&self.tag, TEXT),
            location: path_of(&self.location),
            node: shortened(&self.node, TEXT),
        })
    }
}

/// Parses a body. Errors: not JSON of that form, or a value is invalid.
pub(super) fn read<S: Say>(body: &[u8]) -> Result<Beacon, Wrong> {
    let said: S = serde_json::from_slice(body).map_err(|_| "内容不是要求的 JSON")?;
    said.understood()
}

/// The network of an address: /24 of IPv4, /48 of IPv6. Neither identifies a connection.
pub(super) fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(v6) => {
            let [a, b, c, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}::/48")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn an_address_keeps_its_path_and_no_more() {
        let body = format!(
            r#"{{"cookie":"{ID}","dap":"春","entranceUrl":"https://a.example/pricePage?token=1#x","source":"search","sourceUrl":"https://www.baidu.com/s?wd=张三","isJson":true}}"#
        );
        let expected = Beacon::Add {
            visitor: ID.into(),
            source: "search".into(),
            source_host: "www.baidu.com".into(),
            entrance: "/pricePage".into(),
            dap: "春".into(),
        };
        assert_eq!(read::<Add>(body.as_bytes()), Ok(expected));
        assert_eq!(path_of("/a?b=1"), "/a");
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for body in [
            "",
            "[]",
            "{}",
            r#"{"cookie":"x","entranceUrl":"https://a/","source":"direct"}"#,
            &format!(r#"{{"cookie":"{ID}","entranceUrl":"https://a/","source":"bought"}}"#),
            &format!(r#"{{"cookie":"{ID}","entranceUrl":"no address","source":"direct"}}"#),
        ] {
            assert!(read::<Add>(body.as_bytes()).is_err(), "{body}");
        }
    }

    #[test]
    fn networks_name_no_connection() {
        assert_eq!(network("198.51.100.7".parse().unwrap()), "198.51.100.0/24");
        assert_eq!(
            network("2001:db8:1:2:3:4:5:6".parse().unwrap()),
            "2001:db8:1::/48"
        );
    }
}

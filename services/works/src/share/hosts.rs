//! Hosts that may frame a share: `example.com`, `*.example.com` for whatever lies below it, with a port where there is one.

use chassis::{BusinessError, ServiceError};

const MOST: usize = 20;
const LONGEST: usize = 120;

/// What somebody has written, one after the other between commas or lines, in the order and without doubles.
pub(crate) fn read(text: &str) -> Result<String, ServiceError> {
    let mut hosts: Vec<String> = Vec::new();
    let parts = text.split([',', '，', '\n', ' ']).map(str::trim);
    for part in parts.filter(|part| !part.is_empty()) {
        let host = clean(part).ok_or_else(|| {
            BusinessError::invalid(format!(
                "“{}”不是域名，请填写 example.com 或 *.example.com",
                part.chars().take(40).collect::<String>()
            ))
        })?;
        if !hosts.contains(&host) {
            hosts.push(host);
        }
        if hosts.len() > MOST {
            return Err(BusinessError::invalid(format!("最多填写 {MOST} 个域名")).into());
        }
    }
    Ok(hosts.join(","))
}

/// In lower case, without what people copy with it from the address bar. None: no host.
fn clean(text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    let text = text.strip_prefix("https://").unwrap_or(&text);
    let text = text.strip_prefix("http://").unwrap_or(text);
    let text = text.trim_end_matches('/');
    let (name, port) = match text.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (text, None),
    };
    let port_known = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0));
    let below = name.strip_prefix("*.");
    let labels: Vec<&str> = below.unwrap_or(name).split('.').collect();
    let label = |part: &&str| {
        !part.is_empty()
            && !part.starts_with('-')
            && !part.ends_with('-')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let named = labels.iter().all(label) && (below.is_none() || labels.len() > 1);
    (text.len() <= LONGEST && port_known && named).then(|| text.to_owned())
}

/// Whether a host, with its port where it has one of its own, is one of them.
pub(crate) fn admit(hosts: &[String], host: &str) -> bool {
    hosts.iter().any(|known| match known.strip_prefix('*') {
        Some(ending) => host.len() > ending.len() && host.ends_with(ending),
        None => known == host,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_as_people_write_them() {
        let read = |text: &str| read(text).ok();
        assert_eq!(read("").as_deref(), Some(""));
        assert_eq!(
            read("https://A.example.com/, *.b.test\nlocalhost:8080，a.example.com").as_deref(),
            Some("a.example.com,*.b.test,localhost:8080")
        );
        for wrong in [
            "*",
            "*.com",
            "a b;c",
            "a..b",
            "-a.com",
            "a.com/x",
            "a.com:0",
            "a.com:70000",
            "中国",
            "a.com; script-src *",
            "'self'",
            "user@a.com",
        ] {
            assert!(read(wrong).is_none(), "{wrong}");
        }
        assert!(read(&vec!["a.test"; 30].join(",")).is_some(), "doubles");
        let many: Vec<String> = (0..21).map(|n| format!("a{n}.test")).collect();
        assert!(read(&many.join(",")).is_none());
    }

    #[test]
    fn a_host_is_one_of_them_by_the_letter() {
        let hosts = [
            "a.test".to_owned(),
            "*.b.test".to_owned(),
            "c:81".to_owned(),
        ];
        for own in ["a.test", "x.b.test", "x.y.b.test", "c:81"] {
            assert!(admit(&hosts, own), "{own}");
        }
        for other in [
            "",
            "b.test",
            "xb.test",
            "a.test.evil",
            "a.test:81",
            "c",
            "x.a.test",
            ".b.test",
        ] {
            assert!(!admit(&hosts, other), "{other}");
        }
    }
}

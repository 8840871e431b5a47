//! Hosts that may frame a share: `example.com`, `*.example.com` for its subdomains, with a port if there is one.

use chassis::{BusinessError, ServiceError};

const MOST: usize = 20;
const LONGEST: usize = 120;

/// Parses hosts separated by commas, spaces or lines; keeps their order and drops duplicates.
pub fn read(text: &str) -> Result<String, ServiceError> {
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

/// In lower case, without the other parts of a copied address. None: not a host.
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

/// Whether a host, with a non-default port, matches one of `hosts`.
pub fn admit(hosts: &[String], host: &str) -> bool {
    hosts.iter().any(|known| match known.strip_prefix('*') {
        Some(ending) => host.len() > ending.len() && host.ends_with(ending),
        None => known == host,
    })
}

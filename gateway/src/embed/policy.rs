//! Content-Security-Policy of the pages of shares, and who may frame them.

use proto::works::v1::OpenShareReply;

/// Value of frame-ancestors: the hosts that may frame the share, and the site's own pages, which always may.
pub fn ancestors(reply: &OpenShareReply, site: &[String]) -> String {
    if reply.anywhere {
        return "*".to_owned();
    }
    let mut named: Vec<String> = Vec::new();
    for host in reply.domains.iter().filter(|host| is_plain(host)) {
        // Without a scheme, an http page that frames this page over https would not match.
        named.push(format!("http://{host}"));
        named.push(format!("https://{host}"));
    }
    named.extend(site.iter().cloned());
    match named.is_empty() {
        true => "'none'".to_owned(),
        false => named.join(" "),
    }
}

/// Contains no character that would end the directive or the header.
fn is_plain(host: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-.:*".contains(&b);
    !host.is_empty() && host.bytes().all(plain)
}

/// For the page that draws the model: decoders are WebAssembly in workers, which load scripts and textures from blobs.
pub fn page(store: &str, nonce: &str, ancestors: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' blob:; worker-src 'self' blob:; \
         style-src 'nonce-{nonce}'; img-src 'self' data: blob: {store}; connect-src 'self' data: blob: {store}; \
         base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}; \
         sandbox allow-scripts allow-same-origin allow-downloads"
    )
}

/// For pages without a script.
pub fn still(nonce: &str, ancestors: &str) -> String {
    format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'self'; \
         frame-ancestors {ancestors}; sandbox allow-forms allow-same-origin"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_allowed_to_those_who_are_named() {
        let site = ["http://site.test".to_owned()];
        let reply = |anywhere, domains: &[&str]| OpenShareReply {
            anywhere,
            domains: domains.iter().map(|host| (*host).to_owned()).collect(),
            ..Default::default()
        };
        assert_eq!(ancestors(&reply(true, &[]), &site), "*");
        assert_eq!(ancestors(&reply(false, &[]), &site), "http://site.test");
        assert_eq!(ancestors(&reply(false, &[]), &[]), "'none'");
        assert_eq!(
            ancestors(&reply(false, &["*.a.test:81", "x; script-src *"]), &site),
            "http://*.a.test:81 https://*.a.test:81 http://site.test"
        );
    }
}

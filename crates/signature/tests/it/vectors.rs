//! `vectors.json` holds values on which implementations in three languages agreed; the frontend's tests read it too.

use d3sig::{
    ClientKey, Mac, Request, Salt, Sealed, canonical, decrypt_credential, digest,
    encrypt_credential, parse_pairs, sign_json, sign_pairs,
};
use serde_json::Value;

struct Vectors {
    root: Value,
    salt: Salt,
    time: i64,
}

impl Vectors {
    fn load() -> Self {
        let root: Value = serde_json::from_str(include_str!("../../vectors.json")).unwrap();
        let salt = hex(root["s_hex"].as_str().unwrap());
        let time = root["timestamp_ms"].as_i64().unwrap();
        Self { root, salt, time }
    }

    fn key(&self) -> ClientKey<'_> {
        ClientKey {
            client_id: self.root["client_id"].as_str().unwrap(),
            secret: self.root["client_secret"].as_str().unwrap(),
            kid: self.root["kid"].as_str().unwrap(),
        }
    }

    fn of(&self, kinds: &[&str]) -> Vec<&Value> {
        let all = self.root["vectors"].as_array().unwrap();
        let chosen: Vec<&Value> = all
            .iter()
            .filter(|v| kinds.contains(&v["kind"].as_str().unwrap()))
            .collect();
        assert!(!chosen.is_empty());
        chosen
    }
}

fn hex(text: &str) -> Salt {
    let mut salt = [0u8; 16];
    for (index, byte) in salt.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[index * 2..index * 2 + 2], 16).unwrap();
    }
    salt
}

fn text<'a>(vector: &'a Value, name: &str) -> &'a str {
    vector[name].as_str().unwrap_or_default()
}

fn request(vector: &Value) -> Request<'_> {
    Request {
        method: text(vector, "method"),
        path: text(vector, "path"),
        token: text(vector, "token"),
    }
}

#[test]
fn forms_and_queries() {
    let vectors = Vectors::load();
    for vector in vectors.of(&["form", "get"]) {
        let query = parse_pairs(text(vector, "query").as_bytes()).unwrap();
        let form = parse_pairs(text(vector, "body").as_bytes()).unwrap();
        let signed = if form.is_empty() { &query } else { &form };
        assert_eq!(canonical(signed), text(vector, "canonical"));
        assert_eq!(digest(&query, &form), text(vector, "digest_hex"));

        let key = vectors.key();
        let made = sign_pairs(
            &key,
            &request(vector),
            &query,
            &form,
            vectors.time,
            &vectors.salt,
        );
        assert_eq!(made.unwrap(), text(vector, "D"));

        let sealed = Sealed::parse(text(vector, "D")).unwrap();
        assert_eq!(sealed.kid(), "k1");
        let opened = sealed.open(&key, &request(vector)).unwrap();
        assert_eq!(opened.timestamp_ms, vectors.time);
        assert_eq!(opened.nonce, vectors.salt);
        assert!(opened.fits(&query, &form));
    }
}

#[test]
fn json_bodies() {
    let vectors = Vectors::load();
    let none: [(&str, &str); 0] = [];
    for vector in vectors.of(&["json"]) {
        let key = vectors.key();
        let body = text(vector, "body").as_bytes();
        let made = sign_json(
            &key,
            &request(vector),
            &none,
            body,
            vectors.time,
            &vectors.salt,
        );
        assert_eq!(made.unwrap(), text(vector, "md5"));
        let mac = Mac::parse(text(vector, "md5")).unwrap();
        assert_eq!((mac.kid(), mac.timestamp_ms()), ("k1", vectors.time));
        mac.verify(&key, &request(vector), &none, body).unwrap();
    }
}

#[test]
fn credentials() {
    let vectors = Vectors::load();
    for vector in vectors.of(&["credential"]) {
        let (token, field, user) = (
            text(vector, "token"),
            text(vector, "field"),
            text(vector, "userId"),
        );
        let key = vectors.key();
        let made = encrypt_credential(
            token,
            key.client_id,
            key.kid,
            field,
            user,
            text(vector, "plain"),
            &vectors.salt,
        );
        assert_eq!(made.unwrap(), text(vector, "value"));
        let opened = decrypt_credential(token, key.client_id, field, user, text(vector, "value"));
        assert_eq!(opened.unwrap(), text(vector, "plain"));
        let other = decrypt_credential(token, key.client_id, field, "u2", text(vector, "value"));
        assert!(other.is_err());
    }
}

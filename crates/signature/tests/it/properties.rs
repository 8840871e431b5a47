//! Any change in transit is refused; no input panics.

use d3sig::{
    ClientKey, Mac, Request, Sealed, decrypt_credential, parse_pairs, sign_json, sign_pairs,
};
use proptest::prelude::*;

const KEY: ClientKey = ClientKey {
    client_id: "web",
    secret: "a secret of tests",
    kid: "k1",
};
const REQUEST: Request = Request {
    method: "POST",
    path: "/api-process/laozi/v3/upload_model_file/list",
    token: "token",
};
const TIME: i64 = 1_795_219_200_000;

type Pairs = Vec<(String, String)>;

fn pairs() -> impl Strategy<Value = Pairs> {
    // `D` cannot be a parameter: it is the signature's own name.
    let name = any::<String>().prop_filter("not D", |n| n != "D");
    prop::collection::vec((name, any::<String>()), 0..8)
}

fn accepted(d: &str, key: &ClientKey, request: &Request, query: &Pairs, form: &Pairs) -> bool {
    let Ok(sealed) = Sealed::parse(d) else {
        return false;
    };
    sealed
        .open(key, request)
        .is_ok_and(|opened| opened.fits(query, form))
}

/// The request with one part changed.
fn other_requests<'a>(path: &'a str, token: &'a str) -> Vec<Request<'a>> {
    vec![
        Request { path, ..REQUEST },
        Request {
            method: "GET",
            ..REQUEST
        },
        Request { token, ..REQUEST },
        Request {
            token: "",
            ..REQUEST
        },
    ]
}

/// The key with one part changed.
fn other_keys(text: &str) -> Vec<ClientKey<'_>> {
    vec![
        ClientKey {
            client_id: text,
            ..KEY
        },
        ClientKey {
            secret: text,
            ..KEY
        },
        ClientKey { kid: "k2", ..KEY },
    ]
}

proptest! {
    #[test]
    fn what_was_signed_is_accepted_in_any_order(mut form in pairs(), query in pairs(), salt: [u8; 16]) {
        let d = sign_pairs(&KEY, &REQUEST, &query, &form, TIME, &salt).unwrap();
        prop_assert!(accepted(&d, &KEY, &REQUEST, &query, &form));
        form.reverse();
        form.push(("D".into(), d.clone()));
        prop_assert!(accepted(&d, &KEY, &REQUEST, &query, &form));
    }

    #[test]
    fn each_changed_part_is_refused(form in pairs(), query in pairs(), salt: [u8; 16], extra in "[a-z]{1,5}") {
        let d = sign_pairs(&KEY, &REQUEST, &query, &form, TIME, &salt).unwrap();
        let mut more = form.clone();
        more.push((extra.clone(), extra.clone()));
        prop_assert!(!accepted(&d, &KEY, &REQUEST, &query, &more));
        let mut asked = query.clone();
        asked.push((extra.clone(), String::new()));
        prop_assert!(!accepted(&d, &KEY, &REQUEST, &asked, &form));
        let path = format!("{}{extra}", REQUEST.path);
        for request in other_requests(&path, &extra) {
            prop_assert!(!accepted(&d, &KEY, &request, &query, &form));
        }
        for key in other_keys(&extra) {
            prop_assert!(!accepted(&d, &key, &REQUEST, &query, &form));
        }
    }

    #[test]
    fn a_changed_character_of_d_is_refused(form in pairs(), salt: [u8; 16], at in 5usize..100, to in "[A-Za-z0-9_-]") {
        let d = sign_pairs(&KEY, &REQUEST, &Pairs::new(), &form, TIME, &salt).unwrap();
        let mut changed = d.clone();
        changed.replace_range(at..at + 1, &to);
        prop_assume!(changed != d);
        prop_assert!(!accepted(&changed, &KEY, &REQUEST, &Pairs::new(), &form));
    }

    #[test]
    fn json_is_bound_to_every_part(body: Vec<u8>, salt: [u8; 16], query in pairs(), extra in "[a-z]{1,5}") {
        let header = sign_json(&KEY, &REQUEST, &query, &body, TIME, &salt).unwrap();
        let mac = Mac::parse(&header).unwrap();
        prop_assert!(mac.verify(&KEY, &REQUEST, &query, &body).is_ok());
        let mut longer = body.clone();
        longer.push(b' ');
        prop_assert!(mac.verify(&KEY, &REQUEST, &query, &longer).is_err());
        let mut asked = query.clone();
        asked.push((extra.clone(), String::new()));
        prop_assert!(mac.verify(&KEY, &REQUEST, &asked, &body).is_err());
        for request in other_requests(&extra, &extra) {
            prop_assert!(mac.verify(&KEY, &request, &query, &body).is_err());
        }
        for key in other_keys(&extra) {
            prop_assert!(mac.verify(&key, &REQUEST, &query, &body).is_err());
        }
        let later = header.replacen(&TIME.to_string(), &(TIME + 1).to_string(), 1);
        prop_assert!(Mac::parse(&later).unwrap().verify(&KEY, &REQUEST, &query, &body).is_err());
    }

    #[test]
    fn nothing_panics(text: String, shaped in "1\\.[a-zA-Z0-9_-]{0,9}\\.[A-Za-z0-9_.-]{0,600}", raw: Vec<u8>) {
        for candidate in [&text, &shaped] {
            if let Ok(sealed) = Sealed::parse(candidate) {
                prop_assert!(sealed.open(&KEY, &REQUEST).is_err());
            }
            if let Ok(mac) = Mac::parse(candidate) {
                prop_assert!(mac.verify(&KEY, &REQUEST, &Pairs::new(), &raw).is_err());
            }
            prop_assert!(decrypt_credential("t", "web", "ak", "u1", candidate).is_err());
        }
        let _ = parse_pairs(&raw);
    }
}

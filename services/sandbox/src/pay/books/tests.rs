use super::*;

fn trade(number: &str) -> Trade {
    Trade {
        channel: Channel::Wechat,
        out_trade_no: number.to_owned(),
        provider_no: "4200".to_owned(),
        amount: 100,
        state: State::Waiting,
        subject: String::new(),
        notify_url: String::new(),
        return_url: String::new(),
        code: number.to_owned(),
        created_at_ms: 0,
        expires_at_ms: 1000,
        paid_at_ms: 0,
        by_certificate: false,
        faults: Faults::default(),
    }
}

fn refund(number: &str, amount: i64) -> Refund {
    Refund {
        channel: Channel::Wechat,
        out_refund_no: number.to_owned(),
        out_trade_no: "a".to_owned(),
        provider_no: String::new(),
        amount,
        made_at_ms: 0,
        notify_url: String::new(),
    }
}

#[test]
fn no_more_goes_back_than_was_paid() {
    let mut books = Books::default();
    books.create(trade("a")).unwrap();
    assert_eq!(books.refund(refund("r", 1)).err(), Some(Wrong::NotPaid));
    books.pay(Channel::Wechat, "a", 1).unwrap();
    assert_eq!(books.pay(Channel::Wechat, "a", 1).err(), Some(Wrong::Paid));
    assert!(books.refund(refund("r1", 60)).unwrap().1);
    assert!(!books.refund(refund("r1", 60)).unwrap().1);
    assert_eq!(books.refund(refund("r1", 61)).err(), Some(Wrong::Differs));
    assert_eq!(books.refund(refund("r2", 41)).err(), Some(Wrong::TooMuch));
    assert_eq!(books.refund(refund("r3", -1)).err(), Some(Wrong::TooMuch));
    assert_eq!(books.refunded(Channel::Wechat, "a"), 60);
}

#[test]
fn a_trade_ends_with_its_time() {
    let mut books = Books::default();
    books.create(trade("a")).unwrap();
    assert_eq!(
        books.pay(Channel::Wechat, "a", 1001).err(),
        Some(Wrong::Closed)
    );
    assert_eq!(books.create(trade("a")).err(), Some(Wrong::Closed));
    assert_eq!(books.close(Channel::Alipay, "a", 0), Err(Wrong::Missing));
}

#[test]
fn a_restart_finds_everything_but_half_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut books = Books::open(folder.path()).unwrap();
    books.create(trade("a")).unwrap();
    books.create(trade("b")).unwrap();
    books.pay(Channel::Wechat, "a", 5).unwrap();
    books.refund(refund("r1", 60)).unwrap();
    books.announce(Channel::Wechat, "a", What::Paid, 7);
    books.announce(Channel::Wechat, "a", What::Waiting, 8);
    let first = books.due(10, 9, None).remove(0);
    books.delivered(&first, None);
    drop(books);
    let journal = folder.path().join(FILE);
    let mut file = File::options().append(true).open(&journal).unwrap();
    file.write_all(b"{\"trade\":{\"channel\":\"wech").unwrap();
    let mut books = Books::open(folder.path()).unwrap();
    let known = books.trade(Channel::Wechat, "a", 6).unwrap();
    assert_eq!((known.state, known.paid_at_ms), (State::Paid, 5));
    assert_eq!(books.refunded(Channel::Wechat, "a"), 60);
    let due = books.due(10, 9, None);
    assert_eq!(due.len(), 1);
    assert_eq!(due[0].what, What::Waiting);
    assert_eq!(
        books.by_code(Channel::Wechat, "b", 0).unwrap().out_trade_no,
        "b"
    );
}

#[test]
fn alipay_numbers_refunds_within_a_trade_and_wechat_over_all() {
    let mut books = Books::default();
    for channel in [Channel::Alipay, Channel::Wechat] {
        for number in ["a", "b"] {
            let trade = Trade {
                channel,
                ..trade(number)
            };
            books.create(trade).unwrap();
            books.pay(channel, number, 1).unwrap();
        }
    }
    let of = |channel: Channel, trade: &str| Refund {
        channel,
        out_trade_no: trade.to_owned(),
        ..refund("r1", 60)
    };
    assert!(books.refund(of(Channel::Alipay, "a")).unwrap().1);
    assert!(books.refund(of(Channel::Alipay, "b")).unwrap().1);
    assert!(!books.refund(of(Channel::Alipay, "b")).unwrap().1);
    assert!(books.refund(of(Channel::Wechat, "a")).unwrap().1);
    let again = books.refund(of(Channel::Wechat, "b"));
    assert_eq!(again.err(), Some(Wrong::Differs));
}

use super::*;

fn plain(text: &str) -> Inline {
    Inline {
        text: text.to_owned(),
        ..Inline::default()
    }
}

#[test]
fn styles_and_links_are_read() {
    let read = read("按 **确定**，看 [体检 `报告`](/helpCenter?id=1)。`a**b` 2\\*3").unwrap();
    let href = Some("/helpCenter?id=1".to_owned());
    assert_eq!(
        read,
        [
            plain("按 "),
            Inline {
                bold: true,
                ..plain("确定")
            },
            plain("，看 "),
            Inline {
                href: href.clone(),
                ..plain("体检 ")
            },
            Inline {
                code: true,
                href,
                ..plain("报告")
            },
            plain("。"),
            Inline {
                code: true,
                ..plain("a**b")
            },
            plain(" 2*3"),
        ]
    );
    assert_eq!(
        super::read("[1] 与 a < b").unwrap(),
        [plain("[1] 与 a < b")]
    );
}

#[test]
fn what_does_not_end_is_refused() {
    for bad in ["**a", "`a", "a <b>b</b>", "<!-- a -->"] {
        assert!(read(bad).is_err(), "{bad}");
    }
}

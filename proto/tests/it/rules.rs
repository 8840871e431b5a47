//! Field rules as seen by a caller.

use proto::calls::Refusal;
use proto::personal::v1::FeedbackForm;
use proto::rules::checked;

fn form(content: &str) -> FeedbackForm {
    FeedbackForm {
        feedback_type: Some(0),
        feedback_content: content.to_owned(),
        ..Default::default()
    }
}

fn refusal(form: FeedbackForm) -> String {
    match checked(form) {
        Err(Refusal::Invalid(sentence)) => sentence,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_text_is_trimmed_and_counted_in_characters() {
    let longest = "字".repeat(2000);
    let kept = checked(form(&format!(" {longest}\n"))).unwrap();
    assert_eq!(kept.feedback_content, longest);
    assert_eq!(
        refusal(form(&format!("{longest}字"))),
        "问题与建议最多 2000 个字符"
    );
}

#[test]
fn the_first_field_that_breaks_its_rule_is_named() {
    assert_eq!(refusal(form(" \t")), "请输入您的问题与建议");
    for feedback_type in [None, Some(3), Some(-1)] {
        let wrong = FeedbackForm {
            feedback_type,
            ..form("")
        };
        assert_eq!(refusal(wrong), "请选择反馈类型");
    }
}

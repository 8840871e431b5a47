use super::*;

fn json(text: &str) -> serde_json::Value {
    serde_json::to_value(read(text, 1).unwrap().blocks).unwrap()
}

#[test]
fn every_block_is_read() {
    let text = "第一行\n接着 **说**。\n\n## 先看 Report\n### 先看 report\n- 一\n  续\n- 二\n1. 甲\n2. 乙\n\n\
                | 名 | 值 |\n|---|:--|\n| a\\|b | `1` |\n\n```sh\nls -l\n\n```\n\
                !picture(sample=gear, view=front, teeth=24) 一只齿轮\n!model(sample=gear) 转一转\n\
                !compare(sample=bust) 前后\n!action(/publishCenter) 去上传\n\
                !figure(value=6,400 KB, source=scripts/bench-engine (2 核)) 轻量化之后\n";
    let read = json(text);
    let types: Vec<&str> = read
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        types,
        [
            "text", "heading", "heading", "list", "list", "table", "code", "picture", "model",
            "compare", "action", "figure"
        ]
    );
    assert_eq!(read[0]["text"][0]["text"], "第一行接着 ");
    assert_eq!(read[1]["id"], "先看-report");
    assert_eq!(read[2]["id"], "先看-report-2");
    assert_eq!(read[3]["items"][0][0]["text"], "一续");
    assert_eq!(read[4]["ordered"], true);
    assert_eq!(read[5]["rows"][0][0][0]["text"], "a|b");
    assert_eq!(read[6]["text"], "ls -l\n");
    assert_eq!(read[7]["params"]["teeth"], "24");
    assert_eq!(read[10]["path"], "/publishCenter");
    assert_eq!(read[11]["value"], "6,400 KB");
    assert_eq!(read[11]["source"], "scripts/bench-engine (2 核)");
}

#[test]
fn steps_and_questions_hold_what_follows_them() {
    let text = "!step 选文件\n拖进来。\n!model(sample=gear) 看\n!step 等\n- 一\n## 常见问题\n!question 太大？\n分开。\n!question 太慢？\n\n等。\n## 完\n好。\n";
    let read = json(text);
    assert_eq!(read[0]["type"], "steps");
    assert_eq!(read[0]["items"][0]["blocks"][1]["type"], "model");
    assert_eq!(read[0]["items"][1]["blocks"][0]["type"], "list");
    assert_eq!(read[2]["type"], "questions");
    assert_eq!(read[2]["items"][1]["blocks"][0]["text"][0]["text"], "等。");
    assert_eq!(read[4]["text"][0]["text"], "好。");
}

#[test]
fn what_breaks_a_rule_is_told_with_its_line() {
    for bad in [
        "# 大\n",
        "#### 小\n",
        "```\nx\n",
        "> 引\n",
        "| a |\n",
        "| a |\n| b |\n| c |\n",
        "| a | b |\n|---|---|\n| c |\n",
        "!nothing x\n",
        "!picture(sample=gear) 图\n",
        "!picture(sample=gear, view=front)\n",
        "!action 去\n",
        "!model(sample=gear 图\n",
        "- 一\n  - 二\n",
        "<div>\n",
        "    缩进\n",
    ] {
        let error = read(bad, 7).expect_err(bad);
        assert!(error.to_string().starts_with("line "), "{bad}: {error}");
    }
}

//! Names of models: the rule, the default, and the content scan.

use chassis::BusinessError;
use contentscan::{Scanner, is_invisible, is_visible};
use proto::code;

/// Longest model name in characters.
pub const MAX_NAME: usize = 15;

/// Longest file name in bytes.
const MAX_FILE_NAME: usize = 255;

/// Validates a file name as it was on the owner's disk.
pub fn check_file(name: &str) -> Result<&str, BusinessError> {
    let name = name.trim_matches(' ');
    if name.is_empty() {
        return Err(BusinessError::invalid("文件名不能为空"));
    }
    if name.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
        return Err(BusinessError::invalid(
            "文件名不能含有换行，请重命名后再上传",
        ));
    }
    if name.chars().any(is_invisible) {
        return Err(BusinessError::invalid(
            "文件名含有不可见字符或改变文字方向的字符，请重命名后再上传",
        ));
    }
    if name.len() > MAX_FILE_NAME {
        return Err(BusinessError::invalid("文件名不正确，最长 255 字节"));
    }
    Ok(name)
}

/// Validates the characters and words of a model name. Errors: the messages of the specification; 60102 from the content scan.
pub fn check(name: &str, scanner: &Scanner) -> Result<String, BusinessError> {
    if name.chars().any(is_invisible) || !is_visible(name) {
        return Err(BusinessError::invalid("模型名称含有不可见字符，请重新输入"));
    }
    if let Some(finding) = scanner.find(name) {
        let message = format!("模型名称:含有不允许发布的词语「{}」", finding.word);
        return Err(BusinessError::new(code::TEXT_REFUSED, message));
    }
    Ok(name.to_owned())
}

/// The file's name without its extension, cut to 15 characters.
pub fn default_name(file_name: &str) -> String {
    let stem = match file_name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file_name,
    };
    let name: String = stem
        .chars()
        .filter(|c| !is_invisible(*c))
        .take(MAX_NAME)
        .collect();
    if !is_visible(&name) {
        "未命名模型".to_owned()
    } else {
        name
    }
}

/// Lower-case extension without a dot; empty without one.
pub fn extension(file_name: &str) -> String {
    match file_name.rsplit_once('.') {
        Some((_, extension)) => extension.to_lowercase(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_the_name() {
        let scanner = Scanner::new("");
        assert_eq!(check("齿轮", &scanner).unwrap(), "齿轮");
        assert_eq!(
            check("代开发票", &scanner).unwrap_err().code,
            code::TEXT_REFUSED
        );
    }

    #[test]
    fn names_that_read_otherwise_than_they_are_get_told_why() {
        for (name, refusal) in [
            (
                "a\u{202e}gpj.glb",
                "文件名含有不可见字符或改变文字方向的字符，请重命名后再上传",
            ),
            (
                "\u{2066}a\u{2069}.glb",
                "文件名含有不可见字符或改变文字方向的字符，请重命名后再上传",
            ),
            (
                "a\u{200b}.glb",
                "文件名含有不可见字符或改变文字方向的字符，请重命名后再上传",
            ),
            (
                "a\u{7}.glb",
                "文件名含有不可见字符或改变文字方向的字符，请重命名后再上传",
            ),
            ("a\nb.glb", "文件名不能含有换行，请重命名后再上传"),
            ("a.glb\r\n", "文件名不能含有换行，请重命名后再上传"),
            ("a\u{2028}b.glb", "文件名不能含有换行，请重命名后再上传"),
            ("", "文件名不能为空"),
            (" ", "文件名不能为空"),
        ] {
            assert_eq!(check_file(name).unwrap_err().message, refusal, "{name:?}");
        }
        let long = format!("{}.glb", "长".repeat(84));
        let refusal = check_file(&long).unwrap_err().message;
        assert_eq!(refusal, "文件名不正确，最长 255 字节");
        for name in ["gear (1).glb", "👩\u{200d}🔧.glb", "نموذج.glb"] {
            assert_eq!(check_file(name).unwrap(), name);
        }
        let scanner = Scanner::new("");
        let refusal = check("a\u{202e}b", &scanner).unwrap_err().message;
        assert_eq!(refusal, "模型名称含有不可见字符，请重新输入");
        assert_eq!(default_name("a\u{202e}b.glb"), "ab");
    }

    #[test]
    fn default_is_the_stem_cut_to_fifteen() {
        assert_eq!(default_name("齿轮.obj"), "齿轮");
        assert_eq!(default_name("abcdefghijklmnopqrst.glb"), "abcdefghijklmno");
        assert_eq!(default_name(".obj"), ".obj");
        assert_eq!(extension("A.FBX"), "fbx");
    }
}

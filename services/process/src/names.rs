//! Names of models: the rule, the default, and the content scan.

use chassis::BusinessError;
use contentscan::Scanner;
use proto::code;

/// Longest model name in characters.
pub const MAX_NAME: usize = 15;

/// Checks a model name. Errors: the messages of the specification; 60102 when the content scan refuses it.
pub fn check(name: &str, scanner: &Scanner) -> Result<String, BusinessError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(BusinessError::invalid("模型名称不能为空"));
    }
    if name.chars().count() > MAX_NAME {
        return Err(BusinessError::invalid("长度在 1 到 15 个字符"));
    }
    if name.chars().any(char::is_control) {
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
        .filter(|c| !c.is_control())
        .take(MAX_NAME)
        .collect();
    if name.trim().is_empty() {
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
        assert_eq!(check(" 齿轮 ", &scanner).unwrap(), "齿轮");
        assert_eq!(check("", &scanner).unwrap_err().message, "模型名称不能为空");
        assert_eq!(
            check("一二三四五六七八九十一二三四五六", &scanner)
                .unwrap_err()
                .message,
            "长度在 1 到 15 个字符"
        );
        assert_eq!(
            check("代开发票", &scanner).unwrap_err().code,
            code::TEXT_REFUSED
        );
    }

    #[test]
    fn default_is_the_stem_cut_to_fifteen() {
        assert_eq!(default_name("齿轮.obj"), "齿轮");
        assert_eq!(default_name("abcdefghijklmnopqrst.glb"), "abcdefghijklmno");
        assert_eq!(default_name(".obj"), ".obj");
        assert_eq!(extension("A.FBX"), "fbx");
    }
}

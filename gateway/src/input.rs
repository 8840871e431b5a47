//! A request's parameters, read once: its kind, its query, its form or its JSON body.

use bytes::Bytes;
use d3sig::Pair;

use crate::refused::Refused;

/// Most pairs in a query or form.
const MAX_PAIRS: usize = 500;
/// Longest query in bytes.
const MAX_QUERY: usize = 8 * 1024;

/// A request's parameters by kind; the signature covers `query` in each.
#[derive(Debug)]
pub enum Input<'a> {
    /// GET.
    Query { query: Vec<Pair<'a>> },
    /// POST with a form or without a body.
    Form {
        query: Vec<Pair<'a>>,
        form: Vec<Pair<'a>>,
    },
    /// POST with JSON, signed over the bytes as received.
    Json {
        query: Vec<Pair<'a>>,
        body: &'a Bytes,
    },
}

impl<'a> Input<'a> {
    /// Reads a request's parameters.
    /// Errors: a method other than GET and POST, an unsupported content type, text that is not UTF-8, too many pairs.
    pub fn read(
        method: &str,
        content_type: Option<&str>,
        query: &'a str,
        body: &'a Bytes,
    ) -> Result<Self, Refused> {
        if query.len() > MAX_QUERY {
            return Err(Refused::TooLarge);
        }
        let query = pairs(query.as_bytes())?;
        match method {
            "GET" => return Ok(Self::Query { query }),
            "POST" => {}
            _ => return Err(Refused::Method),
        }
        let kind = content_type.unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if kind.eq_ignore_ascii_case("application/json") {
            return Ok(Self::Json { query, body });
        }
        let form = kind.eq_ignore_ascii_case("application/x-www-form-urlencoded");
        if !form && !body.is_empty() {
            return Err(Refused::BodyKind);
        }
        Ok(Self::Form {
            query,
            form: pairs(body)?,
        })
    }

    pub fn query(&self) -> &[Pair<'a>] {
        match self {
            Self::Query { query } | Self::Form { query, .. } | Self::Json { query, .. } => query,
        }
    }

    pub fn form(&self) -> &[Pair<'a>] {
        match self {
            Self::Form { form, .. } => form,
            _ => &[],
        }
    }
}

fn pairs(text: &[u8]) -> Result<Vec<Pair<'_>>, Refused> {
    if text.iter().filter(|b| **b == b'&').count() >= MAX_PAIRS {
        return Err(Refused::Invalid("提交的参数过多".to_owned()));
    }
    d3sig::parse_pairs(text)
        .map_err(|_| Refused::Invalid("提交的内容不是有效的 UTF-8 文本".to_owned()))
}

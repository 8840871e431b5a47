//! Scanning of text formats (OBJ, ASCII STL, ASCII PLY) straight from bytes.
//!
//! Nothing here allocates per token and nothing can panic: every position is
//! checked, every number that does not parse is `None`.

/// Powers of ten that an `f64` holds exactly.
const POW10: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Whitespace inside a line: space, tab, and the form feeds some exporters leave.
pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t' || byte == 0x0b || byte == 0x0c
}

/// End of a line: LF, CR or both (an empty line in between is harmless).
pub fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// Removes whitespace at both ends.
pub fn trim(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text {
        if !is_blank(*first) && !is_line_end(*first) {
            break;
        }
        text = rest;
    }
    while let [rest @ .., last] = text {
        if !is_blank(*last) && !is_line_end(*last) && *last != 0 {
            break;
        }
        text = rest;
    }
    text
}

/// Takes the next whitespace-separated token off the front of `text`.
pub fn token<'a>(text: &mut &'a [u8]) -> Option<&'a [u8]> {
    let bytes = *text;
    let mut start = 0;
    while start < bytes.len() && (is_blank(bytes[start]) || is_line_end(bytes[start])) {
        start += 1;
    }
    let mut end = start;
    while end < bytes.len() && !is_blank(bytes[end]) && !is_line_end(bytes[end]) {
        end += 1;
    }
    *text = &bytes[end..];
    if start == end {
        return None;
    }
    Some(&bytes[start..end])
}

/// Takes the next token and parses it as a number.
pub fn number(text: &mut &[u8]) -> Option<f32> {
    parse_f32(token(text)?)
}

/// Parses a decimal number; `nan` and `inf` in any spelling are accepted (the caller decides what to do with them).
pub fn parse_f32(token: &[u8]) -> Option<f32> {
    parse_f64(token).map(|value| value as f32)
}

/// Parses a decimal number. The common short ones take an exact fast path (mantissa below 2^53, exponent within ±22);
/// the rest goes through `std`.
pub fn parse_f64(token: &[u8]) -> Option<f64> {
    let (negative, digits) = match token {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let mut mantissa: u64 = 0;
    let mut seen = 0usize;
    let mut exponent: i32 = 0;
    let mut at = 0;
    while at < digits.len() && digits[at].is_ascii_digit() {
        mantissa = mantissa
            .wrapping_mul(10)
            .wrapping_add(u64::from(digits[at] - b'0'));
        seen += 1;
        at += 1;
    }
    if at < digits.len() && digits[at] == b'.' {
        at += 1;
        let fraction_start = at;
        while at < digits.len() && digits[at].is_ascii_digit() {
            mantissa = mantissa
                .wrapping_mul(10)
                .wrapping_add(u64::from(digits[at] - b'0'));
            seen += 1;
            at += 1;
        }
        exponent = -((at - fraction_start).min(i32::MAX as usize) as i32);
    }
    if seen == 0 {
        return parse_slow(token);
    }
    if at < digits.len() && (digits[at] == b'e' || digits[at] == b'E') {
        exponent = exponent.saturating_add(parse_exponent(&digits[at + 1..])?);
        at = digits.len();
    }
    if at != digits.len() || seen > 18 || mantissa >= 1 << 53 {
        return parse_slow(token);
    }
    let size = exponent.unsigned_abs() as usize;
    if size >= POW10.len() {
        return parse_slow(token);
    }
    let value = if exponent < 0 {
        mantissa as f64 / POW10[size]
    } else {
        mantissa as f64 * POW10[size]
    };
    Some(if negative { -value } else { value })
}

fn parse_exponent(digits: &[u8]) -> Option<i32> {
    let (negative, digits) = match digits {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value: i32 = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value
            .saturating_mul(10)
            .saturating_add(i32::from(digit - b'0'));
    }
    Some(if negative { -value } else { value })
}

/// What the fast path does not handle: long mantissas, `nan`, `inf`, the `-1.#IND` of old Microsoft runtimes, FORTRAN's
/// exponents, and a decimal comma.
#[cold]
fn parse_slow(token: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(token).ok()?;
    if let Ok(value) = text.parse::<f64>() {
        return Some(value);
    }
    let lower = text.to_ascii_lowercase();
    if lower.contains("#ind") || lower.contains("#qnan") || lower.contains("nan") {
        return Some(f64::NAN);
    }
    if lower.contains("#inf") {
        return Some(f64::INFINITY);
    }
    // The exponent of FORTRAN's double precision.
    let is_fortran = lower.contains('d') && lower.starts_with(|c| "+-.0123456789".contains(c));
    if is_fortran && let Ok(value) = lower.replace('d', "e").parse::<f64>() {
        return Some(value);
    }
    if text.matches(',').count() == 1 && !text.contains('.') {
        return text.replace(',', ".").parse::<f64>().ok();
    }
    None
}

/// Parses a signed integer; `None` if the token contains anything else.
pub fn parse_i64(token: &[u8]) -> Option<i64> {
    let (negative, digits) = match token {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut value: i64 = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(if negative { -value } else { value })
}

/// Splits `bytes` into pieces of about `target` bytes at line ends, never at one continued by a backslash.
pub fn line_chunks(bytes: &[u8], target: usize) -> Vec<&[u8]> {
    let mut chunks = Vec::new();
    let mut rest = bytes;
    while rest.len() > target {
        let mut at = target;
        while at < rest.len() && !is_cut(rest, at) {
            at += 1;
        }
        if at >= rest.len() {
            break;
        }
        let (chunk, tail) = rest.split_at(at + 1);
        chunks.push(chunk);
        rest = tail;
    }
    if !rest.is_empty() {
        chunks.push(rest);
    }
    chunks
}

/// Whether a split is allowed after byte `at`: after LF, or CR without LF, unless the line is continued.
fn is_cut(bytes: &[u8], at: usize) -> bool {
    let lone_cr = bytes[at] == b'\r' && bytes.get(at + 1).is_some_and(|next| *next != b'\n');
    if bytes[at] != b'\n' && !lone_cr {
        return false;
    }
    let mut before = at;
    while before > 0 && bytes[before - 1] == b'\r' {
        before -= 1;
    }
    before == 0 || bytes[before - 1] != b'\\'
}

/// Chunk size: small enough to keep every core busy, large enough that the overhead does not matter.
pub fn chunk_size(total: usize) -> usize {
    let parts = rayon::current_num_threads().max(1) * 4;
    (total / parts).clamp(64 * 1024, 8 * 1024 * 1024)
}

//! STOMP 1.2 frames, as far as a server needs them for subscriptions and messages.

/// Most headers of a frame, and longest header line in bytes.
const MAX_HEADERS: usize = 32;
const MAX_LINE: usize = 2048;

/// A frame of a client.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    pub command: String,
    headers: Vec<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a frame of STOMP 1.2")]
pub struct BadFrame;

impl Frame {
    /// The first value of a header; STOMP ignores repeated ones.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The frames in one WebSocket message. Line ends alone are heart-beats and yield no frame; bodies are dropped.
/// Errors: an incomplete frame, too many or too long headers, an invalid escape.
pub fn parse(text: &str) -> Result<Vec<Frame>, BadFrame> {
    let mut frames = Vec::new();
    let mut rest = text.trim_start_matches(['\r', '\n']);
    while !rest.is_empty() {
        let (frame, after) = parse_one(rest)?;
        frames.push(frame);
        rest = after.trim_start_matches(['\r', '\n']);
    }
    Ok(frames)
}

fn parse_one(text: &str) -> Result<(Frame, &str), BadFrame> {
    let (command, mut rest) = line(text)?;
    if command.is_empty() || !command.bytes().all(|b| b.is_ascii_uppercase()) {
        return Err(BadFrame);
    }
    // These two frames are not escaped, for compatibility with STOMP 1.0.
    let escaped = command != "CONNECT" && command != "CONNECTED";
    let mut headers = Vec::new();
    loop {
        let (header, after) = line(rest)?;
        rest = after;
        if header.is_empty() {
            break;
        }
        if headers.len() == MAX_HEADERS {
            return Err(BadFrame);
        }
        let (name, value) = header.split_once(':').ok_or(BadFrame)?;
        let pair = if escaped {
            (unescape(name)?, unescape(value)?)
        } else {
            (name.to_owned(), value.to_owned())
        };
        headers.push(pair);
    }
    let frame = Frame {
        command: command.to_owned(),
        headers,
    };
    let length = match frame.header("content-length") {
        Some(length) => length.trim().parse::<usize>().map_err(|_| BadFrame)?,
        None => rest.find('\0').ok_or(BadFrame)?,
    };
    let after = rest.get(length..).ok_or(BadFrame)?;
    let after = after.strip_prefix('\0').ok_or(BadFrame)?;
    Ok((frame, after))
}

/// One line without its end, and the rest.
fn line(text: &str) -> Result<(&str, &str), BadFrame> {
    let (line, rest) = text.split_once('\n').ok_or(BadFrame)?;
    if line.len() > MAX_LINE {
        return Err(BadFrame);
    }
    Ok((line.strip_suffix('\r').unwrap_or(line), rest))
}

fn unescape(text: &str) -> Result<String, BadFrame> {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            plain.push(letter);
            continue;
        }
        plain.push(match letters.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('c') => ':',
            Some('\\') => '\\',
            _ => return Err(BadFrame),
        });
    }
    Ok(plain)
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            ':' => escaped.push_str("\\c"),
            '\\' => escaped.push_str("\\\\"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A server frame; the headers of `CONNECTED` are not escaped.
pub fn write(command: &str, headers: &[(&str, &str)], body: &str) -> String {
    let mut text = String::with_capacity(body.len() + 160);
    text.push_str(command);
    text.push('\n');
    for (name, value) in headers {
        text.push_str(name);
        text.push(':');
        if command == "CONNECTED" {
            text.push_str(value);
        } else {
            text.push_str(&escape(value));
        }
        text.push('\n');
    }
    text.push('\n');
    text.push_str(body);
    text.push('\0');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read() {
        let frames =
            parse("\n\r\nSUBSCRIBE\r\nid:0\ndestination:/queue/a\\cb\nid:1\n\n\0\n\n").unwrap();
        assert_eq!(frames.len(), 1);
        assert_eq!(frames[0].command, "SUBSCRIBE");
        assert_eq!(frames[0].header("destination"), Some("/queue/a:b"));
        assert_eq!(frames[0].header("id"), Some("0"));
        assert_eq!(parse("\n").unwrap(), []);
        let two = parse("SEND\ncontent-length:3\n\na\0b\0DISCONNECT\n\n\0").unwrap();
        assert_eq!(two.len(), 2);
    }

    #[test]
    fn connect_is_not_escaped() {
        let frames = parse("CONNECT\nAuthorization:Bearer a\\nb:c\n\n\0").unwrap();
        assert_eq!(frames[0].header("Authorization"), Some("Bearer a\\nb:c"));
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        let long = format!("SEND\n{}:1\n\n\0", "a".repeat(MAX_LINE));
        let many = format!("SEND\n{}\n\0", "a:1\n".repeat(MAX_HEADERS + 1));
        for text in [
            "SUBSCRIBE",
            "SUBSCRIBE\nid:0\n",
            "SUBSCRIBE\nid:0\n\n",
            "SUBSCRIBE\nid\n\n\0",
            "subscribe\n\n\0",
            "SEND\na:\\t\n\n\0",
            "SEND\ncontent-length:9\n\na\0",
            "SEND\ncontent-length:x\n\na\0",
            "SEND\ncontent-length:1\n\n环\0",
            "\0",
            &long,
            &many,
        ] {
            assert_eq!(parse(text), Err(BadFrame), "{text:?}");
        }
    }

    #[test]
    fn frames_are_written() {
        let text = write("MESSAGE", &[("subscription", "a:b")], "{}");
        assert_eq!(text, "MESSAGE\nsubscription:a\\cb\n\n{}\0");
        let text = write("CONNECTED", &[("version", "1.2"), ("x", "a:b")], "");
        assert_eq!(text, "CONNECTED\nversion:1.2\nx:a:b\n\n\0");
    }
}

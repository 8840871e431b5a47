//! A mail server that delivers nothing: received mails are listed in the mailbox.

use std::sync::Arc;
use std::time::Duration;

use chassis::{Clock, Shutdown};
use mail_parser::MessageParser;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::store::{Mail, Store};

/// Longest line of a command, and largest mail.
const MAX_LINE: u64 = 4096;
const MAX_MAIL: usize = 1024 * 1024;
const MAX_RECIPIENTS: usize = 20;
/// Concurrent connections, and the longest life of one.
const CONNECTIONS: usize = 50;
const PATIENCE: Duration = Duration::from_secs(60);

/// Serves until the shutdown.
pub fn serve(
    listener: std::net::TcpListener,
    store: Store,
    clock: Clock,
    shutdown: &Shutdown,
) -> anyhow::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let stop = shutdown.clone();
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    shutdown.spawn(async move {
        loop {
            let stream = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stop.requested() => return,
            };
            let (Ok((stream, _)), Ok(place)) = (stream, places.clone().try_acquire_owned()) else {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            };
            let (store, clock) = (store.clone(), clock.clone());
            tokio::spawn(async move {
                let _place = place;
                let talk = tokio::time::timeout(PATIENCE, talk(stream, &store, &clock));
                if let Ok(Err(error)) = talk.await {
                    tracing::debug!(%error, "a mail client went away");
                }
            });
        }
    });
    Ok(())
}

type Lines = BufReader<TcpStream>;

async fn line(lines: &mut Lines) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    lines.take(MAX_LINE).read_until(b'\n', &mut bytes).await?;
    if !bytes.ends_with(b"\n") {
        return Err(std::io::Error::other("no whole line"));
    }
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

/// The text inside `<…>`.
fn address(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('<')?;
    let (address, _) = rest.split_once('>')?;
    (address.len() <= 254 && address.contains('@')).then(|| address.to_ascii_lowercase())
}

async fn talk(stream: TcpStream, store: &Store, clock: &Clock) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream);
    let mut to: Vec<String> = Vec::new();
    let mut begun = false;
    lines.write_all(b"220 sandbox ESMTP\r\n").await?;
    loop {
        let command = line(&mut lines).await?;
        let upper = command.to_ascii_uppercase();
        let reply = match upper.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" => "250-sandbox\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 AUTH PLAIN LOGIN",
            "HELO" | "NOOP" => "250 sandbox",
            "AUTH" if upper.starts_with("AUTH PLAIN ") => "235 ok",
            "AUTH" => "504 only AUTH PLAIN with its answer",
            "MAIL" => {
                begun = true;
                to.clear();
                "250 ok"
            }
            "RCPT" if begun && to.len() < MAX_RECIPIENTS => match address(&command) {
                // Bounces on demand.
                Some(address) if address.starts_with("bounce@") => "550 no such mailbox",
                Some(address) => {
                    to.push(address);
                    "250 ok"
                }
                None => "501 no address",
            },
            "DATA" if !to.is_empty() => {
                lines.write_all(b"354 go on\r\n").await?;
                let raw = data(&mut lines).await?;
                keep(store, clock, std::mem::take(&mut to), &raw);
                begun = false;
                "250 kept"
            }
            "RSET" => {
                begun = false;
                to.clear();
                "250 ok"
            }
            "QUIT" => {
                lines.write_all(b"221 bye\r\n").await?;
                return Ok(());
            }
            "RCPT" | "DATA" => "503 not now",
            _ => "502 unknown",
        };
        lines.write_all(reply.as_bytes()).await?;
        lines.write_all(b"\r\n").await?;
    }
}

async fn data(lines: &mut Lines) -> std::io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    loop {
        let mut bytes = Vec::new();
        lines.take(MAX_LINE).read_until(b'\n', &mut bytes).await?;
        if bytes.is_empty() || raw.len() + bytes.len() > MAX_MAIL {
            return Err(std::io::Error::other("the mail has no end"));
        }
        if bytes == b".\r\n" {
            return Ok(raw);
        }
        // A dot at the beginning of a line was doubled.
        raw.extend_from_slice(bytes.strip_prefix(b".").unwrap_or(&bytes));
    }
}

fn keep(store: &Store, clock: &Clock, to: Vec<String>, raw: &[u8]) {
    let message = MessageParser::default().parse(raw);
    let subject = message.as_ref().and_then(|message| message.subject());
    let text = message.as_ref().and_then(|message| message.body_text(0));
    let text = text.unwrap_or_default().into_owned();
    for address in to {
        store.add_mail(Mail {
            to: address,
            subject: subject.unwrap_or_default().to_owned(),
            code: code_in(&text),
            text: text.clone(),
            purpose: String::new(),
            time: clock.now_ms(),
        });
    }
}

/// The first run of exactly six digits.
fn code_in(text: &str) -> String {
    let mut numbers = text.split(|letter: char| !letter.is_ascii_digit());
    numbers
        .find(|number| number.len() == 6)
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_codes_are_found() {
        assert_eq!(address("RCPT TO:<A@b.cn> X=1").as_deref(), Some("a@b.cn"));
        assert_eq!(address("RCPT TO:a@b.cn"), None);
        assert_eq!(code_in("2026年，验证码是 012345，30分钟"), "012345");
        assert_eq!(code_in("1234567"), "");
    }
}

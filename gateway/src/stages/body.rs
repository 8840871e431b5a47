//! Reads the body up to a size limit and within a time limit.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::header;
use actix_web::web::Payload;
use bytes::{Bytes, BytesMut};
use futures::StreamExt;

use crate::refused::Refused;

/// The whole body.
/// Errors: more than `limit` bytes, not complete after `wait`, connection broken.
pub async fn read(
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
    wait: Duration,
) -> Result<Bytes, Refused> {
    if let Some(length) = request.headers().get(header::CONTENT_LENGTH) {
        let length: Option<usize> = length.to_str().ok().and_then(|text| text.parse().ok());
        if length.is_none_or(|length| length > limit) {
            return Err(Refused::TooLarge);
        }
    }
    match tokio::time::timeout(wait, collect(payload, limit)).await {
        Ok(body) => body,
        Err(_) => Err(Refused::SlowBody),
    }
}

async fn collect(mut payload: Payload, limit: usize) -> Result<Bytes, Refused> {
    let mut first = Bytes::new();
    let mut joined: Option<BytesMut> = None;
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| Refused::Invalid("内容未能完整送达，请重试".to_owned()))?;
        let before = joined.as_ref().map_or(first.len(), BytesMut::len);
        if before + chunk.len() > limit {
            return Err(Refused::TooLarge);
        }
        // Most bodies arrive in one piece, which then is not copied.
        match &mut joined {
            Some(joined) => joined.extend_from_slice(&chunk),
            None if first.is_empty() => first = chunk,
            None => {
                let mut buffer = BytesMut::with_capacity(first.len() + chunk.len());
                buffer.extend_from_slice(&first);
                buffer.extend_from_slice(&chunk);
                joined = Some(buffer);
            }
        }
    }
    Ok(joined.map_or(first, BytesMut::freeze))
}

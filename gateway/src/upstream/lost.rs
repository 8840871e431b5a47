//! What a failed call reveals about its connection: whether the service can have received it.

use std::error::Error;

use tonic::{Code, Status};

/// Why a call was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// Nothing was sent to a service: any call may be sent again.
    NotSent,
    /// The connection broke with the call in flight: its outcome is unknown.
    OnTheWay,
}

/// How a failed call was lost. `None`: a service responded, or the deadline passed.
pub fn of(status: &Status) -> Option<Lost> {
    // A status sent by a service has come over the wire and has no source.
    let mut cause = status.source()?;
    let mut lost = Lost::OnTheWay;
    loop {
        if is_unsent(cause) {
            lost = Lost::NotSent;
        }
        match cause.source() {
            Some(deeper) => cause = deeper,
            None => return Some(lost),
        }
    }
}

fn is_unsent(cause: &(dyn Error + 'static)) -> bool {
    if cause.is::<tonic::ConnectError>() {
        return true;
    }
    if let Some(error) = cause.downcast_ref::<hyper::Error>() {
        return error.is_canceled();
    }
    // A service that shuts down announces which calls it still finishes (GOAWAY); the others fail like this.
    cause.downcast_ref::<h2::Error>().is_some_and(|error| {
        error.reason() == Some(h2::Reason::REFUSED_STREAM)
            || (error.is_go_away()
                && error.is_remote()
                && error.reason() == Some(h2::Reason::NO_ERROR))
    })
}

/// The status returned to callers: a lost connection means an unavailable service, not an internal error.
pub fn for_callers(status: Status) -> Status {
    let fault = matches!(
        status.code(),
        Code::Unknown | Code::Internal | Code::Cancelled
    );
    match of(&status) {
        Some(_) if fault => Status::unavailable(status.message()),
        _ => status,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_of_the_service_is_no_lost_connection() {
        let said = Status::internal("a fault");
        assert_eq!(of(&said), None);
        assert_eq!(for_callers(said).code(), Code::Internal);
    }

    #[test]
    fn a_connection_that_was_never_made_has_carried_nothing() {
        let refused = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        let status = Status::from_error(Box::new(tonic::ConnectError(refused.into())));
        assert_eq!(of(&status), Some(Lost::NotSent));
        assert_eq!(for_callers(status).code(), Code::Unavailable);
    }

    #[test]
    fn a_stream_that_was_refused_has_carried_nothing() {
        for (reason, lost) in [
            (h2::Reason::REFUSED_STREAM, Lost::NotSent),
            (h2::Reason::CANCEL, Lost::OnTheWay),
        ] {
            let status = Status::from_error(Box::new(h2::Error::from(reason)));
            assert_eq!(of(&status), Some(lost), "{reason:?}");
        }
    }

    #[test]
    fn a_connection_that_breaks_is_a_service_away() {
        let broken = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        let status = Status::from_error(Box::new(broken));
        assert_eq!(of(&status), Some(Lost::OnTheWay));
        assert_eq!(for_callers(status).code(), Code::Unavailable);
    }
}

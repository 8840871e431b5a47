//! Unit tests of `identity::qq`.

use xl_auth::internals::{ProviderError, token_of};

#[test]
fn all_forms_of_an_answer_are_read() {
    for answer in [
        "access_token=T1&expires_in=7776000&refresh_token=R",
        "{\"access_token\":\"T1\",\"expires_in\":7776000}",
        "callback( {\"access_token\":\"T1\"} );\n",
    ] {
        assert_eq!(token_of(answer).unwrap(), "T1", "{answer}");
    }
    let refused = "callback( {\"error\":100020,\"error_description\":\"code is reused error\"} );";
    let error = token_of(refused).unwrap_err();
    assert_eq!(error.to_string(), "refused: 100020 code is reused error");
    for odd in ["", "callback(", "callback( x );", "<html>", "expires_in=1"] {
        assert!(matches!(token_of(odd), Err(ProviderError::Odd(_))), "{odd}");
    }
}

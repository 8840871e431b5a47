//! RSA keys as both providers use them: SHA-256 with PKCS #1 v1.5 padding, signatures in base64.

use std::sync::Arc;

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{self, KeyPair, KeySize};
use aws_lc_rs::signature::{
    KeyPair as _, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{
    CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, SubjectPublicKeyInfoDer,
};
use time::OffsetDateTime;

use crate::ProtocolError;

/// Longest text parsed as a key or certificate, in bytes.
const MAX_TEXT: usize = 64 * 1024;

/// A signing key. Its `Debug` reveals nothing.
#[derive(Clone)]
pub struct PrivateKey {
    pair: Arc<KeyPair>,
}

impl std::fmt::Debug for PrivateKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("PrivateKey")
    }
}

impl PrivateKey {
    /// Generates a key of 2048 bits.
    pub fn generate() -> Result<Self, ProtocolError> {
        let pair = KeyPair::generate(KeySize::Rsa2048)
            .map_err(|_| ProtocolError::Key("none could be made"))?;
        Ok(Self {
            pair: Arc::new(pair),
        })
    }

    /// Parses PKCS #8 or PKCS #1, as PEM or as the bare base64 that Alipay's tool writes.
    pub fn read(text: &str) -> Result<Self, ProtocolError> {
        let wrong = ProtocolError::Key("not a private RSA key of 2048 to 8192 bits");
        if text.len() > MAX_TEXT {
            return Err(wrong);
        }
        let der = match PrivateKeyDer::from_pem_slice(text.as_bytes()) {
            Ok(key) => key.secret_der().to_vec(),
            Err(_) => bare(text).ok_or_else(|| wrong.clone())?,
        };
        let pair = KeyPair::from_pkcs8(&der).or_else(|_| KeyPair::from_der(&der));
        Ok(Self {
            pair: Arc::new(pair.map_err(|_| wrong)?),
        })
    }

    /// PKCS #8 as PEM.
    pub fn to_pem(&self) -> Result<String, ProtocolError> {
        Ok(pem("PRIVATE KEY", &self.pkcs8()?))
    }

    fn pkcs8(&self) -> Result<Vec<u8>, ProtocolError> {
        let der: Pkcs8V1Der<'_> = self
            .pair
            .as_der()
            .map_err(|_| ProtocolError::Key("cannot be written"))?;
        Ok(der.as_ref().to_vec())
    }

    /// The public key that verifies its signatures.
    pub fn public(&self) -> Result<PublicKey, ProtocolError> {
        let der: PublicKeyX509Der<'_> = self
            .pair
            .public_key()
            .as_der()
            .map_err(|_| ProtocolError::Key("cannot be written"))?;
        PublicKey::of_der(der.as_ref())
    }

    /// Signs a message; base64.
    pub fn sign(&self, message: &[u8]) -> Result<String, ProtocolError> {
        let mut signature = vec![0; self.pair.public_modulus_len()];
        self.pair
            .sign(
                &RSA_PKCS1_SHA256,
                &SystemRandom::new(),
                message,
                &mut signature,
            )
            .map_err(|_| ProtocolError::Key("does not sign"))?;
        Ok(STANDARD.encode(signature))
    }

    /// A self-signed certificate for this key, valid for ten years from `now_ms`.
    pub fn certificate(&self, name: &str, now_ms: i64) -> Result<Certificate, ProtocolError> {
        let wrong = ProtocolError::Key("no certificate could be made");
        let der = PrivatePkcs8KeyDer::from(self.pkcs8()?);
        let pair = rcgen::KeyPair::from_pkcs8_der_and_sign_algo(&der, &rcgen::PKCS_RSA_SHA256)
            .map_err(|_| wrong.clone())?;
        let mut parameters =
            rcgen::CertificateParams::new(Vec::new()).map_err(|_| wrong.clone())?;
        parameters
            .distinguished_name
            .push(rcgen::DnType::CommonName, name);
        let from = OffsetDateTime::from_unix_timestamp(now_ms.div_euclid(1000))
            .map_err(|_| wrong.clone())?;
        parameters.not_before = from;
        parameters.not_after = from.saturating_add(time::Duration::days(3650));
        let mut serial = [0_u8; 20];
        aws_lc_rs::rand::fill(&mut serial).map_err(|_| wrong.clone())?;
        // Positive, and without a leading zero byte, which would be dropped.
        serial[0] = (serial[0] & 0x7f) | 0x40;
        parameters.serial_number = Some(rcgen::SerialNumber::from_slice(&serial));
        let made = parameters.self_signed(&pair).map_err(|_| wrong)?;
        Certificate::read(&pem("CERTIFICATE", made.der()))
    }
}

/// A verifying key.
#[derive(Clone)]
pub struct PublicKey {
    key: Arc<ParsedPublicKey>,
    der: Vec<u8>,
}

impl std::fmt::Debug for PublicKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("PublicKey")
    }
}

impl PublicKey {
    fn of_der(der: &[u8]) -> Result<Self, ProtocolError> {
        let wrong = || ProtocolError::Key("not a public RSA key of 2048 to 8192 bits");
        // The parser accepts shorter keys, which then fail every verification: report that at once.
        let length = rsa::PublicKey::from_der(der).map_err(|_| wrong())?;
        if !(256..=1024).contains(&length.modulus_len()) {
            return Err(wrong());
        }
        let key = ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, der).map_err(|_| wrong())?;
        Ok(Self {
            key: Arc::new(key),
            der: der.to_vec(),
        })
    }

    /// Parses a public key (PEM or bare base64) or extracts the one of a certificate (PEM).
    pub fn read(text: &str) -> Result<Self, ProtocolError> {
        if text.len() > MAX_TEXT {
            return Err(ProtocolError::Key("too long"));
        }
        if text.contains("BEGIN CERTIFICATE") {
            return Ok(Certificate::read(text)?.key);
        }
        match SubjectPublicKeyInfoDer::from_pem_slice(text.as_bytes()) {
            Ok(der) => Self::of_der(der.as_ref()),
            Err(_) => Self::of_der(&bare(text).ok_or(ProtocolError::Key("not a public key"))?),
        }
    }

    pub fn to_pem(&self) -> String {
        pem("PUBLIC KEY", &self.der)
    }

    /// Errors: [`ProtocolError::Signature`] when `signature` (base64) was not made with this key over this message.
    pub fn verify(&self, message: &[u8], signature: &str) -> Result<(), ProtocolError> {
        let signature = STANDARD
            .decode(signature)
            .map_err(|_| ProtocolError::Signature)?;
        self.key
            .verify_sig(message, &signature)
            .map_err(|_| ProtocolError::Signature)
    }
}

/// A certificate: a key with a serial number.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// Upper-case hex, as in WeChat's headers.
    pub serial: String,
    pub pem: String,
    pub key: PublicKey,
}

impl Certificate {
    /// Parses PEM. Validity and issuer are not checked: a certificate is trusted because it was configured.
    pub fn read(text: &str) -> Result<Self, ProtocolError> {
        let wrong = ProtocolError::Key("not a certificate with an RSA key");
        if text.len() > MAX_TEXT {
            return Err(wrong);
        }
        let der = CertificateDer::from_pem_slice(text.as_bytes()).map_err(|_| wrong.clone())?;
        let read = webpki::EndEntityCert::try_from(&der).map_err(|_| wrong)?;
        Ok(Self {
            serial: hex::encode_upper(read.serial()),
            pem: pem("CERTIFICATE", &der),
            key: PublicKey::of_der(read.subject_public_key_info().as_ref())?,
        })
    }
}

fn bare(text: &str) -> Option<Vec<u8>> {
    let joined: String = text.split_ascii_whitespace().collect();
    STANDARD.decode(joined).ok().filter(|der| !der.is_empty())
}

fn pem(label: &str, der: &[u8]) -> String {
    let encoded = STANDARD.encode(der);
    let mut text = format!("-----BEGIN {label}-----\n");
    // Base64 is ASCII.
    for line in encoded.as_bytes().chunks(64) {
        text.push_str(&String::from_utf8_lossy(line));
        text.push('\n');
    }
    text.push_str(&format!("-----END {label}-----\n"));
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::OnceLock;

    use super::*;
    use proptest::prelude::*;

    /// Generated once, because generating is slow.
    pub(crate) fn keys() -> &'static (PrivateKey, PrivateKey) {
        static KEYS: OnceLock<(PrivateKey, PrivateKey)> = OnceLock::new();
        KEYS.get_or_init(|| {
            (
                PrivateKey::generate().unwrap(),
                PrivateKey::generate().unwrap(),
            )
        })
    }

    #[test]
    fn only_the_right_key_verifies_the_right_message() {
        let (ours, theirs) = keys();
        let signature = ours.sign("签名".as_bytes()).unwrap();
        let public = ours.public().unwrap();
        public.verify("签名".as_bytes(), &signature).unwrap();
        assert!(public.verify("签字".as_bytes(), &signature).is_err());
        assert!(public.verify(b"", "").is_err());
        assert!(public.verify(b"", "不是").is_err());
        let other = theirs.public().unwrap();
        assert!(other.verify("签名".as_bytes(), &signature).is_err());
    }

    #[test]
    fn keys_are_read_in_every_dress() {
        let (key, _) = keys();
        let text = key.to_pem().unwrap();
        let base64: String = text.lines().filter(|line| !line.starts_with('-')).collect();
        let signature = key.sign(b"m").unwrap();
        for dress in [text, base64] {
            assert_eq!(
                PrivateKey::read(&dress).unwrap().sign(b"m").unwrap(),
                signature
            );
        }
        let public = key.public().unwrap().to_pem();
        let base64: String = public
            .lines()
            .filter(|line| !line.starts_with('-'))
            .collect();
        let certificate = key.certificate("sandbox", 1_700_000_000_000).unwrap();
        assert_eq!(certificate.serial.len(), 40);
        for dress in [public, base64, certificate.pem] {
            let read = PublicKey::read(&dress).unwrap();
            read.verify(b"m", &signature).unwrap();
        }
    }

    #[test]
    fn a_key_that_is_too_short_is_refused() {
        // 1024 bits.
        let short = "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDMYfnvWtC8Id5bPKae5yXSxQTt\
                     +Zpul6AnnZWfI2TtIarvjHBFUtXRo96y7hoL4VWOPKGCsRqMFDkrbeUjRrx8iL91\
                     4/srnyf6sh9c8Zk04xEOpK1ypvBz+Ks4uZObtjnnitf0NBGdjMKxveTq+VE7BWUI\
                     yQjtQ8mbDOsiLLvh7wIDAQAB";
        assert!(PublicKey::read(short).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".*", bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            for text in [text, pem("PRIVATE KEY", &bytes), pem("PUBLIC KEY", &bytes), pem("CERTIFICATE", &bytes)] {
                let _ = PrivateKey::read(&text);
                let _ = PublicKey::read(&text);
                let _ = Certificate::read(&text);
            }
        }
    }
}

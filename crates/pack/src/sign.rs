//! Makes and checks signatures in minisign's format, with a crate by minisign's author.

use std::fmt;
use std::io::{self, Cursor};

use ct_codecs::{Base64, Decoder as _};
use minisign::{PublicKeyBox, SecretKey, SecretKeyBox, SignatureBox};

/// An error while signing, or an untrusted signature.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    #[error("it is not a key of minisign: {0}")]
    Key(String),
    #[error("it has a password, but there is no terminal to ask for it")]
    Password(#[source] io::Error),
    #[error("it is not a signature of minisign")]
    Syntax,
    #[error(
        "it is the signature of other bytes or of another key, or it has the legacy format (minisign -l)"
    )]
    Wrong,
    #[error("{0}")]
    Failed(String),
}

/// The first comment in a signature file; the signature does not cover it.
const UNTRUSTED: &str = "signature of pack.json";

/// The length of a secret key in bytes, and the offset of its checksum.
const KEY_LEN: usize = 158;
const CHECKSUM_AT: usize = 126;

pub struct Signer {
    secret: SecretKey,
    public: PublicKey,
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").field("public", &self.public).finish_non_exhaustive()
    }
}

impl Signer {
    /// Reads a secret key in minisign's format. `password` is called if the key is encrypted.
    pub fn of_text(
        text: &str,
        password: &mut dyn FnMut() -> io::Result<String>,
    ) -> Result<Signer, SignError> {
        let wrong = || SignError::Key("it is not a secret key".to_owned());
        let letters = text.lines().nth(1).ok_or_else(wrong)?;
        let bytes = Base64::decode_to_vec(letters, None).map_err(|_| wrong())?;
        if bytes.len() != KEY_LEN {
            return Err(wrong());
        }
        let key = SecretKeyBox::from_string(text).map_err(sign_error)?;
        let secret = if bytes[2..4] != [0, 0] {
            let password = password().map_err(SignError::Password)?;
            key.into_secret_key(Some(password)).map_err(sign_error)?
        } else if bytes[CHECKSUM_AT..].iter().all(|&byte| byte == 0) {
            // Without a password minisign writes no checksum. But the library requires a checksum.
            SecretKey::from_bytes(&bytes).map_err(sign_error)?
        } else {
            key.into_unencrypted_secret_key().map_err(sign_error)?
        };
        let public = minisign::PublicKey::from_secret_key(&secret).map_err(sign_error)?;
        Ok(Signer { secret, public: PublicKey(public) })
    }

    /// Returns the public key that checks this signer's signatures.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    pub(crate) fn sign(&self, bytes: &[u8], date: u64) -> Result<String, SignError> {
        let trusted = format!("timestamp:{date}\tfile:pack.json\thashed");
        let (key, secret) = (&self.public.0, &self.secret);
        let signed = minisign::sign(Some(key), secret, bytes, Some(&trusted), Some(UNTRUSTED));
        Ok(signed.map_err(|error| SignError::Failed(error.to_string()))?.into_string())
    }
}

/// A public key for checking signatures.
#[derive(Clone, Debug)]
pub struct PublicKey(minisign::PublicKey);

impl PublicKey {
    /// Reads a public key from the text of a file in minisign's format, or from its Base64 line.
    pub fn of_text(text: &str) -> Result<PublicKey, SignError> {
        let text = text.trim_end();
        let key = match text.contains('\n') {
            true => PublicKeyBox::from_string(text).and_then(PublicKeyBox::into_public_key),
            false => minisign::PublicKey::from_base64(text),
        };
        Ok(PublicKey(key.map_err(sign_error)?))
    }

    pub fn letters(&self) -> String {
        self.0.to_base64()
    }

    pub(crate) fn check(&self, bytes: &[u8], signature: &str) -> Result<(), SignError> {
        // The library panics if the last line has fewer than 88 characters.
        if signature.lines().nth(3).is_none_or(|line| line.trim().len() < 88) {
            return Err(SignError::Syntax);
        }
        let signature = SignatureBox::from_string(signature).map_err(|_| SignError::Syntax)?;
        minisign::verify(&self.0, &signature, Cursor::new(bytes), true, false, false)
            .map_err(|_| SignError::Wrong)
    }
}

/// True if a signature has exactly the form that [`Signer::sign`] writes. The signature itself
/// covers neither the first comment nor the Base64 encoding.
pub(crate) fn is_canonical(signature: &str) -> bool {
    let Ok(parsed) = SignatureBox::from_string(signature) else { return false };
    let first = signature.lines().next();
    first.and_then(|line| line.strip_prefix("untrusted comment: ")) == Some(UNTRUSTED)
        && parsed.to_string() == signature
}

fn sign_error(error: minisign::PError) -> SignError {
    SignError::Key(error.to_string())
}

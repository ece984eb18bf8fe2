//! Tests that only clients that trust the server's certificate can read with https.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grundy_remote::{Address, Remote, RemoteError, Settings};
use grundy_testing::server::{How, Server};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls").join(name)
}

fn server() -> Server {
    let certificate = CertificateDer::from_pem_file(place("certificate.pem")).unwrap();
    let key = PrivateKeyDer::Pkcs8(std::fs::read(place("key.der")).unwrap().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let files = BTreeMap::from([("/file".to_owned(), b"secret enough".to_vec())]);
    Server::with_tls(files, config)
}

fn remote(certificates: Option<PathBuf>) -> Result<Remote, RemoteError> {
    Remote::new(Settings { certificates, tries: 1, ..Settings::default() })
}

#[test]
fn a_server_with_a_trusted_certificate_is_read() {
    let server = server();
    let remote = remote(Some(place("certificate.pem"))).unwrap();
    let address: Address = server.at("/file").parse().unwrap();
    assert_eq!(remote.text(&address, 100).unwrap().bytes, b"secret enough");
    assert_eq!(remote.beginning(&address, 6).unwrap().bytes, b"secret");
    // A redirect to an unencrypted address is not followed.
    server.answers(|_| How::Redirect("http://127.0.0.1:1/file".to_owned()));
    let error = remote.text(&address, 100).unwrap_err().to_string();
    assert!(error.contains("from https to http"), "{error}");
}

#[test]
fn a_server_with_another_certificate_is_refused() {
    let server = server();
    let address: Address = server.at("/file").parse().unwrap();
    let error = remote(None).unwrap().text(&address, 100).unwrap_err();
    assert!(matches!(error, RemoteError::Tls { .. }), "{error:?}");
    // The certificate is for another host name.
    let named = server.at("/file").replace("localhost", "127.0.0.1").parse().unwrap();
    let error = remote(Some(place("certificate.pem"))).unwrap().text(&named, 100).unwrap_err();
    assert!(matches!(error, RemoteError::Tls { .. }), "{error:?}");
    assert!(server.requests().is_empty());
}

#[test]
fn invalid_certificates_are_refused() {
    for name in ["key.der", "README.md", "not-there"] {
        let error = remote(Some(place(name))).unwrap_err();
        assert!(matches!(error, RemoteError::Certificates { .. }), "{error:?}");
    }
}

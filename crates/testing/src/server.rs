//! A web server for tests. It serves files and ranges of files, and can misbehave in many ways.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::files::files;

/// The behaviour of the server for one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    Right,
    /// Sends the whole file, even if the request asks for a range.
    Whole,
    /// Sends the whole file, without a Content-Length.
    WholeUnsaid,
    /// Sends this status and no file. The text is the header Retry-After, unless it is empty.
    Status(u16, &'static str),
    /// Sends the correct head, but only this many bytes of the body.
    Cut(usize),
    /// The header Content-Range states a range that was not requested.
    OtherRange,
    NoRange,
    /// The header Content-Range states a wrong length of the file.
    OtherLength,
    /// The header Content-Length states one byte less than the body has.
    ShortLength,
    /// Flips a bit of the first requested byte.
    WrongBytes,
    /// Sends wrong bytes of the right length, with the tag of the right bytes.
    OtherBytes,
    Endless,
    /// Sends headers without an end.
    EndlessHead,
    Silent,
    Dripping,
    /// Redirects to this address, or to the requested address if the text is empty.
    Redirect(String),
    /// Sends the right bytes, labelled as gzip.
    Encoded,
    Noise,
}

#[derive(Clone, Debug)]
pub struct Received {
    /// The path, with its leading slash.
    pub path: String,
    /// The first and the last byte that the Range header requests.
    pub range: Option<(u64, u64)>,
    /// The headers, by their names in lower case.
    pub headers: BTreeMap<String, String>,
    pub number: usize,
}

/// Chooses the behaviour for a request.
pub type Choose = dyn Fn(&Received) -> How + Send + Sync;

/// The bytes and the tag of a file.
type Tagged = Arc<(Vec<u8>, String)>;

struct Shared {
    files: Mutex<BTreeMap<String, Tagged>>,
    requests: Mutex<Vec<Received>>,
    choose: Mutex<Arc<Choose>>,
    ends: AtomicBool,
    tls: Option<Arc<rustls::ServerConfig>>,
}

/// A running server. Dropping it stops the server.
pub struct Server {
    shared: Arc<Shared>,
    port: u16,
}

impl Server {
    /// Starts a server for these files, without faults. Each path begins with a slash.
    pub fn of(files: BTreeMap<String, Vec<u8>>) -> Server {
        Server::start(files, None)
    }

    pub fn of_folder(folder: &Path) -> Server {
        let path = |name: PathBuf| format!("/{}", name.to_string_lossy().replace('\\', "/"));
        Server::of(files(folder).into_iter().map(|(name, bytes)| (path(name), bytes)).collect())
    }

    pub fn with_tls(files: BTreeMap<String, Vec<u8>>, tls: rustls::ServerConfig) -> Server {
        Server::start(files, Some(Arc::new(tls)))
    }

    fn start(files: BTreeMap<String, Vec<u8>>, tls: Option<Arc<rustls::ServerConfig>>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("a port").port();
        let shared = Arc::new(Shared {
            files: Mutex::new(
                files.into_iter().map(|(path, bytes)| (path, tagged(bytes))).collect(),
            ),
            requests: Mutex::default(),
            choose: Mutex::new(Arc::new(|_| How::Right)),
            ends: AtomicBool::new(false),
            tls,
        });
        let served = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if served.ends.load(Ordering::Relaxed) {
                    return;
                }
                let served = Arc::clone(&served);
                thread::spawn(move || serve(&served, stream));
            }
        });
        Server { shared, port }
    }

    pub fn at(&self, path: &str) -> String {
        match self.shared.tls {
            Some(_) => format!("https://localhost:{}{path}", self.port),
            None => format!("http://127.0.0.1:{}{path}", self.port),
        }
    }

    /// Sets the behaviour for future requests.
    pub fn answers(&self, choose: impl Fn(&Received) -> How + Send + Sync + 'static) {
        *self.shared.choose.lock().unwrap() = Arc::new(choose);
    }

    /// Sets one behaviour for all future requests.
    pub fn always(&self, how: How) {
        self.answers(move |_| how.clone());
    }

    pub fn change(&self, path: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut files = self.shared.files.lock().unwrap();
        let file = files.get_mut(path).expect("a file");
        let mut bytes = file.0.clone();
        change(&mut bytes);
        *file = tagged(bytes);
    }

    /// Returns the requests so far, and clears the list.
    pub fn requests(&self) -> Vec<Received> {
        std::mem::take(&mut self.shared.requests.lock().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::Relaxed);
        // Connect, so that the server wakes up and reads the flag.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn serve(shared: &Shared, stream: TcpStream) {
    let _ = stream.set_nodelay(true);
    let Some(config) = &shared.tls else {
        let writer = stream.try_clone().expect("a socket");
        return talk(shared, &mut BufReader::new(stream), writer);
    };
    let connection = rustls::ServerConnection::new(Arc::clone(config)).expect("a connection");
    let stream = Arc::new(Mutex::new(rustls::StreamOwned::new(connection, stream)));
    // Requests and answers alternate, so one lock is enough for both directions.
    struct Half(Arc<Mutex<rustls::StreamOwned<rustls::ServerConnection, TcpStream>>>);
    impl Read for Half {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().read(bytes)
        }
    }
    impl Write for Half {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            self.0.lock().unwrap().flush()
        }
    }
    talk(shared, &mut BufReader::new(Half(Arc::clone(&stream))), Half(stream));
}

/// Answers requests on a connection until an answer ends it.
fn talk(shared: &Shared, reader: &mut dyn BufRead, mut writer: impl Write) {
    loop {
        let Some((path, headers)) = read_request(reader) else { return };
        let range = headers.get("range").and_then(|range| {
            let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
            Some((first.parse().ok()?, last.parse().ok()?))
        });
        let request = {
            let mut all = shared.requests.lock().unwrap();
            let request = Received { path, range, headers, number: all.len() };
            all.push(request.clone());
            request
        };
        let choose = Arc::clone(&shared.choose.lock().unwrap());
        if answer(shared, &request, &choose(&request), &mut writer).is_none() {
            return;
        }
    }
}

fn read_request(reader: &mut dyn BufRead) -> Option<(String, BTreeMap<String, String>)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let target = line.split(' ').nth(1)?;
    let path = target.split('?').next()?.to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim().split_once(':') {
            Some((name, value)) => {
                headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
            }
            None => return Some((path, headers)),
        }
    }
}

/// Returns the bytes and a tag, which is their FNV-1a hash.
fn tagged(bytes: Vec<u8>) -> Tagged {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Arc::new((bytes, format!("\"{hash:016x}\"")))
}

/// Answers a request. Returns `None` if the connection must end.
fn answer(shared: &Shared, request: &Received, how: &How, out: &mut impl Write) -> Option<()> {
    let file = shared.files.lock().unwrap().get(&request.path).cloned();
    let status = |out: &mut dyn Write, status: u16, more: &str| {
        let head = format!("HTTP/1.1 {status} So\r\n{more}Content-Length: 0\r\n\r\n");
        out.write_all(head.as_bytes()).and_then(|()| out.flush()).ok()
    };
    match how {
        How::Status(code, "") => return status(out, *code, ""),
        How::Status(code, wait) => return status(out, *code, &format!("Retry-After: {wait}\r\n")),
        How::Redirect(to) => {
            let to = if to.is_empty() { &request.path } else { to };
            return status(out, 302, &format!("Location: {to}\r\n"));
        }
        How::Silent => {
            thread::sleep(Duration::from_secs(60));
            return None;
        }
        How::EndlessHead => {
            out.write_all(b"HTTP/1.1 206 Partial Content\r\n").ok()?;
            loop {
                out.write_all(b"X-More: and more of it\r\n").ok()?;
            }
        }
        How::Noise => {
            let _ = out.write_all(b"220 here is a server of something else\r\n\r\n");
            return None;
        }
        _ => {}
    }
    let Some(file) = file else { return status(out, 404, "") };
    let (file, tag) = &*file;
    let is_same = request.headers.get("if-range").is_none_or(|wanted| wanted == tag);
    let range = request.range.filter(|_| is_same && !matches!(how, How::Whole | How::WholeUnsaid));
    if range.is_some_and(|(first, _)| first >= file.len() as u64) {
        return status(out, 416, &format!("Content-Range: bytes */{}\r\n", file.len()));
    }
    let (first, end) = range.map_or((0, file.len()), |(first, last)| {
        (first as usize, file.len().min(last as usize + 1))
    });
    let mut body = file[first..end].to_vec();
    match how {
        How::WrongBytes => body[0] ^= 1,
        How::OtherBytes => body.iter_mut().for_each(|byte| *byte = byte.wrapping_mul(3) ^ 0x55),
        _ => {}
    }
    let mut head = match range {
        Some(_) => "HTTP/1.1 206 Partial Content\r\n".to_owned(),
        None => "HTTP/1.1 200 OK\r\n".to_owned(),
    };
    if range.is_some() && *how != How::NoRange {
        let shift = usize::from(*how == How::OtherRange);
        let length = file.len() + usize::from(*how == How::OtherLength);
        let (first, last) = (first + shift, end - 1 + shift);
        head += &format!("Content-Range: bytes {first}-{last}/{length}\r\n");
    }
    head += &format!("ETag: {tag}\r\n");
    if *how == How::Encoded {
        head += "Content-Encoding: gzip\r\n";
    }
    head += &match how {
        How::Endless => "Transfer-Encoding: chunked\r\n".to_owned(),
        How::WholeUnsaid => "Connection: close\r\n".to_owned(),
        How::ShortLength => format!("Content-Length: {}\r\n", body.len().saturating_sub(1)),
        _ => format!("Content-Length: {}\r\n", body.len()),
    };
    head += "\r\n";
    out.write_all(head.as_bytes()).ok()?;
    match how {
        How::Cut(count) => {
            let _ = out.write_all(&body[..body.len().min(*count)]).and_then(|()| out.flush());
            None
        }
        How::Endless => loop {
            let chunk = format!("{:x}\r\n", body.len().max(1));
            out.write_all(chunk.as_bytes()).ok()?;
            out.write_all(if body.is_empty() { b"x" } else { &body }).ok()?;
            out.write_all(b"\r\n").ok()?;
        },
        How::Dripping => {
            for byte in body {
                out.write_all(&[byte]).and_then(|()| out.flush()).ok()?;
                thread::sleep(Duration::from_millis(100));
            }
            Some(())
        }
        _ => {
            out.write_all(&body).and_then(|()| out.flush()).ok()?;
            (*how != How::WholeUnsaid).then_some(())
        }
    }
}

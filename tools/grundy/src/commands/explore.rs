use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Command, Stdio};

use anyhow::Context;
use grundy::Limits;
use serde_json::json;

use crate::End;
use crate::args::{Common, Explore};
use crate::explore::api::Api;
use crate::explore::assets::Assets;
use crate::explore::server::{Server, serve};
use crate::explore::work::Shares;
use crate::output::{Out, tell};
use crate::watch::{is_interrupted, stop_on_interrupt};

pub(crate) fn run(common: &Common, wanted: &Explore, out: &mut Out) -> anyhow::Result<End> {
    let assets = Assets::of(wanted.assets.as_deref())?;
    let Shares { connections, at_work, each } = Shares::of(common.memory, common.threads)?;
    let limits = Limits { memory: each, seconds: wanted.seconds };
    // Ctrl-C stops a search.
    let database = common.open_within(limits)?.watched(|_| !is_interrupted());
    common.start_threads()?;
    let at = SocketAddr::from((Ipv4Addr::LOCALHOST, wanted.port));
    let listener = TcpListener::bind(at).with_context(|| {
        format!(
            "cannot serve on port {}; choose another with --port, or 0 for a free one",
            wanted.port
        )
    })?;
    let port = listener.local_addr().context("cannot read the port number")?.port();
    let control = stop_on_interrupt()?;
    let address = format!("http://127.0.0.1:{port}/");
    if out.is_json() {
        out.object(&json!({ "address": address }))?;
    } else {
        out.line(format_args!("serving {address} (Ctrl-C ends it)"))?;
    }
    out.flush()?;
    if wanted.open && !open_browser(&address) {
        tell(format_args!("grundy: cannot open a browser; open {address} yourself"));
    }
    let server = Server::new(assets, Api::new(database, limits), at_work);
    serve(listener, server, connections, &control);
    Ok(End::Interrupted)
}

fn open_browser(address: &str) -> bool {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "windows" => ("explorer", &[]),
        "macos" => ("open", &[]),
        _ => ("xdg-open", &[]),
    };
    let quiet = || Stdio::null();
    Command::new(program)
        .args(before)
        .arg(address)
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn()
        .is_ok()
}

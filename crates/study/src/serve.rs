//! `rufous-study serve`: a board in the browser.
//!
//! Each page opens a WebSocket, and each WebSocket is a session with its own engine that reads and writes UCI lines. The
//! page itself is in `web/`; it is built by `make board` and embedded here.

mod archive;
mod assets;
mod budget;
mod gate;
mod limits;
mod outbox;
mod page_options;
mod server;
mod session;
mod socket;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use archive::Archive;
use limits::Limits;
use server::Server;
use session::Shared;

use crate::CommandResult;
use crate::output::{say, warn};
use crate::store::StoreArgs;

/// Serve a board to play and analyse on, for a browser on this machine.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Port to listen on; 0 for any free port
    #[arg(long, default_value_t = 5757)]
    port: u16,
    /// Address to listen on; with an address other than loopback, other machines can use the engine
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Another host name by which the server can be reached; can be given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Let pages set the options that name files: networks, tablebases, books
    #[arg(long)]
    trusted: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    store: StoreArgs,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let address = SocketAddr::new(args.address, args.port);
        let archive = args.store.open()?.map(Archive::new).transpose()?;
        let shared = Shared::new(args.limits.clone(), args.trusted, archive)?;
        let server = Server::bind(address, shared, args.hosts.clone()).await?;
        let page = server.page_address();
        say(format_args!("The board is at {page} (Ctrl-C to quit)."));
        server.limits().in_words().iter().for_each(say);
        if !args.address.is_loopback() {
            say("Warning: other machines can connect and use the engine.");
        }
        if args.open
            && let Err(error) = open_browser(&page)
        {
            warn(format_args!("rufous-study: no browser could be opened: {error}"));
        }
        tokio::select! {
            () = server.run() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        Ok(())
    })
}

fn open_browser(page: &str) -> std::io::Result<()> {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let silent = std::process::Stdio::null;
    std::process::Command::new(program).arg(page).stdout(silent()).stderr(silent()).spawn()?;
    Ok(())
}

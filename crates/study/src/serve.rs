//! `rufous-study serve`: a board in the browser.
//!
//! A page is a WebSocket, and a WebSocket is a session with an engine of its own: UCI lines in, UCI lines out. What the
//! page shows is in `web/`; it is built by `make study` and embedded here.

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
use session::House;

use crate::Outcome;
use crate::store::StoreArgs;

/// Serves a board to play and analyse on, for the browser of this machine.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Port to listen on; 0 takes any that is free.
    #[arg(long, default_value_t = 5757)]
    port: u16,
    /// Address to listen on. Any other than a loopback address lets other machines use this one's processors.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Opens the page in the browser.
    #[arg(long)]
    open: bool,
    /// Another name of this machine by which pages may reach the server; may be given several times.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Lets pages set the options that name files: networks, tablebases, books.
    #[arg(long)]
    trusted: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    store: StoreArgs,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let address = SocketAddr::new(args.address, args.port);
        let archive = args.store.open()?.map(Archive::new).transpose()?;
        let house = House::new(args.limits.clone(), args.trusted, archive)?;
        let server = Server::bind(address, house, args.hosts.clone()).await?;
        let page = server.page_address();
        println!("The board is at {page} (Ctrl-C ends it).");
        server.limits().in_words().iter().for_each(|limit| println!("{limit}"));
        if !args.address.is_loopback() {
            println!("Other machines can reach it: anybody who can connect may use the engine.");
        }
        if args.open
            && let Err(error) = open_browser(&page)
        {
            eprintln!("rufous-study: no browser could be opened: {error}");
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

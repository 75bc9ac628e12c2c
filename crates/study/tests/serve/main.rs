//! `rufous-study serve` as pages and as strangers meet it: the real program on a port of its own.

mod hostile;
mod load;
mod page;
mod server;

//! Scripted sessions against the real program, through real pipes.

mod analysis;
mod ending;
mod files;
mod levels;
mod limits;
mod map;
mod odd_input;
mod options;
mod people;
mod positions;
mod races;
mod scripts;
mod session;
mod wire;

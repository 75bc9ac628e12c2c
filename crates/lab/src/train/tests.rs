//! Tests of the whole trainer, on games that they make themselves.

mod files;
mod folder;
mod gradients;
mod reference;
mod runs;
mod scripted;
mod start;

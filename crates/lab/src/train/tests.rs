//! Tests of the whole trainer, on games that they make themselves.

mod gradients;
mod reference;
mod runs;
mod scripted;

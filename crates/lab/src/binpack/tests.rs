//! The format against the crate `sfbinpack`, which knows nothing of this module, and against damage.

mod damage;
mod other;
mod random_games;
mod round_trip;
mod shared_data;

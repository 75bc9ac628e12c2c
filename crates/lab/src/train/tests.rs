//! Tests of the whole trainer.

//! The program that is handed out for x86-64: the player is in it twice, built for every processor and for those of the last
//! ten years (x86-64-v3), and this one decides. scripts/two-levels writes its manifest.

fn main() {
    if is_v3() {
        rufous_v3::main()
    } else {
        rufous::main()
    }
}

/// Has the processor all that the level x86-64-v3 stands for? The system's part, saving the registers, is asked for by each.
fn is_v3() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe")
        && is_x86_feature_detected!("popcnt")
}

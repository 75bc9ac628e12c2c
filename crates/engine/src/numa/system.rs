//! NUMA nodes and processor affinity on Linux; on other systems nothing is known and nothing bound.
#![cfg_attr(target_os = "linux", allow(unsafe_code, reason = "the system's interface for affinities"))]

use super::Node;

/// The numbers of processors lie below this.
pub(super) const MAX_PROCESSORS: usize = 1024;

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;

    use super::{MAX_PROCESSORS, Node};

    const _: () = assert!(size_of::<libc::cpu_set_t>() * 8 >= MAX_PROCESSORS);

    /// The nodes with processors, in the order of their numbers.
    pub(in super::super) fn nodes() -> Vec<Node> {
        let list =
            |number: usize| fs::read_to_string(format!("/sys/devices/system/node/node{number}/cpulist"));
        let online = fs::read_to_string("/sys/devices/system/node/online").unwrap_or_default();
        let numbers = super::super::read_processors(online.trim()).unwrap_or_default();
        let nodes =
            numbers.into_iter().filter_map(|number| super::super::read_processors(list(number).ok()?.trim()));
        let nodes: Vec<Node> = nodes.collect();
        if nodes.is_empty() { vec![allowed()] } else { nodes }
    }

    /// The processors that the calling thread may use.
    pub(in super::super) fn allowed() -> Node {
        // SAFETY: a set of processors is plain bits, valid as zeros.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the set is ours and as large as we say.
        let got = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) };
        if got != 0 {
            return Vec::new();
        }
        // SAFETY: the numbers are below the size of the set.
        (0..MAX_PROCESSORS).filter(|&cpu| unsafe { libc::CPU_ISSET(cpu, &set) }).collect()
    }

    /// Binds the calling thread to these processors.
    pub(in super::super) fn bind(node: &Node) {
        // SAFETY: a set of processors is plain bits, valid as zeros.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        for &cpu in node.iter().filter(|&&cpu| cpu < MAX_PROCESSORS) {
            // SAFETY: the number is below the size of the set.
            unsafe { libc::CPU_SET(cpu, &mut set) };
        }
        // SAFETY: the set is ours and as large as we say. A refusal changes nothing.
        unsafe { libc::sched_setaffinity(0, size_of_val(&set), &raw const set) };
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::{allowed, bind, nodes};

#[cfg(not(target_os = "linux"))]
pub(super) fn nodes() -> Vec<Node> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn allowed() -> Node {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn bind(_node: &Node) {}

//! NUMA: binding threads to processors (`NumaPolicy`).

mod system;

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// Processors whose memory is the same, by their numbers.
type Node = Vec<usize>;

/// How threads are bound to processors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NumaPolicy {
    /// Threads run where the system puts them.
    None,
    /// To the nodes that the system names, as far as this process may use them.
    System,
    /// As `System` where there are several nodes, and `None` elsewhere.
    Auto,
    /// To the nodes that the system names, whatever this process was restricted to.
    Hardware,
    /// To these nodes.
    Custom(Vec<Vec<usize>>),
}

/// The text that was no policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumaPolicyError;

impl fmt::Display for NumaPolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "NumaPolicy must be none, system, auto, hardware, or a list of processors such as 0-3,8:4-7",
        )
    }
}

impl std::error::Error for NumaPolicyError {}

impl FromStr for NumaPolicy {
    type Err = NumaPolicyError;

    fn from_str(text: &str) -> Result<Self, NumaPolicyError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "none" => Ok(Self::None),
            "system" => Ok(Self::System),
            "auto" => Ok(Self::Auto),
            "hardware" => Ok(Self::Hardware),
            list => {
                let nodes: Option<Vec<Node>> = list.split(':').map(read_processors).collect();
                nodes.map(Self::Custom).ok_or(NumaPolicyError)
            }
        }
    }
}

/// Reads a list such as `0-3,8`; `None` where it is none or names no processor.
fn read_processors(list: &str) -> Option<Node> {
    let mut processors = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if first > last || last >= system::MAX_PROCESSORS {
            return None;
        }
        processors.extend(first..=last);
    }
    Some(processors)
}

/// Where each thread belongs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Binding {
    /// Threads are not bound where there is none.
    nodes: Vec<Node>,
}

impl Binding {
    /// What a policy means on this machine.
    pub(crate) fn new(policy: &NumaPolicy) -> Self {
        let nodes = match policy {
            NumaPolicy::None => Vec::new(),
            NumaPolicy::Custom(nodes) => nodes.clone(),
            NumaPolicy::Hardware => system::nodes(),
            NumaPolicy::System => numa_nodes(),
            NumaPolicy::Auto => Some(numa_nodes()).filter(|nodes| nodes.len() > 1).unwrap_or_default(),
        };
        Self { nodes }
    }

    /// The node of a thread, by its number: threads are dealt out so that each processor has as many as any other.
    fn node(&self, thread: usize) -> Option<usize> {
        let mut given = vec![0; self.nodes.len()];
        let mut chosen = None;
        for _ in 0..=thread {
            // The first node with the smallest share (given + 1) / processors.
            chosen = (0..self.nodes.len()).min_by(|&a, &b| {
                let load = |node: usize, other: usize| (given[node] + 1) * self.nodes[other].len();
                load(a, b).cmp(&load(b, a))
            });
            given[chosen?] += 1;
        }
        chosen
    }

    /// Binds the calling thread, which is the one of this number. Where the system refuses, the thread
    /// runs anywhere.
    pub(crate) fn bind(&self, thread: usize) {
        if let Some(node) = self.node(thread) {
            system::bind(&self.nodes[node]);
        }
    }
}

/// Copies of something that is read often, one on each node that threads are bound to.
pub(crate) struct PerNode<T> {
    copies: Vec<OnceLock<T>>,
}

impl<T> PerNode<T> {
    /// No copies yet.
    pub(crate) fn new(binding: &Binding) -> Self {
        Self { copies: binding.nodes.iter().map(|_| OnceLock::new()).collect() }
    }

    /// The copy on the node of a thread, which must be the calling thread and bound already: the first thread of a node makes
    /// the copy, and memory is placed near the thread that first writes to it. `None` where there is only one node.
    pub(crate) fn get(&self, binding: &Binding, thread: usize, copy: impl FnOnce() -> T) -> Option<&T> {
        let node = binding.node(thread).filter(|_| self.copies.len() > 1)?;
        Some(self.copies.get(node)?.get_or_init(copy))
    }
}

/// The processors of each NUMA node that this process may use, by their numbers; empty where the system does not tell.
pub fn numa_nodes() -> Vec<Vec<usize>> {
    let allowed = system::allowed();
    let usable = |node: Node| -> Node { node.into_iter().filter(|cpu| allowed.contains(cpu)).collect() };
    system::nodes().into_iter().map(usable).filter(|node| !node.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_read() {
        assert_eq!("AUTO".parse(), Ok(NumaPolicy::Auto));
        let custom = NumaPolicy::Custom(vec![vec![0, 1, 4], vec![2, 3]]);
        assert_eq!("0-1,4:2-3".parse(), Ok(custom));
        for wrong in ["", "some", "3-1", "1,,2", "0:", "0-9999999"] {
            assert_eq!(wrong.parse::<NumaPolicy>(), Err(NumaPolicyError), "{wrong}");
        }
    }

    #[test]
    fn threads_are_dealt_out_evenly() {
        let binding = Binding { nodes: vec![vec![0, 1, 2, 3], vec![4, 5]] };
        let on_first = (0..12).filter(|&thread| binding.node(thread) == Some(0)).count();
        assert_eq!(on_first, 8);
        assert_eq!(Binding::default().node(3), None);
    }

    #[test]
    fn each_of_several_nodes_has_one_copy() {
        let binding = Binding { nodes: vec![vec![0], vec![1]] };
        let (copies, made) = (PerNode::new(&binding), std::cell::Cell::new(0));
        let copy = || {
            made.set(made.get() + 1);
            made.get()
        };
        let found: Vec<_> = (0..6).map(|thread| copies.get(&binding, thread, copy).copied()).collect();
        assert_eq!(found, [1, 2, 1, 2, 1, 2].map(Some));
        for nodes in [vec![], vec![vec![0, 1]]] {
            let binding = Binding { nodes };
            assert_eq!(PerNode::new(&binding).get(&binding, 0, copy), None);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_bound_thread_stays_where_it_was_put() {
        let cpu = *system::allowed().last().expect("this thread runs somewhere");
        let bound = std::thread::spawn(move || {
            Binding { nodes: vec![vec![cpu]] }.bind(0);
            system::allowed()
        });
        assert_eq!(bound.join().unwrap(), [cpu]);
        assert!(!system::nodes().is_empty());
    }
}

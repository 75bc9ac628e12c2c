//! The properties of this computer that can be read without privileges.

use std::env::{self, consts};
use std::io::{self, IsTerminal};
use std::{fs, thread};

use nnue::{Arch, Network};

use super::Fact;

/// Everything worth knowing.
pub(super) fn facts(network: &Network) -> Vec<Fact> {
    vec![
        ("system", system()),
        ("processor", format!("{}, {} threads", processor(), threads())),
        ("instruction set", instruction_set(network)),
        ("NUMA", numa()),
        ("memory", memory().unwrap_or_else(|| "not known".to_owned())),
        ("large pages", large_pages()),
        ("terminal", terminal()),
    ]
}

/// The same in short, for a bug report.
pub(super) fn summary(network: &Network) -> String {
    let memory = memory().unwrap_or_else(|| "memory not known".to_owned());
    format!("{}; {}; {}; {} threads; {memory}", system(), processor(), network.arch(), threads())
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn system() -> String {
    let name = format!("{} {}", consts::OS, consts::ARCH);
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let pretty = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    match pretty {
        Some(pretty) => format!("{name}, {}", pretty.trim_matches('"')),
        None => name,
    }
}

fn processor() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let linux = value_of(&cpuinfo, "model name").map(str::to_owned);
    let windows = || env::var("PROCESSOR_IDENTIFIER").ok();
    linux.or_else(windows).unwrap_or_else(|| format!("{} processor", consts::ARCH))
}

/// The value of the first line `name : value`.
fn value_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    lines.map(|(key, value)| (key.trim(), value.trim())).find(|(key, _)| *key == name).map(|(_, value)| value)
}

fn instruction_set(network: &Network) -> String {
    let available: Vec<String> = Arch::available().map(|arch| arch.to_string()).collect();
    format!(
        "{} for the network (this processor has {}), {} for sliding pieces",
        network.arch(),
        available.join(", "),
        if cfg!(target_feature = "bmi2") { "PEXT" } else { "magics" },
    )
}

fn numa() -> String {
    match engine::numa_nodes().as_slice() {
        [] => "not known".to_owned(),
        [_] => "one node: threads are not bound".to_owned(),
        nodes => {
            let sizes: Vec<String> = nodes.iter().map(|node| node.len().to_string()).collect();
            format!("{} nodes with {} processors", nodes.len(), sizes.join(" + "))
        }
    }
}

/// From `/proc/meminfo` on Linux.
fn memory() -> Option<String> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let gib = |name: &str| -> Option<f64> {
        let kib: f64 = value_of(&meminfo, name)?.strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib / f64::from(1 << 20))
    };
    Some(format!("{:.1} GiB, of which {:.1} are free", gib("MemTotal")?, gib("MemAvailable")?))
}

fn large_pages() -> String {
    match nnue::memory::right_to_large_pages() {
        Some(true) => "used for the hash table where the system has enough of them".to_owned(),
        Some(false) => "not used: the account lacks the right \"Lock pages in memory\"".to_owned(),
        None => transparent_huge_pages(),
    }
}

/// Linux tells its setting in a file.
fn transparent_huge_pages() -> String {
    let setting = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    // All choices in a line, the one in force in brackets.
    let chosen = setting.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(word, _)| word);
    match chosen {
        Some(word @ ("always" | "madvise")) => {
            format!("used for the hash table (transparent huge pages: {word})")
        }
        Some(word) => format!("switched off in this system (transparent huge pages: {word})"),
        None => "not used on this system".to_owned(),
    }
}

fn terminal() -> String {
    if !io::stdout().is_terminal() {
        return "none: the output goes to a file or a program".to_owned();
    }
    let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let kind = variable("TERM").unwrap_or_else(|| "of unknown kind".to_owned());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    format!("{kind}, locale {}", locale.as_deref().unwrap_or("not set"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_names() {
        let text = "MemTotal:       24642468 kB\nmodel name\t: A: B\nMemFree:  1 kB\n";
        assert_eq!(value_of(text, "MemTotal"), Some("24642468 kB"));
        assert_eq!(value_of(text, "model name"), Some("A: B"));
        assert_eq!(value_of(text, "Mem"), None);
    }
}

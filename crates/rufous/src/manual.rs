//! The manual page and the shell completions, made from the tables of commands and options.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

use engine::{OptionKind, OptionSpec};

use crate::about;
use crate::help::{ARGUMENTS, COMMANDS, LIMITS};
use crate::program_options::all_options;

/// Writes all of them into a folder, which is made where there is none.
pub(crate) fn write(folder: &str) -> io::Result<()> {
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    let files = [("rufous.1", page()), ("rufous.bash", bash()), ("_rufous", zsh()), ("rufous.fish", fish())];
    files.into_iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}

/// A text as roff has it: backslashes and hyphens written out, no line that looks like a request.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('`', "");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

fn page() -> String {
    let mut page = format!(
        ".TH RUFOUS 1 \"\" \"{}\" \"User Commands\"\n\
         .SH NAME\nrufous \\- chess engine that speaks UCI\n\
         .SH SYNOPSIS\n",
        roff(about::NAME_AND_VERSION)
    );
    for (index, (usage, _)) in ARGUMENTS.iter().enumerate() {
        let separator = if index == 0 { "" } else { ".br\n" };
        let _ = writeln!(page, "{separator}{}", roff(usage));
    }
    page += ".SH DESCRIPTION\n\
             Rufous plays chess and Chess960. It speaks the Universal Chess Interface on standard input and\n\
             output and is meant to be used from a graphical program, but it can be talked to by hand.\n\
             It brings its neural network with it and needs no other file.\n\
             .SH ARGUMENTS\n";
    for (usage, about) in ARGUMENTS {
        item(&mut page, usage, about);
    }
    page += ".SH COMMANDS\n";
    for entry in COMMANDS {
        item(&mut page, entry.usage, entry.about);
    }
    let _ = writeln!(page, ".PP\nLimits of go: {}.", roff(LIMITS));
    page += ".SH OPTIONS OF THE ENGINE\nThey are set by the command setoption.\n";
    for spec in all_options() {
        item(&mut page, &format!("{}{}", spec.name, values(spec)), spec.about);
    }
    page += ".SH EXIT STATUS\n\
             0 where everything went well, 1 where a command given as an argument failed, 2 for arguments that\n\
             make no sense.\n\
             .SH SEE ALSO\n.BR rufous\\-study (1),\n.BR rufous\\-lab (1)\n";
    page
}

fn item(page: &mut String, head: &str, text: &str) {
    let _ = write!(page, ".TP\n\\fB{}\\fR\n{}\n", roff(head), roff(text));
}

fn values(spec: &OptionSpec) -> String {
    match spec.kind {
        OptionKind::Check { default } => format!(" (true or false, {default} by default)"),
        OptionKind::Spin { default, min, max } => format!(" ({min} to {max}, {default} by default)"),
        OptionKind::Button => " (a button)".to_owned(),
        OptionKind::Text { .. } | OptionKind::Network => " (a text)".to_owned(),
    }
}

/// The first words of all commands, each with the first explanation that it has.
fn words() -> BTreeMap<&'static str, &'static str> {
    let mut words = BTreeMap::new();
    for entry in COMMANDS {
        let word = entry.usage.split(' ').next().unwrap_or_default();
        words.entry(word).or_insert(entry.about);
    }
    words
}

const FLAGS: [&str; 2] = ["--help", "--version"];

fn bash() -> String {
    let words: Vec<&str> = FLAGS.into_iter().chain(words().into_keys()).collect();
    format!(
        "_rufous() {{\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        \
         COMPREPLY=($(compgen -W '{}' -- \"${{COMP_WORDS[1]}}\"))\n    fi\n}}\n\
         complete -o default -F _rufous rufous\n",
        words.join(" ")
    )
}

fn zsh() -> String {
    let mut text = "#compdef rufous\nlocal -a commands=(\n".to_owned();
    for (word, about) in words() {
        let _ = writeln!(text, "    '{word}:{}'", about.replace('\'', "'\\''"));
    }
    text + ")\n_arguments '(- *)--help[print how to use it]' '(- *)--version[print the version]' \
            '1:command:{_describe command commands}' '*::argument:_files'\n"
}

fn fish() -> String {
    let mut text = "complete -c rufous -l help -d 'Print how to use it'\n\
                    complete -c rufous -l version -d 'Print the version'\n"
        .to_owned();
    for (word, about) in words() {
        let about = about.replace('\'', "\\'");
        let _ = writeln!(text, "complete -c rufous -n __fish_use_subcommand -a {word} -d '{about}'");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_every_command_and_every_option() {
        let page = page();
        for entry in COMMANDS {
            assert!(page.contains(&format!("\\fB{}\\fR\n", roff(entry.usage))), "{}", entry.usage);
        }
        for spec in all_options() {
            assert!(page.contains(&format!("\\fB{}", roff(spec.name))), "{}", spec.name);
        }
        for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
            assert!([".TH", ".SH", ".TP", ".PP", ".br", ".BR"].contains(&&line[..3]), "{line}");
        }
    }

    #[test]
    fn completions_know_every_command() {
        for text in [bash(), zsh(), fish()] {
            assert!(words().keys().all(|word| text.contains(word)), "{text}");
        }
    }
}

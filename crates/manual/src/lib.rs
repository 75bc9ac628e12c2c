//! Manual pages and shell completions of a program, made from what its command line is.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::{CommandFactory, ValueEnum};
use clap_complete::{Shell, generate_to};

/// Writes the manual pages and the shell completions of this program into a folder.
#[derive(clap::Args)]
#[command(hide = true)]
pub struct Args {
    /// The folder, which is made where there is none
    folder: PathBuf,
}

/// Does what these arguments ask for, for the program with this command line.
///
/// # Errors
/// When the files cannot be written.
pub fn run<Cli: CommandFactory>(args: &Args) -> io::Result<()> {
    write(Cli::command(), &args.folder)
}

fn write(command: clap::Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let (name, mut complete) = (command.get_name().to_owned(), command.clone());
    for &shell in Shell::value_variants() {
        generate_to(shell, &mut complete, &name, folder)?;
    }
    clap_mangen::generate_to(command, folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_that_is_shown_has_a_page() {
        let folder = std::env::temp_dir().join(format!("rufous-manual-{}", std::process::id()));
        let command = clap::Command::new("program")
            .about("Does it.")
            .subcommand(clap::Command::new("do").about("Does it now."))
            .subcommand(clap::Command::new("secret").hide(true));
        write(command, &folder).unwrap();
        let has = |name: &str| folder.join(name).is_file();
        assert!(has("program.1") && has("program-do.1") && !has("program-secret.1"));
        assert!(has("program.bash") && has("_program") && has("program.fish"));
        fs::remove_dir_all(folder).unwrap();
    }
}

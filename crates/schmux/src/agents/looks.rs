//! What is known of agents' screens: ours, and the user's files in
//! `SCHMUX_HOME/agents`, each of which takes the place of ours with its name.

use std::fs;
use std::io;

use schmux_core::reading::{Library, LibraryError};

use crate::home::Home;

/// A file is a page of text; more is a mistake.
const MOST_BYTES: u64 = 256 << 10;

/// All that is known, and what is wrong with files that can't be used.
pub fn load(home: &Home) -> (Library, Vec<LibraryError>) {
    let mut errors = Vec::new();
    let mut files = Vec::new();
    let dir = home.agents();
    let mut paths = match fs::read_dir(&dir) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect::<Vec<_>>(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            let problem = format!("it can't be read: {error}");
            errors.push(LibraryError { file: dir.display().to_string(), problem });
            Vec::new()
        }
    };
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "toml"));
    paths.sort();
    for path in paths {
        let file = path.display().to_string();
        let is_long = fs::metadata(&path).is_ok_and(|meta| meta.len() > MOST_BYTES);
        match fs::read_to_string(&path) {
            _ if is_long => {
                let problem = "it is longer than 256 kB".to_owned();
                errors.push(LibraryError { file, problem });
            }
            Ok(text) => files.push((file, text)),
            Err(error) => {
                errors.push(LibraryError { file, problem: format!("it can't be read: {error}") });
            }
        }
    }
    let (library, unfit) = Library::embedded().with(&files);
    errors.extend(unfit);
    (library, errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_file_is_told_of_and_the_others_count() {
        let dir = tempfile::TempDir::new().unwrap();
        let home = Home::at(dir.path());
        assert_eq!(load(&home).1, []);
        fs::create_dir(home.agents()).unwrap();
        let write = |name: &str, text: &str| fs::write(home.agents().join(name), text).unwrap();
        write("mine.toml", "name = \"mine\"\n[field]\nglyphs = [\"§\"]\n");
        write("bad.toml", "name = \"claude\"\nglyphs = 3\n");
        write("notes.txt", "not looked at");
        let (library, errors) = load(&home);
        assert_eq!(library.reader("mine").name, "mine");
        assert_eq!(library.reader("claude").name, "claude");
        let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("bad.toml is left out") && told[0].contains("glyphs"), "{told:?}");
    }
}

//! The files of the binary, and screens written by hand. Recorded ones are in `tests/screens.rs`.

use super::*;

#[test]
fn every_file_of_the_binary_can_be_used_and_names_itself() {
    let library = Library::embedded();
    let names: Vec<&str> = library.names().collect();
    assert!(names.len() >= 11);
    for name in names {
        assert_eq!(library.reader(name).name, name);
    }
    assert_eq!(library.reader("never heard of").name, "generic");
}

//! Finding a program as a shell does: by PATH, or by a path with a slash in it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

/// The executable file that `program` means. `~/` starts at the user's home.
pub(super) fn find(program: &str, path_env: &OsStr) -> Option<PathBuf> {
    if program.contains('/') {
        let user = std::env::var_os("HOME").map(PathBuf::from);
        let path = crate::config::expand_tilde(Path::new(program), user.as_deref());
        return is_executable(&path).then_some(path);
    }
    std::env::split_paths(path_env)
        // An empty or relative entry means the directory that the daemon happens to be in.
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(program))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

//! Which workspaces lie on file systems that another machine or program serves.
//!
//! It is asked of the kernel's list and not of the file system: one that is dead
//! would keep whoever asks waiting.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The mount point of the served file system that holds `path`; nothing if it
/// is an ordinary one, or if there is no list to ask.
pub(super) fn served(path: &Path) -> Option<PathBuf> {
    served_by(&std::fs::read("/proc/self/mountinfo").ok()?, path)
}

/// The innermost mount decides, and of several on one point the last.
fn served_by(list: &[u8], path: &Path) -> Option<PathBuf> {
    list.split(|byte| *byte == b'\n')
        .filter_map(mount)
        .filter(|(point, _)| path.starts_with(point))
        .max_by_key(|(point, _)| point.components().count())
        .and_then(|(point, kind)| is_served(kind).then_some(point))
}

/// `ID PARENT DEVICE ROOT POINT OPTIONS … - TYPE SOURCE …`
fn mount(line: &[u8]) -> Option<(PathBuf, &[u8])> {
    let mut words = line.split(|byte| *byte == b' ');
    let point = words.nth(4)?;
    let kind = words.skip_while(|word| *word != b"-").nth(1)?;
    Some((unescaped(point), kind))
}

/// Blanks and backslashes in a path are written as three octal digits.
fn unescaped(word: &[u8]) -> PathBuf {
    let mut plain = Vec::with_capacity(word.len());
    let mut rest = word;
    while let Some((&byte, after)) = rest.split_first() {
        let code = (byte == b'\\').then(|| after.get(..3)).flatten();
        let code = code.and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(code) => {
                plain.push(code);
                rest = &after[3..];
            }
            None => {
                plain.push(byte);
                rest = after;
            }
        }
    }
    PathBuf::from(std::ffi::OsString::from_vec(plain))
}

/// None of these tells of changes that another machine makes, and each of them
/// can hang. `fuseblk` is a disk.
fn is_served(kind: &[u8]) -> bool {
    const SERVED: [&str; 15] = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "coda", "lustre", "gpfs",
        "beegfs", "ocfs2", "vboxsf", "virtiofs",
    ];
    let kind = OsStr::from_bytes(kind).to_string_lossy();
    SERVED.contains(&kind.as_ref()) || kind == "fuse" || kind.starts_with("fuse.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_mount_decides() {
        let list = b"22 27 0:21 / / rw,relatime - ext4 /dev/vda rw
30 22 0:40 / /home/me/far rw,relatime shared:1 master:2 - nfs4 server:/x rw
31 30 0:41 / /home/me/far/near rw - tmpfs none rw
32 22 0:42 / /mnt/with\\040blank rw - fuse.sshfs box: rw
33 22 0:43 / /mnt/disk rw - fuseblk /dev/sdb1 rw
34 22 0:44 / /mnt/twice rw - ext4 /dev/sdc1 rw
35 34 0:45 / /mnt/twice rw - cifs //server/share rw
";
        for (path, expected) in [
            ("/home/me/project", None),
            ("/home/me/far/project", Some("/home/me/far")),
            ("/home/me/far", Some("/home/me/far")),
            ("/home/me/farther", None),
            ("/home/me/far/near/project", None),
            ("/mnt/with blank/x", Some("/mnt/with blank")),
            ("/mnt/disk/x", None),
            ("/mnt/twice/x", Some("/mnt/twice")),
        ] {
            assert_eq!(served_by(list, Path::new(path)), expected.map(PathBuf::from), "{path}");
        }
        assert_eq!(served_by(b"not a list\n - \n", Path::new("/x")), None);
    }
}

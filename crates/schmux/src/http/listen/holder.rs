//! Who holds a TCP port, as far as `/proc` tells.
//!
//! Best effort: other systems have no `/proc/net`, and the processes of other
//! users don't show what they have open.

use std::fmt;
use std::fs;

/// A process that listens on a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub pid: u32,
    pub name: String,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (pid {})", self.name, self.pid)
    }
}

impl Holder {
    pub(super) fn of_port(port: u16) -> Option<Holder> {
        let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(fs::read_to_string);
        let sockets: Vec<String> = tables
            .iter()
            .flatten()
            .flat_map(|table| listening_inodes(table, port))
            .map(|inode| format!("socket:[{inode}]"))
            .collect();
        if sockets.is_empty() {
            return None;
        }
        let entries = fs::read_dir("/proc").ok()?.flatten();
        // `/proc/self` and its like are no pids.
        let mut pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let pid = pids.find(|pid| has_open(*pid, &sockets))?;
        let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?.trim().to_owned();
        Some(Holder { pid, name })
    }
}

fn has_open(pid: u32, sockets: &[String]) -> bool {
    let Ok(files) = fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
    let mut targets = files.flatten().filter_map(|file| fs::read_link(file.path()).ok());
    targets.any(|target| sockets.iter().any(|socket| target.as_os_str() == socket.as_str()))
}

/// The inodes of the sockets that listen on `port`, from a table as in `/proc/net/tcp`:
/// `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …`
fn listening_inodes(table: &str, port: u16) -> Vec<u64> {
    const LISTEN: &str = "0A";
    let inode = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (_, local_port) = fields.get(1)?.rsplit_once(':')?;
        let matches = u16::from_str_radix(local_port, 16) == Ok(port) && *fields.get(3)? == LISTEN;
        matches.then(|| fields.get(9)?.parse().ok()).flatten()
    };
    table.lines().skip(1).filter_map(inode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listening_sockets_are_found_in_the_table() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1CA9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4242 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1CA9 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 4343 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:1CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4444 1 0000000000000000 100 0 0 10 0
   3: short line
";
        assert_eq!(listening_inodes(table, 7337), [4242]);
        assert_eq!(listening_inodes(table, 7338), [4444]);
        assert_eq!(listening_inodes(table, 80), Vec::<u64>::new());
        assert_eq!(listening_inodes("", 80), Vec::<u64>::new());
    }
}

//! The CLI's way to the daemon: HTTP over its Unix socket.

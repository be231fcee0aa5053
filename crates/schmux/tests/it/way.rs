//! A way between ssh and sshd that is as bad as a test wants it: slow, far, with
//! stalls as TCP shows lost packets, or cut after so many bytes. It is a proxy of
//! our own, so that it works wherever the tests do.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// What a way does to what passes through it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shape {
    /// How long each byte is under way, in one direction.
    pub delay: Duration,
    /// Bytes in a second, in one direction.
    pub rate: Option<u64>,
    /// Now and then nothing passes for up to this long.
    pub stall: Option<Duration>,
    /// The connection ends after so many bytes from there, and to there.
    pub ends_after: [Option<u64>; 2],
}

/// How much is under way at most: what a router on a slow line keeps.
const PIECE: usize = 1400;
const PIECES: usize = 24;

pub struct Way {
    pub port: u16,
    shape: Arc<Mutex<Shape>>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    stalls: Arc<AtomicU64>,
    /// Bytes from there and to there, of all connections.
    passed: Arc<[AtomicU64; 2]>,
    opened: Arc<AtomicU64>,
}

impl Way {
    /// A way to a port of this machine. It ends with the test's process; its
    /// connections end when it is dropped.
    pub fn to(address: &str, port: u16) -> Way {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap().port();
        let way = Way {
            port: own,
            shape: Arc::default(),
            open: Arc::default(),
            stalls: Arc::default(),
            passed: Arc::default(),
            opened: Arc::default(),
        };
        let (shape, open, stalls) = (way.shape.clone(), way.open.clone(), way.stalls.clone());
        let (passed, opened) = (way.passed.clone(), way.opened.clone());
        let target: SocketAddr = format!("{address}:{port}").parse().unwrap();
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(target) else { continue };
                for end in [&near, &far] {
                    end.set_nodelay(true).unwrap();
                    open.lock().unwrap().push(end.try_clone().unwrap());
                }
                // Which connection it is decides where it is cut, not when that is read.
                let ends = shape.lock().unwrap().ends_after;
                opened.fetch_add(1, Ordering::Relaxed);
                for (number, (from, to)) in [(&far, &near), (&near, &far)].into_iter().enumerate() {
                    let passed = passed.clone();
                    let count = move |bytes| {
                        passed[number].fetch_add(bytes, Ordering::Relaxed);
                    };
                    pass(from, to, &shape, ends[number], (stalls.clone(), Box::new(count)));
                }
            }
        });
        way
    }

    pub fn shape(&self, shape: Shape) {
        *self.shape.lock().unwrap() = shape;
    }

    /// How many connections there were.
    pub fn opened(&self) -> u64 {
        self.opened.load(Ordering::Relaxed)
    }

    /// How many bytes have come from there, and gone there.
    pub fn passed(&self) -> [u64; 2] {
        [0, 1].map(|number| self.passed[number].load(Ordering::Relaxed))
    }

    /// How often nothing passed for a while.
    pub fn stalls(&self) -> u64 {
        self.stalls.load(Ordering::Relaxed)
    }

    /// Ends every connection.
    pub fn cut(&self) {
        for stream in self.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        self.cut();
    }
}

/// Passes bytes on, each when its time has come.
fn pass(
    from: &TcpStream,
    to: &TcpStream,
    shape: &Arc<Mutex<Shape>>,
    ends_after: Option<u64>,
    (stalls, count): (Arc<AtomicU64>, Box<dyn Fn(u64) + Send>),
) {
    let (mut from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
    let (under_way, arriving) = sync_channel::<(Instant, Vec<u8>)>(PIECES);
    let (writers_shape, shape) = (shape.clone(), shape.clone());
    thread::spawn(move || {
        take(&mut from, &shape, &under_way, ends_after);
        let _ = from.shutdown(Shutdown::Read);
    });
    thread::spawn(move || {
        give(&to, &writers_shape, &arriving, (&stalls, &count));
        let _ = to.shutdown(Shutdown::Both);
    });
}

fn take(
    from: &mut TcpStream,
    shape: &Mutex<Shape>,
    under_way: &SyncSender<(Instant, Vec<u8>)>,
    mut left: Option<u64>,
) {
    let mut buffer = [0; PIECE];
    loop {
        let most = left.map_or(PIECE, |left| PIECE.min(left as usize));
        let Ok(count) = from.read(&mut buffer[..most]) else { return };
        if count == 0 {
            return;
        }
        let due = Instant::now() + shape.lock().unwrap().delay;
        if under_way.send((due, buffer[..count].to_vec())).is_err() {
            return;
        }
        left = left.map(|left| left - count as u64);
        if left == Some(0) {
            return;
        }
    }
}

fn give(
    mut to: &TcpStream,
    shape: &Mutex<Shape>,
    arriving: &Receiver<(Instant, Vec<u8>)>,
    (stalls, count): (&AtomicU64, &dyn Fn(u64)),
) {
    let mut free_at = Instant::now();
    // Spread at random, but never left out where this many pieces pass.
    let mut until_stall = rand::random_range(0..60_u32);
    while let Ok((due, piece)) = arriving.recv() {
        let now = *shape.lock().unwrap();
        if let Some(longest) = now.stall {
            if until_stall == 0 {
                until_stall = rand::random_range(1..=120);
                stalls.fetch_add(1, Ordering::Relaxed);
                let pause = rand::random_range(200..=longest.as_millis().max(201) as u64);
                free_at = Instant::now() + Duration::from_millis(pause);
            }
            until_stall -= 1;
        }
        let at = due.max(free_at);
        thread::sleep(at.saturating_duration_since(Instant::now()));
        if let Some(rate) = now.rate {
            let takes = Duration::from_secs_f64(piece.len() as f64 / rate as f64);
            free_at = at.max(Instant::now() - Duration::from_millis(50)) + takes;
        }
        if to.write_all(&piece).is_err() {
            return;
        }
        count(piece.len() as u64);
    }
}

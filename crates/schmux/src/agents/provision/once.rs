//! Questions that take a process to answer, asked once for all who want to know
//! at the same time: two hundred sessions may start together.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use tokio::sync::OnceCell;

/// Answers by what they are about. One that could not be had is not kept.
pub(super) struct Once<K, V> {
    // It is asked from many tasks, and never held across an await.
    known: Mutex<HashMap<K, Arc<OnceCell<Option<V>>>>>,
}

impl<K: Clone + Eq + Hash, V: Clone> Once<K, V> {
    pub fn new() -> Once<K, V> {
        Once { known: Mutex::default() }
    }

    pub async fn get(&self, key: K, find_out: impl Future<Output = Option<V>>) -> Option<V> {
        let cell = self.known.lock().ok()?.entry(key.clone()).or_default().clone();
        let value = cell.get_or_init(|| find_out).await.clone();
        // Those who waited have their answer; who comes later may have more luck.
        if value.is_none()
            && let Ok(mut known) = self.known.lock()
        {
            known.remove(&key);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn many_ask_and_one_finds_out() {
        let (once, asked) = (Once::new(), AtomicUsize::new(0));
        let asked = &asked;
        let ask = |answer: Option<u32>| {
            once.get("key", async move {
                asked.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
                answer
            })
        };
        assert_eq!(tokio::join!(ask(None), ask(None), ask(None)), (None, None, None));
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        assert_eq!(tokio::join!(ask(Some(1)), ask(Some(2))), (Some(1), Some(1)));
        assert_eq!(ask(Some(3)).await, Some(1));
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }
}

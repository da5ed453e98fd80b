//! Two pieces of work at once, where a second thread can be had.

use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

use crate::huge::has_room;

/// Addresses that a thread may take at its start: its stack, and an arena of the allocator that is twice as large
/// while its place is found.
const THREAD: usize = 192 << 20;

/// Does both, the first on a thread of its own. Where the system has no thread to give, or too little memory for one,
/// one is done after the other.
pub fn beside<A: Send, B>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    let first = Mutex::new(Some(first));
    let run = || {
        let first = first.lock().unwrap_or_else(PoisonError::into_inner).take();
        first.map(|first| first())
    };
    scope(|scope| {
        let thread = match has_room(THREAD) {
            Ok(()) => Builder::new().spawn_scoped(scope, run).ok(),
            Err(_) => None,
        };
        let second = second();
        let first = match thread {
            Some(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None => run(),
        };
        (first.expect("it is taken once, by the thread or after it could not be had"), second)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_done_and_may_borrow() {
        let (mut a, b) = (vec![1, 2], vec![3, 4]);
        let sums = beside(
            || {
                a.push(5);
                a.iter().sum::<i32>()
            },
            || b.iter().sum::<i32>(),
        );
        assert_eq!((sums, a.len()), ((8, 7), 3));
    }
}

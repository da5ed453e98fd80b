//! Work on several things at once, while nothing is measured.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does `work` on every item, on all cores, and gives the results in the items' order.
///
/// After the first failure nothing new is begun; the failure of the earliest item is given.
pub fn over<T: Send, R: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let count = items.len();
    let queue: Mutex<VecDeque<(usize, T)>> = Mutex::new(items.into_iter().enumerate().collect());
    let done = Mutex::new(Vec::with_capacity(count));
    let threads = thread::available_parallelism().map_or(1, usize::from).min(count);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some((number, item)) = next else { break };
                    let result = work(item);
                    if result.is_err() {
                        queue.lock().unwrap_or_else(PoisonError::into_inner).clear();
                    }
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::over;

    #[test]
    fn results_keep_the_order() {
        let squares = over((0..100).collect(), |n: u32| Ok(n * n)).expect("no failure");
        assert!(squares.iter().enumerate().all(|(i, &n)| n as usize == i * i));
    }

    #[test]
    fn a_failure_is_told() {
        let result = over(vec![1, 2, 3], |n| if n == 2 { anyhow::bail!("two") } else { Ok(n) });
        assert_eq!(result.expect_err("two fails").to_string(), "two");
    }
}

//! The natural order: one sequence of units that suits the links of all arms.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Joins sequences: the first as it is; what only a later one has follows its predecessor there.
pub fn join<K: Clone + Eq + Hash>(sequences: &[Vec<K>]) -> Vec<K> {
    let mut seen = HashSet::new();
    let mut followers: HashMap<Option<&K>, Vec<&K>> = HashMap::new();
    for sequence in sequences {
        let mut before = None;
        // At one place, the units of a later sequence come before those of an earlier one.
        for key in sequence {
            if seen.insert(key) {
                followers.entry(before).or_default().push(key);
            }
            before = Some(key);
        }
    }
    let mut joined = Vec::with_capacity(seen.len());
    let mut open: Vec<&K> = followers.remove(&None).unwrap_or_default();
    while let Some(key) = open.pop() {
        joined.push(key.clone());
        open.extend(followers.remove(&Some(key)).unwrap_or_default());
    }
    joined
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn joined(sequences: &[&str]) -> String {
        join(&sequences.iter().map(|text| text.chars().collect()).collect::<Vec<_>>()).into_iter().collect()
    }

    #[test]
    fn what_a_later_arm_has_alone_follows_its_predecessor() {
        assert_eq!(joined(&["abcd"]), "abcd");
        assert_eq!(joined(&["abcd", "abxyd"]), "abxycd");
        assert_eq!(joined(&["abcd", "xabcdy"]), "xabcdy");
        assert_eq!(joined(&["abc", "abxc", "abyxc"]), "abyxc");
        assert_eq!(joined(&[]), "");
    }

    proptest! {
        #[test]
        fn arms_that_lack_units_keep_the_order(has in proptest::collection::vec(0u8..4, 1..50)) {
            // The first has all, as the arm with all components mostly has.
            let arm = |arm: u8| (0..has.len()).filter(|&unit| has[unit] >> arm & 1 == 1).collect::<Vec<_>>();
            let arms = [(0..has.len()).collect(), arm(0), arm(1)];
            prop_assert_eq!(&join(&arms), &arms[0]);
        }

        #[test]
        fn every_unit_of_any_arm_is_there_once(arms in proptest::collection::vec(proptest::collection::hash_set(0u8..40, 0..30), 0..4)) {
            let arms: Vec<Vec<u8>> = arms.into_iter().map(|arm| arm.into_iter().collect()).collect();
            let mut joined = join(&arms);
            joined.sort_unstable();
            let mut all = arms.concat();
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(joined, all);
        }
    }
}

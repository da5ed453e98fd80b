//! Counting in a slot plan.
//!
//! The slots of one set of processes (one of every arm) are numbered from 0 over the rows of the
//! plan, which start again from the first when they run out. The next set of processes of the
//! phase starts again at slot 0.

use crate::plan::SlotPlan;
use crate::record::SlotSpan;

impl SlotPlan {
    /// Slots in one pass over the rows.
    pub fn len(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// Whether there is no slot at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Arms, in slot order, over one pass over the rows.
    pub fn arms(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.rows.iter().flatten().copied()
    }

    /// The arm that has slot `slot` of the repeated plan; `None` when the plan is empty.
    pub fn arm(&self, slot: u64) -> Option<usize> {
        let len = self.len() as u64;
        let within = usize::try_from(slot.checked_rem(len)?).ok()?;
        self.arms().nth(within)
    }

    /// How many slots below number `end` the arm has in the repeated plan.
    pub fn count_before(&self, arm: usize, end: u64) -> u64 {
        let len = self.len() as u64;
        if len == 0 {
            return 0;
        }
        let per_pass = self.arms().filter(|&a| a == arm).count() as u64;
        let rest = usize::try_from(end % len).unwrap_or(usize::MAX);
        let in_rest = self.arms().take(rest).filter(|&a| a == arm).count() as u64;
        end / len * per_pass + in_rest
    }

    /// The number of the arm's slot after `earlier` others of its own; `None` when it has none.
    pub fn nth_slot(&self, arm: usize, earlier: u64) -> Option<u64> {
        let own: Vec<u64> = (0..).zip(self.arms()).filter(|&(_, a)| a == arm).map(|(slot, _)| slot).collect();
        let per_pass = own.len() as u64;
        let pass = earlier.checked_div(per_pass)?;
        let within = usize::try_from(earlier % per_pass).ok()?;
        Some(pass * self.len() as u64 + own[within])
    }

    /// Whether a span starts and ends in slots of the arm and counts those between rightly;
    /// the number it should count, or `None` when an end belongs to another arm.
    pub fn expected_count(&self, arm: usize, span: SlotSpan) -> Option<u64> {
        let owned = self.arm(span.first) == Some(arm) && self.arm(span.last) == Some(arm);
        let end = span.last.checked_add(1)?;
        (owned && span.first <= span.last)
            .then(|| self.count_before(arm, end) - self.count_before(arm, span.first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> SlotPlan {
        SlotPlan { rows: vec![vec![2, 0, 1], vec![0, 1, 2]] }
    }

    #[test]
    fn slots_repeat_from_the_first_row() {
        let arms: Vec<_> = (0..9).filter_map(|slot| plan().arm(slot)).collect();
        assert_eq!(arms, [2, 0, 1, 0, 1, 2, 2, 0, 1]);
        assert_eq!(SlotPlan { rows: vec![] }.arm(3), None);
    }

    #[test]
    fn nth_slot_and_count_agree_with_walking() {
        let plan = plan();
        for arm in 0..3 {
            let walked: Vec<u64> = (0..60).filter(|&s| plan.arm(s) == Some(arm)).collect();
            for (earlier, &slot) in (0..).zip(&walked) {
                assert_eq!(plan.nth_slot(arm, earlier), Some(slot));
                assert_eq!(plan.count_before(arm, slot), earlier);
            }
        }
        assert_eq!(plan.nth_slot(3, 0), None);
    }

    #[test]
    fn a_span_counts_its_own_slots_only() {
        let span = |first, last| SlotSpan { first, last, count: 0 };
        assert_eq!(plan().expected_count(0, span(1, 7)), Some(3));
        assert_eq!(plan().expected_count(0, span(1, 1)), Some(1));
        assert_eq!(plan().expected_count(0, span(7, 1)), None);
        assert_eq!(plan().expected_count(0, span(1, 6)), None);
        assert_eq!(plan().expected_count(0, span(0, 7)), None);
        assert_eq!(plan().expected_count(0, span(1, u64::MAX)), None);
    }
}

//! Losses in words: what was measured, what was let pass, what was declared.

use protocol::losses::LossKind;
use protocol::plan::Plan;
use protocol::verdict::{Loss, Verdict};

use crate::words::{self, MINUS};

/// The losses that lock the bundle, each a sentence; one of a lane's speed first. What the whole bundle loses is told
/// where no component's own loss of the same kind tells it already.
pub fn locks(plan: &Plan, verdict: &Verdict) -> Vec<String> {
    let told = |whole: &Loss| {
        let same = |loss: &Loss| (loss.kind, &loss.lane) == (whole.kind, &whole.lane);
        verdict.locks().any(|loss| same(loss) && component(plan, loss).is_some())
    };
    let mut locks: Vec<&Loss> =
        verdict.locks().filter(|loss| component(plan, loss).is_some() || !told(loss)).collect();
    locks.sort_by_key(|loss| loss.kind != LossKind::LaneSpeed);
    locks.into_iter().map(|loss| lock(plan, loss)).collect()
}

/// What follows from a lock, whatever the loss.
pub const REMEDY: &str = "An undeclared loss locks the whole bundle, whatever its speed. Whoever accepts it declares it \
                          in `costs`; the bundle is then a new one, with a plan and a trial of its own.";

fn lock(plan: &Plan, loss: &Loss) -> String {
    let Loss { lane, full, other, allowed, over, differences, .. } = loss;
    let (who, other_arm, said) = match component(plan, loss) {
        Some(name) => (format!("component {name}"), format!("without {name}"), "did not declare it"),
        None => ("the whole bundle".to_owned(), "in base".to_owned(), "no component declared it"),
    };
    let costs = format!("{who} costs {} and {said}", noun(loss.kind));
    let let_pass = format!("{} let pass", plain(loss.kind, *allowed));
    match loss.kind {
        LossKind::LaneSpeed => format!(
            "lane {lane}: {costs}: {} lost in the median, {let_pass}, in {over} of {} runs, though it gains on \
             another lane",
            plain(loss.kind, *full),
            differences.len()
        ),
        LossKind::ExecutableSize => format!(
            "{costs}: {} in full, {} {other_arm} ({}, {let_pass})",
            plain(loss.kind, *full),
            plain(loss.kind, *other),
            signed(loss.kind, full - other)
        ),
        LossKind::Memory | LossKind::StartUpTime => format!(
            "{costs}: {} in full, {} {other_arm} ({}, {let_pass}), beyond that in {over} of {} runs on lane {lane}",
            plain(loss.kind, *full),
            plain(loss.kind, *other),
            signed(loss.kind, full - other),
            differences.len()
        ),
    }
}

/// The component that the other arm lacks; none for `base`.
pub fn component<'a>(plan: &'a Plan, loss: &Loss) -> Option<&'a str> {
    let arm = plan.arms.iter().position(|arm| arm.name == loss.against)?;
    plan.components.get(arm.checked_sub(2)?).map(|component| component.name.as_str())
}

/// What is lost, as the bundle declares it.
pub fn noun(kind: LossKind) -> &'static str {
    match kind {
        LossKind::Memory => "memory",
        LossKind::ExecutableSize => "executable size",
        LossKind::StartUpTime => "start-up time",
        LossKind::LaneSpeed => "speed",
    }
}

/// An amount with its unit.
pub fn plain(kind: LossKind, amount: f64) -> String {
    match kind {
        LossKind::Memory | LossKind::ExecutableSize => match amount.abs() {
            bytes if bytes < 1024.0 => format!("{bytes:.0} B"),
            bytes if bytes < 1_048_576.0 => format!("{:.1} KiB", bytes / 1024.0),
            bytes => format!("{:.1} MiB", bytes / 1_048_576.0),
        },
        LossKind::StartUpTime => format!("{:.2} ms", amount.abs() / 1e6),
        LossKind::LaneSpeed => format!("{:.2} points", amount.abs()),
    }
}

/// The same with its sign.
pub fn signed(kind: LossKind, amount: f64) -> String {
    let sign = if amount > 0.0 {
        "+".to_owned()
    } else if amount < 0.0 {
        MINUS.to_string()
    } else {
        String::new()
    };
    format!("{sign}{}", plain(kind, amount))
}

/// What becomes of a loss, in a word or three.
pub fn outcome(loss: &Loss) -> String {
    match (loss.beyond, loss.locks) {
        (false, _) => "within tolerance".to_owned(),
        (true, false) => format!("declared by {}", words::listed(&loss.declared_by)),
        (true, true) => "not declared: locked".to_owned(),
    }
}

/// A loss in a line: `eval-cache on main: memory +0.5 MiB, declared by eval-cache`.
pub fn line(plan: &Plan, loss: &Loss) -> String {
    format!(
        "{} on {}: {} {}, {}",
        component(plan, loss).unwrap_or("whole bundle"),
        loss.lane,
        noun(loss.kind),
        signed(loss.kind, loss.full - loss.other),
        outcome(loss)
    )
}

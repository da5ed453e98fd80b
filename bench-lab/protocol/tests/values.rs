//! Phase values of records made by hand.

use protocol::ProcessRecord;
use protocol::record::{DrawRecord, SearchRecord, SlotSpan, Unscattered};
use protocol::values::{total_rate, trimmed};

/// A process whose searches had these nodes and processor times.
fn process(searches: &[(u64, u64)]) -> ProcessRecord {
    ProcessRecord {
        run: 1,
        phase: 1,
        lane: "main".to_owned(),
        process: 1,
        arm: "full".to_owned(),
        draw: DrawRecord {
            seed: 0,
            executable_sha256: String::new(),
            moved_functions: (1, 1),
            moved_data: (1, 1),
            line_phases: None,
            shared: [(".text".to_owned(), (1, 1))].into(),
            unscattered: Unscattered::default(),
            tables: None,
            heap_offset: 0,
            stack_offset: 0,
            mapping_offset: 0,
        },
        slots: SlotSpan { first: 0, last: 0, count: 1 },
        nodes: searches.iter().map(|s| s.0).sum(),
        cpu_ns: searches.iter().map(|s| s.1).sum(),
        wall_ns: 1,
        counters: None,
        searches: searches.iter().map(|&(nodes, cpu_ns)| SearchRecord { nodes, cpu_ns }).collect(),
        footprint: None,
    }
}

#[test]
fn the_rate_is_total_nodes_over_total_time_of_all_processes() {
    let (a, b) = (process(&[(100, 10)]), process(&[(100, 30)]));
    let (c, d) = (process(&[(100, 25)]), process(&[(100, 25)]));
    // 200 nodes in 40 ns against 200 in 50: a mean of rates would say something else.
    let value = total_rate(&[&a, &b], &[&c, &d]);
    assert!((value - 100.0 * 1.25f64.ln()).abs() < 1e-12);
}

#[test]
fn the_trimmed_value_weights_positions_equally_and_drops_the_ends() {
    // Per position the second is 1.1, 1.2, 1.3 and 8 times as slow; the ends are left out.
    let full = process(&[(10, 1_000), (10, 1_000), (10, 100_000), (10, 1_000)]);
    let other = process(&[(10, 1_100), (10, 8_000), (10, 120_000), (10, 1_300)]);
    let expected = 100.0 * (1.2f64.ln() + 1.3f64.ln()) / 2.0;
    assert!((trimmed(&[&full], &[&other]) - expected).abs() < 1e-9);
}

#[test]
fn the_trimmed_value_sums_a_position_over_processes_first() {
    let (a, b) = (process(&[(10, 100)]), process(&[(10, 300)]));
    let (c, d) = (process(&[(10, 250)]), process(&[(10, 250)]));
    let value = trimmed(&[&a, &b], &[&c, &d]);
    assert!((value - 100.0 * 1.25f64.ln()).abs() < 1e-12);
}

#[test]
fn a_position_without_nodes_is_left_out_of_the_trimmed_value() {
    let full = process(&[(10, 1_000), (0, 5)]);
    let other = process(&[(10, 1_100), (0, 500)]);
    let value = trimmed(&[&full], &[&other]);
    assert!((value - 100.0 * 1.1f64.ln()).abs() < 1e-9);
}

#[test]
fn no_time_gives_no_finite_value() {
    let (a, b) = (process(&[(10, 0)]), process(&[(10, 1)]));
    assert_eq!(total_rate(&[&a], &[&b]), f64::INFINITY);
    assert!(total_rate(&[&a], &[&a]).is_nan());
}

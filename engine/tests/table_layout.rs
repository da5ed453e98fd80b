//! Where big tables lie. In a process of its own: the number that places are drawn from is the process's.

use tempo::huge::{HugeTable, set_layout};

#[test]
fn later_tables_lie_where_the_number_draws_them() {
    let place = |name: &str| {
        let table = HugeTable::<u64>::zeroed(name, 1000).expect("a small table");
        table.as_ptr().addr() % (2 << 20)
    };
    assert_eq!((place("a"), place("b")), (0, 0));
    set_layout(9);
    let (a, b) = (place("a"), place("b"));
    assert!(a != b && a > 0 && b > 0 && a.is_multiple_of(64) && b.is_multiple_of(64), "{a} {b}");
    assert_eq!((place("a"), place("b")), (a, b), "the same number, the same places");
    set_layout(10);
    assert_ne!(place("a"), a);
    set_layout(0);
    assert_eq!(place("a"), 0);
}

//! A program with everything that a layout moves: functions, constants, a vtable, variables, thread-locals, strings.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

static SQUARES: [u32; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = (i * i) as u32;
        i += 1;
    }
    table
};
static NAMES: &[&str] = &["alpha", "beta", "gamma"];
static CALLS: AtomicU64 = AtomicU64::new(7);
static BUFFER: Mutex<[u8; 4096]> = Mutex::new([0; 4096]);

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(5) };
    static SEEN: Cell<u64> = const { Cell::new(0) };
}

trait Shape {
    fn area(&self) -> f64;
    fn name(&self) -> String;
}

struct Square(f64);
struct Rectangle(f64, f64);

impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
    fn name(&self) -> String {
        "square".into()
    }
}

impl Shape for Rectangle {
    fn area(&self) -> f64 {
        self.0 * self.1
    }
    fn name(&self) -> String {
        "rectangle".into()
    }
}

#[inline(never)]
fn square(x: u32) -> u32 {
    CALLS.fetch_add(1, Ordering::Relaxed);
    SQUARES[x as usize % 64]
}

#[cfg(extra)]
#[inline(never)]
fn half(x: u32) -> u32 {
    DEPTH.with(|depth| depth.set(depth.get() + 1));
    x / std::hint::black_box(2)
}

#[cfg(not(extra))]
#[inline(always)]
fn half(x: u32) -> u32 {
    x >> 1
}

fn main() {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(2.0)), Box::new(Rectangle(1.0, 3.5))];
    for shape in &shapes {
        println!("{} {}", shape.name(), shape.area());
    }
    let sum: u32 = (0..100).map(|x| square(half(x))).sum();
    println!("{sum} after {} calls", CALLS.load(Ordering::Relaxed));
    BUFFER.lock().expect("no panic")[3] = 9;
    println!("{}", BUFFER.lock().expect("no panic").iter().map(|&x| u32::from(x)).sum::<u32>());
    SEEN.with(|seen| seen.set(seen.get() + 1));
    let other = std::thread::spawn(|| SEEN.with(|seen| seen.replace(3)));
    println!("{:?} {}", other.join().ok(), SEEN.with(Cell::get));
    let lengths: HashMap<_, _> = NAMES.iter().map(|name| (*name, name.len())).collect();
    println!("{}", lengths["gamma"]);
    println!("{:?}", "12x".parse::<i32>());
}

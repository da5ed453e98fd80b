//! Prints where its stack, a mapping and its heap lie.

fn main() {
    let local = 0u8;
    let mapping = vec![0u8; 64 << 20];
    let heap = Box::new(0u64);
    println!("{:p} {:p} {:p}", &raw const local, mapping.as_ptr(), heap);
}

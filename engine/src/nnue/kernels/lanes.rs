//! What the vector kernels need of a register width.

/// A register width with the instructions for it.
///
/// A register has [`COUNT`](Self::COUNT) lanes of 16 bits or half as many of 32. Every function becomes a
/// part of its caller: only the outermost one, one for each width, is compiled for the processors that have
/// the instructions. A closure that handles registers might not become one, and then costs more than all else.
///
/// # Safety
/// The functions need a processor that has the instructions, and memory behind their pointers that is
/// readable or writable for a whole register, at any address.
pub(super) trait Lanes {
    /// A register.
    type Register: Copy;
    /// Its 16-bit lanes.
    const COUNT: usize;

    /// All lanes zero.
    unsafe fn zero() -> Self::Register;
    /// 16-bit values.
    unsafe fn load(values: *const i16) -> Self::Register;
    /// 8-bit values, widened to 16.
    unsafe fn load8(values: *const i8) -> Self::Register;
    /// Half as many 16-bit values, widened to 32.
    unsafe fn load16(values: *const i16) -> Self::Register;
    /// 32-bit values.
    unsafe fn load32(values: *const i32) -> Self::Register;
    /// Two registers of 32-bit values in the order that [`interleave`](Self::interleave) makes.
    unsafe fn load32_interleaved(values: *const i32) -> [Self::Register; 2];
    /// Writes 16-bit values.
    unsafe fn store(to: *mut i16, values: Self::Register);

    /// 16-bit sums that wrap.
    unsafe fn add(a: Self::Register, b: Self::Register) -> Self::Register;
    /// 16-bit differences that wrap.
    unsafe fn sub(a: Self::Register, b: Self::Register) -> Self::Register;
    /// 16-bit sums that stop at the ends.
    unsafe fn add_stopping(a: Self::Register, b: Self::Register) -> Self::Register;
    /// 32-bit sums that wrap.
    unsafe fn add32(a: Self::Register, b: Self::Register) -> Self::Register;
    /// 16-bit values brought into an activation's range.
    unsafe fn clamp(values: Self::Register) -> Self::Register;
    /// 32-bit sums without the weights' fraction.
    unsafe fn shift(sums: Self::Register) -> Self::Register;

    /// 32-bit values of two registers in 16 bits, stopped at the ends.
    unsafe fn pack(low: Self::Register, high: Self::Register) -> Self::Register;
    /// The same for sums in the order that [`interleave`](Self::interleave) makes.
    unsafe fn pack_interleaved(sums: [Self::Register; 2]) -> Self::Register;
    /// 16-bit values of `a` each followed by `b`'s, in an order of the width's own.
    unsafe fn interleave(a: Self::Register, b: Self::Register) -> [Self::Register; 2];

    /// The same two 16-bit values, packed, in every 32-bit lane.
    unsafe fn pair(values: i32) -> Self::Register;
    /// For every 32-bit lane: `sum` and both products of its 16-bit values.
    unsafe fn dot(sum: Self::Register, a: Self::Register, b: Self::Register) -> Self::Register;

    /// Activations from the sums in two registers, in 8 bits.
    unsafe fn activations(low: Self::Register, high: Self::Register) -> Self::Register;
    /// Writes 8-bit values.
    unsafe fn store8(to: *mut u8, values: Self::Register);
    /// A bit for every 8-bit value, set if it is not zero.
    unsafe fn nonzero8(values: Self::Register) -> u64;
    /// A bit for every pair of activations in 16 bits, set if they are not both zero.
    unsafe fn nonzero_pairs(activations: Self::Register) -> u32;
    /// Writes the numbers of the bits that are set, counted through all words, and returns how many.
    /// `numbers` has room for as many as there are bits, and for [`ROOM`](super::ROOM) more.
    unsafe fn list(words: &[u32], numbers: &mut [u16]) -> usize;
}

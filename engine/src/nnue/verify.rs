//! The feature `verify-eval`: every value of a search is compared with the one recomputed from nothing.

#[cfg(test)]
pub use comparison::compare;
#[cfg(not(feature = "verify-eval"))]
pub use off::Verifier;
#[cfg(feature = "verify-eval")]
pub use on::Verifier;

#[cfg(any(test, feature = "verify-eval"))]
mod comparison {
    use crate::nnue::Simd;
    use crate::nnue::evaluator::Evaluate;
    use crate::position::Position;

    /// A value that the position alone does not have.
    #[derive(Debug, thiserror::Error)]
    #[error(
        "verify-eval, {simd} path, position {fen}: expected {expected} (recomputed from nothing), found {found}"
    )]
    pub struct Difference {
        simd: Simd,
        fen: String,
        expected: i32,
        found: i32,
    }

    /// Whether `found` is the position's value.
    pub fn compare(evaluator: &impl Evaluate, position: &Position, found: i32) -> Result<(), Difference> {
        let expected = evaluator.recomputed(position);
        if found == expected {
            return Ok(());
        }
        Err(Difference { simd: evaluator.simd(), fen: position.to_fen(), expected, found })
    }
}

#[cfg(feature = "verify-eval")]
mod on {
    use std::io::Write;

    use super::comparison::{Difference, compare};
    use crate::nnue::evaluator::Evaluate;
    use crate::position::Position;

    /// Compares and counts.
    pub struct Verifier {
        compared: u64,
    }

    impl Verifier {
        pub fn new() -> Self {
            Self { compared: 0 }
        }

        /// Ends the process if `found` is not the position's value.
        pub fn check(&mut self, evaluator: &impl Evaluate, position: &Position, found: i32) {
            self.compared += 1;
            if let Err(difference) = compare(evaluator, position, found) {
                stop(&difference);
            }
        }

        pub fn count(&self) -> Option<u64> {
            Some(self.compared)
        }
    }

    fn stop(difference: &Difference) -> ! {
        // When standard error is closed, the exit code still tells.
        let _ = writeln!(std::io::stderr(), "engine: {difference}");
        std::process::exit(1);
    }

    #[cfg(test)]
    mod tests {
        use std::process::Command;

        use super::*;
        use crate::nnue::native::Native;
        use crate::nnue::{Network, Simd};

        /// Checks a wrong value: for [`the_first_difference_ends_the_process`], in a process of its own.
        #[test]
        #[ignore = "ends the process"]
        fn check_a_wrong_value() {
            let start = Position::start();
            let native = Native::new(Network::embedded(), Simd::best());
            Verifier::new().check(&native, &start, 12_345);
        }

        #[test]
        fn the_first_difference_ends_the_process() {
            let this = std::env::current_exe().unwrap();
            let name = "nnue::verify::on::tests::check_a_wrong_value";
            let output = Command::new(this).args(["--exact", name, "--ignored"]).output().unwrap();
            let message = String::from_utf8(output.stderr).unwrap();
            let parts = ["engine: verify-eval, ", Position::start().to_fen().as_str(), "found 12345\n"]
                .map(str::to_owned);
            assert!(parts.iter().all(|part| message.contains(part)), "{message}");
            assert_eq!(output.status.code(), Some(1));
        }

        #[test]
        fn right_values_are_counted() {
            let start = Position::start();
            let native = Native::new(Network::embedded(), Simd::best());
            let mut verifier = Verifier::new();
            for _ in 0..3 {
                verifier.check(&native, &start, native.recomputed(&start));
            }
            assert_eq!(verifier.count(), Some(3));
        }
    }
}

#[cfg(not(feature = "verify-eval"))]
mod off {
    use crate::nnue::evaluator::Evaluate;
    use crate::position::Position;

    /// Compares nothing.
    pub struct Verifier;

    impl Verifier {
        pub fn new() -> Self {
            Self
        }

        #[inline(always)]
        pub fn check(&mut self, _evaluator: &impl Evaluate, _position: &Position, _found: i32) {}

        pub fn count(&self) -> Option<u64> {
            None
        }
    }
}

//! Notes: what a capture leaves out of the link, and what its objects tell about how they were made.

use object::LittleEndian as LE;
use object::elf;
use object::read::elf::{SectionHeader, Sym};

use super::link::{GCC_OBJECTS, LLVM_OBJECTS};
use super::objects::Object;

/// What an object tells about how it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// It came out of GCC's link-time optimisation.
    gcc_lto: usize,
    /// It came out of LLVM's link-time optimisation.
    llvm_lto: usize,
    /// It holds intermediate code beside its machine code.
    both: usize,
    /// Functions that the compiler takes for hot.
    hot: usize,
    /// It was compiled with a profile, by clang.
    profile: usize,
    /// It counts its own execution.
    instrumented: usize,
}

impl Signs {
    /// The signs of the object that was linked as `path`.
    pub fn of(object: &Object<'_>, path: &str) -> Self {
        let made_in = |folder: &str| usize::from(path.split('/').any(|part| part.starts_with(folder)));
        let mut signs =
            Self { gcc_lto: made_in(GCC_OBJECTS), llvm_lto: made_in(LLVM_OBJECTS), ..Self::default() };
        for section in object.sections.iter() {
            let name = object.sections.section_name(LE, section).unwrap_or_default();
            let code = section.sh_flags(LE).contains(elf::SHF_EXECINSTR) && section.sh_size(LE) > 0;
            match name {
                name if name.starts_with(b".gnu.lto_") => signs.both = 1,
                b".llvm.call-graph-profile" => signs.profile = 1,
                b"__llvm_prf_cnts" => signs.instrumented = 1,
                name if code && name.starts_with(b".text.hot") => signs.hot += 1,
                _ => {}
            }
        }
        let counts = object.symbols.iter().any(|symbol| {
            let name = object.symbols.symbol_name(LE, symbol).unwrap_or_default();
            symbol.is_undefined(LE) && name.starts_with(b"__gcov_")
        });
        signs.instrumented |= usize::from(counts);
        signs
    }

    /// Both together.
    fn and(self, other: Self) -> Self {
        Self {
            gcc_lto: self.gcc_lto + other.gcc_lto,
            llvm_lto: self.llvm_lto + other.llvm_lto,
            both: self.both + other.both,
            hot: self.hot + other.hot,
            profile: self.profile + other.profile,
            instrumented: self.instrumented + other.instrumented,
        }
    }
}

/// The signs of all objects in words.
pub fn in_words(signs: impl IntoIterator<Item = Signs>) -> Vec<String> {
    let all = signs.into_iter().fold(Signs::default(), Signs::and);
    let lto = |compiler: &str, objects: usize| {
        format!(
            "{objects} objects hold the machine code of {compiler}'s link-time optimisation, made once when the link was captured: no draw optimises again"
        )
    };
    let notes = [
        (all.gcc_lto, lto("GCC", all.gcc_lto)),
        (all.llvm_lto, lto("LLVM", all.llvm_lto)),
        (
            all.both,
            format!(
                "{} objects hold GCC's intermediate code beside machine code: the machine code is linked, without link-time optimisation",
                all.both
            ),
        ),
        (
            all.profile,
            format!(
                "{} objects were compiled with a profile: such a build is itself a draw, of which every arm has one",
                all.profile
            ),
        ),
        (
            all.hot,
            format!(
                "the compiler takes {} functions for hot, by a profile or by the source; if by a profile, the build is itself a draw, of which every arm has one",
                all.hot
            ),
        ),
        (
            all.instrumented,
            format!(
                "{} objects count their own execution to make a profile: this is not the build that plays",
                all.instrumented
            ),
        ),
    ];
    notes.into_iter().filter(|(count, _)| *count > 0).map(|(_, note)| note).collect()
}

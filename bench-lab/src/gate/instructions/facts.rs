//! What a count depends on besides the source: where one of these differs, counts are not compared.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::gate::size::Sizes;

/// Facts by their names.
pub type Facts = BTreeMap<String, String>;

/// What an executable tells of its making: compiler and target.
pub fn of_executable(path: &Path) -> anyhow::Result<Facts> {
    let Sizes { compiler, target, .. } = Sizes::read(path)?;
    Ok(Facts::from([("compiler".to_owned(), compiler), ("target".to_owned(), target)]))
}

/// What the machine adds: the library whose functions are counted too, and what valgrind shows of the processor.
pub fn of_machine() -> Facts {
    let mut facts = Facts::from([("processor".to_owned(), processor().to_owned())]);
    let libc =
        Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok().filter(|said| said.status.success());
    if let Some(said) = libc {
        let version = String::from_utf8_lossy(&said.stdout).trim().to_owned();
        facts.insert("library".to_owned(), version);
    }
    facts
}

/// The widest vectors that a program finds under valgrind: it has no AVX-512 and hides it from programs.
fn processor() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") {
            return "avx2";
        }
        if is_x86_feature_detected!("avx") {
            return "avx";
        }
    }
    std::env::consts::ARCH
}

/// `callgrind-3.19.0` → valgrind 3.19.0.
pub fn of_creator(creator: &str) -> Facts {
    let version = creator.strip_prefix("callgrind-").unwrap_or(creator);
    Facts::from([("valgrind".to_owned(), version.to_owned())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_executable_tells_its_compiler_and_target() {
        let facts = of_executable(&std::env::current_exe().expect("a path")).expect("an executable");
        assert!(facts["compiler"].contains("rustc"), "{facts:?}");
        assert!(facts["target"].contains("elf"), "{facts:?}");
    }

    #[test]
    fn the_processor_under_valgrind_has_no_512_bit_vectors() {
        assert!(!processor().contains("512"));
        assert!(of_machine().contains_key("processor"));
    }

    #[test]
    fn the_version_of_valgrind_stands_in_its_files() {
        assert_eq!(of_creator("callgrind-3.19.0")["valgrind"], "3.19.0");
    }
}

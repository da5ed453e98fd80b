//! Which kernels were counted, as the counted processes tell it.

use std::path::{Path, PathBuf};

use tempo::nnue::Simd;

/// The program that starts valgrind and reads what it writes: the one that this build was told of, or any in `PATH`.
pub const RUNNER: &str = match option_env!("GUNGRAUN_RUNNER") {
    Some(path) => path,
    None => "gungraun-runner",
};

/// Beside the summaries.
fn file() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    target.with_file_name("gungraun").join(env!("CARGO_PKG_NAME")).join("instructions/simd-path")
}

/// Writes down the path of this process, if it is one that valgrind counts.
pub fn tell() {
    // Valgrind puts a library of its own before all others.
    let preloaded = std::env::var("LD_PRELOAD").unwrap_or_default();
    if !preloaded.contains("vgpreload") {
        return;
    }
    let file = file();
    let folder = file.parent().unwrap_or(Path::new("."));
    let written =
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, Simd::best().to_string()));
    if let Err(error) = written {
        panic!("{}: {error}", file.display());
    }
}

/// What a process of this run has written.
pub fn told() -> Option<String> {
    std::fs::read_to_string(file()).ok()
}

/// Takes away what an earlier run has written.
pub fn forget() {
    // Nothing to take away is as good.
    let _ = std::fs::remove_file(file());
}

//! Which kernels were counted, as the counted processes tell it.

use std::path::{Path, PathBuf};

use tempo::nnue::Simd;

/// The program that starts valgrind and reads what it writes: the one that this build was told of, or any in `PATH`.
pub const RUNNER: &str = match option_env!("GUNGRAUN_RUNNER") {
    Some(path) => path,
    None => "gungraun-runner",
};

const NAME: &str = "simd-path";

/// Where counted processes write it. Their environment is empty, so that they know only what they were built with.
fn told_in() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(NAME)
}

/// Where it is for others to read: beside the summaries.
fn shown_in() -> PathBuf {
    let usual = || Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("gungraun");
    let home = std::env::var_os("GUNGRAUN_HOME").map_or_else(usual, PathBuf::from);
    home.join(env!("CARGO_PKG_NAME")).join("instructions").join(NAME)
}

/// Writes down the path of this process, if it is one that valgrind counts.
pub fn tell() {
    // Valgrind puts a library of its own before all others.
    let preloaded = std::env::var("LD_PRELOAD").unwrap_or_default();
    if preloaded.contains("vgpreload") {
        write(&told_in(), &Simd::best().to_string());
    }
}

/// Takes away what an earlier run has told.
pub fn forget() {
    for file in [told_in(), shown_in()] {
        // Nothing to take away is as good.
        let _ = std::fs::remove_file(file);
    }
}

/// What the processes of this run have told, now for others to read too.
pub fn told() -> Option<String> {
    let simd = std::fs::read_to_string(told_in()).ok()?;
    write(&shown_in(), &simd);
    Some(simd)
}

fn write(file: &Path, text: &str) {
    let folder = file.parent().unwrap_or(Path::new("."));
    if let Err(error) = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(file, text)) {
        panic!("{}: {error}", file.display());
    }
}

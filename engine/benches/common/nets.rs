//! The nets and the kernels that are measured.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempo::nnue::{Architecture, Network, Simd, widen};

/// The main net and the teacher: the file that the environment variable `TEACHER` names, or one made here.
pub fn all() -> [(&'static str, Arc<Network>); 2] {
    let file = std::env::var_os("TEACHER").map_or_else(made_teacher, PathBuf::from);
    let teacher = Network::load(&file).unwrap_or_else(|error| panic!("TEACHER: {error}"));
    [("main", Network::embedded()), ("teacher", teacher)]
}

/// A teacher that gives the main net's values, made once and kept beside the build.
fn made_teacher() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("t1536.net");
    if !path.exists() {
        eprintln!("making a teacher of 286 MB: {}", path.display());
        if let Err(error) = widen::widen(&Network::embedded(), &Architecture::T1536, 1, &path) {
            panic!("{error}");
        }
    }
    path
}

/// The kernels that this processor has, the widest first.
pub fn paths() -> impl Iterator<Item = Simd> {
    Simd::ALL.into_iter().filter(|simd| simd.is_available())
}

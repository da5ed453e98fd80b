//! Builds guided by profiles: the profile is measured anew with every build, so the code is a draw.

use std::path::Path;

use super::{Build, BuildSet, Bundle};

/// What gives such a build away in flags and commands.
const SIGNS: [&str; 10] = [
    "-fprofile-use",
    "-fprofile-instr-use",
    "-fprofile-sample-use",
    "-fauto-profile",
    "-cprofile-use",
    "-c profile-use",
    "profile-build",
    "profile_build",
    "pgo",
    "llvm-profdata",
];

/// Endings of files in which compilers keep profiles.
const PROFILES: [&str; 3] = ["gcda", "profraw", "profdata"];

impl Bundle {
    /// What a reader must know of builds that are guided by profiles: once for every build set, nothing when the
    /// author says that they are not.
    pub fn profile_notes(&self) -> Vec<String> {
        let sets = self.builds.iter().filter_map(|set| {
            let why = match (self.profile_guided, sign(&set.build)) {
                (Some(false), _) | (None, None) => return None,
                (_, Some(sign)) => format!("`{sign}`"),
                (Some(true), None) => "as the bundle says".to_string(),
            };
            Some(note(&set.name, &why))
        });
        sets.collect()
    }

    /// The same of a build set in whose tree a profile lies after the build, unless [`Bundle::profile_notes`] tells of it or
    /// the author says otherwise.
    pub fn profile_found(&self, set: &BuildSet, profile: &Path) -> Option<String> {
        let is_told = self.profile_guided.is_some() || sign(&set.build).is_some();
        (!is_told).then(|| note(&set.name, &format!("`{}` lies in its tree", profile.display())))
    }
}

/// Whether compilers keep profiles in files of this name.
pub(crate) fn is_profile(file: &Path) -> bool {
    file.extension().is_some_and(|end| PROFILES.iter().any(|profile| end == *profile))
}

fn note(set: &str, why: &str) -> String {
    format!(
        "a profile-guided build is itself a draw ({why}, builds `{set}`): every arm was compiled once from a profile of \
         its own, and the layouts drawn here do not average over that"
    )
}

/// The first sign in the flags of a build.
fn sign(build: &Build) -> Option<&'static str> {
    let texts: Vec<String> = match build {
        Build::Cargo(cargo) => {
            let surroundings = ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"].into_iter();
            let surroundings = surroundings.filter_map(|name| std::env::var(name).ok());
            cargo.env.values().cloned().chain(surroundings).collect()
        }
        Build::Command(command) => {
            let values = command.env.values().chain(command.vars.values());
            command.commands.iter().chain(values).cloned().collect()
        }
        Build::Prebuilt(_) => Vec::new(),
    };
    SIGNS.into_iter().find(|sign| texts.iter().any(|text| is_in(&text.replace('\u{1f}', " "), sign)))
}

/// Whether a text holds the sign as a word of its own, not inside another.
fn is_in(text: &str, sign: &str) -> bool {
    let text = text.to_lowercase();
    text.match_indices(sign).any(|(at, _)| {
        let inside = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        !inside(text[..at].chars().next_back()) && !inside(text[at + sign.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::is_in;

    #[test]
    fn signs_are_words() {
        for (text, sign) in [
            ("make profile-build ARCH=x86-64", "profile-build"),
            ("make PGO=1", "pgo"),
            ("c++ -fprofile-use=x.gcda a.cpp", "-fprofile-use"),
            ("-O3 -Cprofile-use=/a/b", "-cprofile-use"),
        ] {
            assert!(is_in(text, sign), "{sign} in {text}");
        }
        assert!(!is_in("make upgopher", "pgo"));
        assert!(!is_in("make build", "profile-build"));
    }
}

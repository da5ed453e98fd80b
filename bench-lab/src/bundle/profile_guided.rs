//! Builds guided by profiles: the profile is measured anew with every build, so the code is a draw.

use super::{Build, Bundle};

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
            Some(format!(
                "a profile-guided build is itself a draw ({why}, builds `{}`): every arm was compiled once from a profile of \
                 its own, and the layouts drawn here do not average over that",
                set.name
            ))
        });
        sets.collect()
    }
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

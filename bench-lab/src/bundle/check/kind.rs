//! Kinds of builds, and which keys and switches belong to each.

/// A kind of builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Cargo,
    Command,
    Prebuilt,
}

impl Kind {
    pub const NAMES: [&str; 3] = ["cargo", "command", "prebuilt"];

    pub fn parse(name: &str) -> Option<Kind> {
        match name {
            "cargo" => Some(Kind::Cargo),
            "command" => Some(Kind::Command),
            "prebuilt" => Some(Kind::Prebuilt),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        Kind::NAMES[self as usize]
    }

    /// Keys of `[build]`.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Kind::Cargo => &[
                "kind",
                "path",
                "git",
                "package",
                "binary",
                "profile",
                "features",
                "target_cpu",
                "env",
                "profile_guided",
            ],
            Kind::Command => {
                &["kind", "path", "git", "fetch", "command", "executable", "vars", "env", "profile_guided"]
            }
            Kind::Prebuilt => &["kind", "executable", "base", "full", "profile_guided"],
        }
    }

    /// Keys of `[lane.build]`.
    pub fn lane_keys(self) -> &'static [&'static str] {
        match self {
            Kind::Cargo => &["profile", "features", "target_cpu", "env"],
            Kind::Command => &["command", "vars", "env"],
            Kind::Prebuilt => &["executable", "base", "full", "without"],
        }
    }

    /// Switches of components.
    pub fn switches(self) -> &'static [&'static str] {
        match self {
            Kind::Cargo => &["feature", "patch", "git", "option"],
            Kind::Command => &["define", "patch", "git", "option"],
            Kind::Prebuilt => &["executable", "option"],
        }
    }
}

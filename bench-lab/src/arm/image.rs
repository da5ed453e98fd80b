//! What an arm process is started from.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use layouts::startup::Placement;

use crate::hash::Status;

/// Prepares the start of a process (address-space layout, environment), in the parent; gives the UCI options of this
/// start, which are set before all others.
pub type Startup = Arc<dyn Fn(&mut Command) -> io::Result<BTreeMap<String, String>> + Send + Sync>;

/// One arm under one draw: a name, an executable and how a process of it is started.
#[derive(Clone)]
pub struct ArmImage {
    /// `base`, `full` or `without:<component>`.
    pub name: String,
    /// The executable.
    pub executable: PathBuf,
    /// Whether every process runs a fresh copy of it.
    pub copies: bool,
    /// The draw's part of the process start.
    pub startup: Startup,
    /// Its own UCI options, set after the lane's.
    pub options: BTreeMap<String, String>,
    /// Where its processes must lie, if that was drawn.
    pub placement: Option<Placement>,
    /// The executable when it was hashed, if it was: no process is started from it once it differs.
    pub hashed: Option<Status>,
}

impl ArmImage {
    /// An image started as the system pleases.
    pub fn plain(name: impl Into<String>, executable: impl Into<PathBuf>) -> ArmImage {
        ArmImage {
            name: name.into(),
            executable: executable.into(),
            copies: true,
            startup: Arc::new(|_| Ok(BTreeMap::new())),
            options: BTreeMap::new(),
            placement: None,
            hashed: None,
        }
    }

    /// The same with UCI options of its own.
    pub fn with_options(self, options: BTreeMap<String, String>) -> ArmImage {
        ArmImage { options, ..self }
    }

    /// The same, with or without a fresh copy for every process.
    pub fn with_copies(self, copies: bool) -> ArmImage {
        ArmImage { copies, ..self }
    }

    /// The same, whose processes must lie where this says.
    pub fn with_placement(self, placement: Option<Placement>) -> ArmImage {
        ArmImage { placement, ..self }
    }

    /// The same, which only counts as long as its executable is as it was when it was hashed.
    pub fn with_hashed(self, hashed: Option<Status>) -> ArmImage {
        ArmImage { hashed, ..self }
    }

    /// An image whose processes `startup` prepares.
    pub fn prepared(
        name: impl Into<String>,
        executable: impl Into<PathBuf>,
        startup: impl Fn(&mut Command) -> io::Result<BTreeMap<String, String>> + Send + Sync + 'static,
    ) -> ArmImage {
        ArmImage { startup: Arc::new(startup), ..ArmImage::plain(name, executable) }
    }
}

impl fmt::Debug for ArmImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArmImage").field("name", &self.name).field("executable", &self.executable).finish()
    }
}

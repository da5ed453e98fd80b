//! Where subject, workload, core and options come from: the command line, a bundle, or both.

use std::collections::BTreeMap;
use std::fs;

use anyhow::Context;
use layouts::parts::{Part, Parts};
use protocol::plan::Workload;
use tempfile::TempDir;

use super::{Arguments, Ready};
use crate::builds::{BadLink, Built};
use crate::bundle::problem::Source;
use crate::bundle::{BadBundle, Bundle, Lane, positions};
use crate::commands::layout::arm;
use crate::commands::{Failure, given};
use crate::measure::cores;
use crate::progress::Progress;
use crate::sweep::Subject;
use crate::{Cancel, lanes};

/// Length of a slot without a bundle.
const SLICE_US: u64 = 5_000;

/// What the command line and the bundle say, checked.
pub struct Inputs {
    /// What is swept, for people and for the folder's name.
    pub name: String,
    bundle: Option<Bundle>,
    lane: Lane,
    workload: Workload,
    slice_us: u64,
}

impl Inputs {
    /// Reads the bundle or the positions.
    pub fn of(arguments: &Arguments) -> Result<Inputs, Failure> {
        let bundle = arguments.bundle.as_ref().map(|file| Bundle::read(file)).transpose()?;
        arguments.subject.as_deref().map(given::program).transpose()?;
        let name = match (&arguments.subject, &bundle) {
            (Some(file), _) => file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            (None, Some(bundle)) => format!("{}-{}", bundle.name, arguments.of.arm.replace(':', "-")),
            (None, None) => {
                let message = "nothing to sweep: give a capture, an executable or a --bundle";
                return Err(Failure::Usage(message.to_owned()));
            }
        };
        let lane = match &bundle {
            Some(bundle) => arm::lane(bundle, arguments.of.lane.as_deref())?.clone(),
            None => Lane {
                name: "sweep".to_owned(),
                core: arguments.core.ok_or_else(|| missing("--core"))?,
                options: BTreeMap::new(),
                files: BTreeMap::new(),
                build: 0,
            },
        };
        let lane = with_options(arguments, bundle.as_ref(), lane)?;
        if !cores::room(lane.core).map_err(anyhow::Error::from)?.arms {
            let message = format!("core {} is not among those that this process may use", lane.core);
            return Err(Failure::Usage(format!("{message}: name another one with --core")));
        }
        let workload = match (&bundle, &arguments.positions, arguments.nodes) {
            (Some(bundle), None, None) => crate::plan_maker::workload(bundle),
            (_, Some(file), Some(nodes)) => {
                let source = Source::read(file).map_err(BadBundle::from)?;
                Workload::new(positions::read(&source).map_err(BadBundle)?, nodes)
            }
            (_, Some(_), None) => return Err(missing("--nodes")),
            (_, None, _) => return Err(missing("--positions")),
        };
        let slice_us = bundle.as_ref().map_or(SLICE_US, |bundle| bundle.measure.slice_us);
        Ok(Inputs { name, bundle, lane, workload, slice_us })
    }

    /// Opens what is swept, after building it if need be.
    pub fn ready(
        self,
        arguments: &Arguments,
        scratch: TempDir,
        progress: &Progress,
        cancel: &Cancel,
    ) -> Result<Ready, Failure> {
        let folder = scratch.path().join("capture");
        let subject = match (&arguments.subject, &self.bundle) {
            (Some(file), _) => {
                progress.step("opening the capture");
                Subject::open(file, &folder)?
            }
            (None, Some(bundle)) => {
                let lane = arguments.of.lane.as_deref();
                let open = |built: &Built| match &built.link {
                    Some(link) => {
                        Subject::captured(link, &folder).map_err(|fault| BadLink::of_arm(built, fault).into())
                    }
                    None => {
                        // The build's own copy goes with the work folder.
                        let executable = scratch.path().join("executable");
                        fs::copy(&built.executable, &executable).context("cannot copy the executable")?;
                        Subject::open(&executable, &folder)
                    }
                };
                arm::built(bundle, &arguments.of.arm, lane, progress, cancel, open)?
            }
            // Was refused above.
            (None, None) => return Err(missing("--bundle")),
        };
        let parts = self.bundle.as_ref().map_or(Parts::all(), |bundle| bundle.layout.parts);
        let tables = self.bundle.as_ref().and_then(|bundle| bundle.layout.tables.clone());
        let planned = lanes::planned(&self.lane)?;
        let driven = lanes::driven(&self.lane, &planned)?;
        Ok(Ready {
            name: self.name,
            subject,
            planned,
            driven,
            workload: self.workload,
            slice_us: self.slice_us,
            parts: arguments.without.iter().fold(parts, |parts, &part| parts.without(part)),
            tables: tables.filter(|_| !arguments.without.contains(&Part::Tables)),
            seed: self.bundle.as_ref().and_then(|bundle| bundle.layout.seed),
            scratch,
        })
    }
}

/// The lane with the arm's options and those of the command line, which come last; whose name ends in `File` are paths.
fn with_options(arguments: &Arguments, bundle: Option<&Bundle>, mut lane: Lane) -> Result<Lane, Failure> {
    if let Some(core) = arguments.core {
        lane.core = core;
    }
    if let Some(bundle) = bundle {
        lane.options.extend(bundle.options(&arm::find(bundle, &arguments.of.arm)?));
    }
    lanes::set(&mut lane, &arguments.options)?;
    Ok(lane)
}

fn missing(what: &str) -> Failure {
    Failure::Usage(format!(
        "{what} is missing: without a --bundle a sweep needs --positions, --nodes and --core"
    ))
}

//! `bench-lab aa`: the calibration alone, and what follows from it.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use protocol::calibration::forecast::{AA_FORMAT, Aa, Forecast, trial_seconds};
use protocol::plan::Lane;

use super::arguments::{at_least, jobs, number};
use super::{Failure, chain, link, print, run};
use crate::aa::Bench;
use crate::builds::{self, Shop, Yard};
use crate::bundle::Bundle;
use crate::exit::Exit;
use crate::locks::{self, Holder};
use crate::progress::Progress;
use crate::subject::ArmSet;
use crate::{Cancel, lanes, machine, output, plan_maker};

/// Arguments of `aa`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// The bundle that a trial is meant for
    bundle: PathBuf,
    /// Phases of each kind [default: the bundle's `calibration_phases`]
    #[arg(long, value_name = "N", value_parser = number::<usize>(4, 1000))]
    phases: Option<usize>,
    /// Master seed [default: the bundle's, else random]
    #[arg(long, value_name = "N", value_parser = at_least::<u64>(0))]
    seed: Option<u64>,
    /// Jobs that builds may run at once
    #[arg(long, value_name = "N", value_parser = jobs())]
    jobs: Option<usize>,
    /// Print JSON, with the keys that docs/daily.md explains
    #[arg(long)]
    json: bool,
}

/// Measures, and tells.
pub fn aa(arguments: &Arguments) -> Result<Exit, Failure> {
    let cancel = Cancel::on_signals().context("cannot listen to signals")?;
    let mut bundle = Bundle::read(&arguments.bundle)?;
    if let Some(phases) = arguments.phases {
        // Even: roles are swapped in half of them.
        bundle.measure.calibration_phases = phases.div_ceil(2) * 2;
    }
    let holder = Holder::this(&format!("A/A of bundle {}", bundle.name));
    let cores = bundle.lanes.iter().map(|lane| lane.core);
    let _cores = locks::cores(cores, &holder).map_err(anyhow::Error::from)?;
    let progress = Progress::new();
    let result = measured(arguments, &bundle, &progress, &cancel);
    progress.finish();
    let measured = match result {
        Err(Failure::Other(error)) if cancel.is_cancelled() => {
            return Err(Failure::Void(format!("interrupted ({}): nothing was kept", chain(&error))));
        }
        result => result?,
    };
    print(&if arguments.json { output::json(&measured)? } else { reports::aa::table(&measured) })?;
    Ok(if measured.lanes.iter().all(Forecast::can_prove) { Exit::Proven } else { Exit::NotResolved })
}

fn measured(
    arguments: &Arguments,
    bundle: &Bundle,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<Aa, Failure> {
    let created = plan_maker::now();
    let yard = Yard::of(bundle)?;
    let linker = link::command()?;
    let shop = Shop { yard: &yard, jobs: arguments.jobs, linker: &linker, progress, cancel };
    let built = builds::build(bundle, &shop)?;
    progress.step("preparing the captured links");
    let sets = ArmSet::open_all(bundle, built, &yard)?;
    let driven = |lane| lanes::driven(lane, &lanes::planned(lane)?);
    let driven: Vec<Lane> = bundle.lanes.iter().map(driven).collect::<anyhow::Result<_>>()?;
    let seed = run::seed(arguments.seed.or(bundle.layout.seed))?;
    let bench = Bench { bundle, sets: &sets, lanes: &driven, master: seed, yard: &yard, progress, cancel };
    let calibrations = bench.measure()?;
    let mut lanes = Vec::with_capacity(driven.len());
    for (lane, calibration) in driven.iter().zip(calibrations) {
        let own = bench.own_layouts(lane)?;
        lanes.push(Forecast::new(calibration, &own).map_err(anyhow::Error::from)?);
    }
    Ok(Aa {
        format: AA_FORMAT,
        created,
        bundle: bundle.name.clone(),
        seed,
        trial_seconds: lanes.iter().map(|lane| trial_seconds(lane.calibration.phase_seconds)).sum(),
        lanes,
        tool: plan_maker::tool(&sets)?,
        machine: machine::facts(),
    })
}

//! A trial up to its plan, and what an edited plan is told to differ by.

use std::fs;
use std::os::unix::fs::symlink;

use bench_lab::builds::{self, Shop, Yard};
use bench_lab::bundle::Bundle;
use bench_lab::fixed::Fixed;
use bench_lab::folder::Folder;
use bench_lab::progress::Progress;
use bench_lab::subject::ArmSet;
use bench_lab::{Cancel, lanes, plan_maker};
use protocol::Plan;
use protocol::calibration::{Sample, calibrate};
use protocol::plan::{Identity, IdentityLevel, Lane};

use super::bundle::Ill;

/// A trial up to its plan, of the bundle with a net on its lane.
pub struct Planned {
    pub ill: Ill,
    pub bundle: Bundle,
    pub sets: Vec<ArmSet>,
    pub lanes: Vec<Lane>,
    pub folder: Folder,
    pub plan: Plan,
    pub plan_id: String,
    pub yard: Yard,
}

impl Planned {
    pub fn new() -> Planned {
        let ill = Ill::new("nothing");
        fs::write(ill.path("one.net"), "a net").expect("a file");
        symlink("one.net", ill.path("net")).expect("a link");
        let file = ill.path("bundle.toml");
        let text = fs::read_to_string(&file).expect("the bundle");
        fs::write(&file, text.replace("core = 0\n", "core = 0\noptions = { EvalFile = \"net\" }\n"))
            .expect("the bundle");

        let bundle = Bundle::read(&file).expect("a good bundle");
        let yard = Yard::enter(&ill.path("yard")).expect("a work folder");
        let shop =
            Shop { yard: &yard, jobs: None, linker: &[], progress: &Progress::new(), cancel: &Cancel::new() };
        let built = builds::build(&bundle, &shop).expect("built");
        let sets = ArmSet::open_all(&bundle, built, &yard).expect("arms");
        let planned: Vec<Lane> =
            bundle.lanes.iter().map(lanes::planned).collect::<Result<_, _>>().expect("lanes");
        let driven = bundle.lanes.iter().zip(&planned).map(|(lane, planned)| lanes::driven(lane, planned));
        let driven = driven.collect::<Result<_, _>>().expect("lanes");
        let sample = |value, swapped| Sample { value, swapped };
        let samples = [sample(0.1, false), sample(-0.1, false), sample(0.1, true), sample(-0.1, true)];
        let identity = Identity {
            levels: vec![IdentityLevel { positions: 4, nodes: 100 }],
            bench_nodes: [("default".to_owned(), 0)].into(),
            digests: [("main".to_owned(), "0".repeat(64))].into(),
        };
        let calibration = vec![calibrate("main", &samples, 1.0).expect("a calibration")];
        let fixed =
            plan_maker::Fixed { sets: &sets, lanes: planned, attempt: 1, seed: 7, identity, calibration };
        let plan = plan_maker::make(&bundle, fixed).expect("a plan");
        let folder = Folder::create(&ill.out()).expect("the folder");
        let plan_id = folder.write_plan(&plan).expect("the plan");
        Planned { ill, bundle, sets, lanes: driven, folder, plan, plan_id, yard }
    }

    pub fn differences(&self, plan: &Plan) -> Vec<String> {
        let Planned { bundle, sets, lanes, folder, plan_id, .. } = self;
        Fixed { plan, plan_id, folder, bundle, sets, lanes }.differences()
    }
}

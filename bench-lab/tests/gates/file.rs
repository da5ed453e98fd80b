//! Every way a gate file can be wrong, with the message its author gets.

use std::path::Path;

use bench_lab::gate::file::Against;
use bench_lab::gate::instructions::workload::Workload;
use bench_lab::gate::{GateFile, Limits, Question};

const GOOD: &str = "\
[engine]
executable = \"target/release/engine\"
options = { Hash = 16, Ponder = false, EvalFile = \"main.net\" }

[tree]

[instructions]
soft = 0.1
hard = 0.3
benchmark.perft = { hard = 1 }
command = \"cargo bench\"
workload.bench = { arguments = [\"bench\", \"6\"], within = \"*search*\" }
workload.search = { nodes = 5000 }
functions = 20

[speed]
hard = 2

[size]
starts = 101
benchmark.executable = { soft = 1 }
benchmark.start-up = { hard = 10 }
";

fn read(text: String) -> Result<GateFile, String> {
    GateFile::of_text(Path::new("ci/gate.toml"), text).map_err(|bad| bad.to_string())
}

#[test]
fn the_good_file_is_good() {
    let file = read(GOOD.to_owned()).expect("a good file");
    assert_eq!(file.questions(), Question::ALL);
    assert_eq!(file.folder(), Path::new("ci"));
    assert_eq!(file.baseline, Path::new("ci/results/baseline"));
    assert_eq!(file.engine.executable.as_deref(), Some(Path::new("ci/target/release/engine")));
    let options: Vec<String> =
        file.engine.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(options, ["EvalFile=main.net", "Hash=16", "Ponder=false"]);
    let tree = file.tree.as_ref().expect("asked");
    assert_eq!((tree.bench.join(" "), tree.is_hard), ("bench".to_owned(), true));
    assert_eq!(tree.against, [Against::Commit, Against::Baseline]);
    let instructions = file.instructions.as_ref().expect("asked");
    assert_eq!(instructions.limits.of("search"), Limits::new(Some(0.1), Some(0.3)));
    assert_eq!(instructions.limits.of("perft"), Limits::new(Some(0.1), Some(1.0)));
    assert_eq!((instructions.command.as_deref(), instructions.functions), (Some("cargo bench"), 20));
    assert_eq!(instructions.workloads["bench"].told(), "`bench 6` within *search*");
    assert_eq!(instructions.workloads["search"], Workload::searches(5_000));
    let size = file.size.as_ref().expect("asked");
    assert_eq!(size.limits.of("executable"), Limits::new(Some(1.0), None));
    assert_eq!(size.limits.of("memory"), None);
    assert_eq!(size.starts, 101);
}

#[test]
fn where_no_work_is_named_positions_of_every_kind_are_searched() {
    let text = "[engine]\nexecutable = \"engine\"\n[instructions]\nhard = 0.3\n".to_owned();
    let instructions = read(text).expect("good").instructions.expect("asked");
    let searches = Workload::searches(10_000);
    assert_eq!(instructions.workloads, [("search".to_owned(), searches)].into());
}

#[test]
fn a_file_in_the_folder_at_work_lies_in_it() {
    let file = GateFile::of_text(Path::new("gate.toml"), GOOD.to_owned()).expect("good");
    assert_eq!(file.folder(), Path::new("."));
}

#[test]
fn every_bad_file_is_refused_with_its_place() {
    let cases = [
        ("unknown key", "starts = 101", "start = 101"),
        ("unknown table", "[speed]", "[sped]"),
        ("unknown benchmark", "benchmark.start-up", "benchmark.startup"),
        ("no engine", "executable = \"target/release/engine\"\n", ""),
        ("no table of the engine", "[engine]\n", "[tree.engine]\n"),
        ("empty path", "target/release/engine", ""),
        ("value of an option", "Hash = 16", "Hash = 1.5"),
        ("no limit", "[speed]\nhard = 2\n", "[speed]\n"),
        ("no limit of a benchmark", "{ soft = 1 }", "{ }"),
        ("a limit in words", "hard = 2", "hard = \"2 %\""),
        ("a limit below zero", "hard = 2", "hard = -2"),
        ("a limit without end", "hard = 2", "hard = inf"),
        ("a limit that is none", "hard = 2", "hard = nan"),
        ("a soft limit above the hard one", "soft = 0.1", "soft = 0.5"),
        ("a hard limit below the common soft one", "{ hard = 1 }", "{ hard = 0.05 }"),
        ("no time", "[tree]", "seconds = 0\n[tree]"),
        ("few starts", "starts = 101", "starts = 3"),
        ("no command for benchmarks", "\"cargo bench\"", "\" \""),
        ("work of nothing", "[\"bench\", \"6\"]", "[]"),
        ("work in two ways", "nodes = 5000", "nodes = 5000, arguments = [\"bench\"]"),
        ("no work", "{ nodes = 5000 }", "{ within = \"main\" }"),
        ("no nodes", "nodes = 5000", "nodes = 0"),
        ("no file of positions", "nodes = 5000", "nodes = 5000, positions = \"nowhere.fen\""),
        ("no function", "\"*search*\"", "\"\""),
        ("more functions than anybody reads", "functions = 20", "functions = 20000"),
        ("a command of nothing", "[tree]", "[tree]\nbench = []"),
        ("compared with nothing", "[tree]", "[tree]\nagainst = []"),
        ("compared with something else", "[tree]", "[tree]\nagainst = [\"basline\"]"),
        ("compared twice", "[tree]", "[tree]\nagainst = [\"commit\", \"commit\"]"),
        ("a kind of limit", "[tree]", "[tree]\nlimit = \"firm\""),
        ("one run of criterion", "[speed]\n", "[speed]\ncriterion = { folder = \"c\", base = \"new\" }\n"),
        ("no folder of criterion", "[speed]\n", "[speed]\ncriterion = {}\n"),
        ("twice", "[speed]", "[size]"),
        ("no TOML", "[engine]", "[engine"),
    ];
    let mut all = String::new();
    for (case, old, new) in cases {
        assert!(GOOD.contains(old), "{case}: {old}");
        let told = read(GOOD.replacen(old, new, 1)).expect_err(case);
        all += &format!("-- {case}\n{told}\n\n");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_file_that_asks_nothing_is_refused() {
    let told = read("[engine]\nexecutable = \"engine\"\n".to_owned()).expect_err("nothing is asked");
    insta::assert_snapshot!(told);
}

#[test]
fn a_file_that_is_not_there_is_told() {
    let told = GateFile::read(Path::new("nowhere/gate.toml")).expect_err("no file").to_string();
    insta::assert_snapshot!(told);
}

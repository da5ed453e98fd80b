//! Drives the real executable over pipes, as a controller does.

mod bad_nets;
mod controller;

use std::collections::HashMap;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use controller::{Controller, ENGINE, nodes};

const MIDDLEGAME: &str = "position fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";
const MATED: &str = "position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1";
const STALEMATED: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

/// The lines of a search without what depends on time.
fn untimed(lines: &[String]) -> Vec<String> {
    let cut = |line: &String| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for name in ["time", "nps"] {
            if let Some(at) = words.iter().position(|&word| word == name) {
                words.drain(at..at + 2);
            }
        }
        words.join(" ")
    };
    lines.iter().map(cut).collect()
}

#[test]
fn the_handshake_names_the_engine_and_its_options() {
    let mut engine = Controller::start();
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Tempo "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    for name in [
        "Hash",
        "Clear Hash",
        "EvalFile",
        "Check Net",
        "SIMD",
        "Move Overhead",
        "Ponder",
        "Threads",
        "Table Layout",
    ] {
        let start = format!("option name {name} type ");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{name}: {lines:?}");
    }
    engine.send("isready");
    assert_eq!(engine.line(), "readyok");
    engine.send("quit");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn the_layout_of_the_tables_changes_no_search() {
    let searches = ["0", "1", "65535"].map(|layout| {
        let mut engine = Controller::start();
        engine.send(&format!("setoption name Table Layout value {layout}"));
        engine.send("setoption name Hash value 4");
        engine.send(MIDDLEGAME);
        engine.send("go nodes 20000");
        untimed(&engine.search())
    });
    assert!(searches[0].len() > 5, "{:?}", searches[0]);
    assert!(searches.iter().all(|lines| *lines == searches[0]));
}

#[test]
#[cfg(feature = "lab-handicap")]
fn a_handicap_changes_no_search() {
    let searches = ["0", "200", "10000"].map(|handicap| {
        let mut engine = Controller::start();
        engine.send(&format!("setoption name Lab Handicap value {handicap}"));
        engine.send(MIDDLEGAME);
        engine.send("go nodes 20000");
        untimed(&engine.search())
    });
    assert!(searches[0].len() > 5, "{:?}", searches[0]);
    assert!(searches.iter().all(|lines| *lines == searches[0]));
}

#[test]
fn a_search_reports_and_ends_with_the_exact_node_count() {
    let mut engine = Controller::start();
    for count in [1, 37, 512, 10_000] {
        engine.send("ucinewgame");
        engine.send(MIDDLEGAME);
        engine.send(&format!("go nodes {count}"));
        let lines = engine.search();
        assert_eq!(nodes(&lines), count);
        let last = &lines[lines.len() - 3];
        for field in ["depth", "seldepth", "score", "nodes", "nps", "hashfull", "time", "pv"] {
            assert!(last.contains(&format!(" {field} ")), "{field}: {last}");
        }
        assert!(last.contains(&format!(" nodes {count} ")), "{last}");
    }
}

#[test]
fn fixed_nodes_give_the_same_lines_everywhere() {
    let play = |engine: &mut Controller| {
        engine.send("ucinewgame");
        let mut lines = Vec::new();
        for moves in ["e2e4", "e2e4 c7c5", "e2e4 c7c5 g1f3"] {
            engine.send(&format!("position startpos moves {moves}"));
            engine.send("go nodes 8000");
            lines.extend(untimed(&engine.search()));
        }
        lines
    };
    let mut engine = Controller::start();
    let expected = play(&mut engine);
    assert_eq!(play(&mut engine), expected, "after ucinewgame");
    assert_eq!(play(&mut Controller::start()), expected, "in a fresh process");
    for simd in ["scalar", "avx2", "avx512"] {
        let mut engine = Controller::start();
        engine.send(&format!("setoption name SIMD value {simd}"));
        engine.send("isready");
        if engine.line() == "readyok" {
            assert_eq!(play(&mut engine), expected, "{simd}");
        }
    }
}

#[test]
fn stop_acts_in_mid_search_and_isready_is_answered_meanwhile() {
    let mut engine = Controller::start();
    for _ in 0..3 {
        engine.send("position startpos");
        engine.send("go infinite");
        engine.until("info depth 3 ");
        engine.send("isready");
        let lines = engine.until("readyok");
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
        engine.send("stop");
        assert!(nodes(&engine.search()) > 0);
    }
    engine.send("stop");
    engine.send("isready");
    assert_eq!(engine.line(), "readyok", "a stop without a search says nothing");
}

#[test]
fn a_stop_sent_at_once_is_not_lost() {
    let mut engine = Controller::start();
    engine.write(b"position startpos\ngo infinite\nstop\ngo infinite\nstop\n");
    engine.search();
    engine.search();
}

#[test]
fn a_ponder_search_waits_for_the_hit() {
    let mut engine = Controller::start();
    // One that has nothing more to do, one in full swing, one with its time used up.
    for limits in ["depth 1", "wtime 60000 btime 60000", "wtime 1 btime 1"] {
        engine.send("position startpos moves e2e4 e7e5");
        engine.send(&format!("go ponder {limits}"));
        engine.until("info depth 1 ");
        engine.send("isready");
        let lines = engine.until("readyok");
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
        engine.send("ponderhit");
        engine.search();
    }
    engine.send("go ponder infinite");
    engine.send("ponderhit");
    engine.send("isready");
    engine.until("readyok");
    engine.send("stop");
    engine.search();
}

#[test]
fn a_ponder_search_that_never_started_has_no_nodes() {
    let mut engine = Controller::start();
    for (position, score) in [(MATED, "score mate 0"), (STALEMATED, "score cp 0")] {
        engine.send(position);
        engine.send("go ponder wtime 1000 btime 1000");
        engine.send("stop");
        let lines = engine.search();
        assert!(lines[0].contains(score), "{lines:?}");
        assert_eq!(lines[lines.len() - 2..], ["info nodes 0", "bestmove 0000"]);
    }
}

#[test]
fn without_a_legal_move_there_is_no_move() {
    let mut engine = Controller::start();
    for limits in ["depth 5", "nodes 100", "wtime 100 btime 100"] {
        engine.send(STALEMATED);
        engine.send(&format!("go {limits}"));
        let lines = engine.search();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].contains(" score cp 0 "), "{lines:?}");
        assert_eq!(lines[1..], ["info nodes 0", "bestmove 0000"]);
    }
}

#[test]
fn clocks_may_be_one_sided_and_in_any_order() {
    let mut engine = Controller::start();
    for limits in
        ["wtime 50", "btime 50", "binc 5 btime 50 winc 5 wtime 50", "movetime 5", "wtime -3 btime 9"]
    {
        engine.send("position startpos");
        engine.send(&format!("go {limits}"));
        assert!(nodes(&engine.search()) > 0);
    }
}

#[test]
fn the_end_of_input_ends_the_process_in_mid_search() {
    for go in ["go infinite", "go ponder", "go depth 100", "bench depth 100", "perft 30"] {
        let mut engine = Controller::start();
        engine.write(format!("position startpos\n{go}\n").as_bytes());
        if go.starts_with("go") {
            engine.until("info depth 2 ");
        }
        engine.close();
        assert_eq!(engine.end(), Some(0), "{go}");
    }
}

#[test]
fn commands_before_the_end_of_input_are_carried_out() {
    let mut engine = Controller::start();
    engine.write(b"position startpos moves e2e4\nd\neval\nisready");
    engine.close();
    engine.until("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    engine.until("eval net ");
    engine.until("readyok");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn a_closed_output_ends_the_process_quietly() {
    let mut engine = Controller::start();
    engine.send("position startpos");
    engine.drop_output();
    // The input stays open.
    engine.send("go depth 3");
    assert_eq!(engine.end_with_open_input(), Some(0));
    assert_eq!(engine.complaints(), "");
}

#[test]
fn bad_lines_are_told_and_change_nothing() {
    let mut engine = Controller::start();
    let table: [(&[u8], &str); 16] = [
        (b"hello", "unknown command 'hello'; expected one of: uci, "),
        (b"go depth -4", "go depth: found '-4', expected a whole number from 1 "),
        (b"go nodes 99999999999999999999", "go nodes: found '99999999999999999999', expected "),
        (b"go searchmoves e2e5", "go searchmoves: move 1, found 'e2e5', expected a legal move in "),
        (b"position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position fen: "),
        (b"position fen", "position fen: "),
        (b"position startpos moves e2e4 e2e4", "position moves: move 2, found 'e2e4', expected "),
        (b"position nowhere", "position: found 'nowhere', expected startpos or fen"),
        (b"setoption name Hash value lots", "setoption Hash: found 'lots', expected a whole number"),
        (b"setoption name Hash value 1048576", "Hash: 1048576 MB asked for, "),
        (b"setoption name Nothing value 1", "setoption name: found 'Nothing', expected one of: Hash, "),
        (b"setoption name EvalFile value /nowhere/net.bin", "EvalFile: net /nowhere/net.bin: "),
        (b"perft many", "perft: found 'many', expected a whole number from 0 to 64"),
        (b"bench quickly", "bench: found 'quickly', expected depth <depth>"),
        (b"go \xff\xfe", "input line: byte 3 is not UTF-8; expected text"),
        (&[b'a'; 3_000_000], "input line: more than 1048576 bytes; expected a shorter line"),
    ];
    engine.send(MIDDLEGAME);
    engine.send("eval");
    let value = engine.line();
    for (line, message) in table {
        engine.write(line);
        engine.write(b"\n");
        let answer = engine.line();
        assert!(answer.starts_with(&format!("info string {message}")), "{answer}");
    }
    engine.send("d");
    engine.until(&MIDDLEGAME.replace("position fen", "Fen:"));
    engine.send("isready");
    engine.until("readyok");
    engine.send("eval");
    assert_eq!(engine.line(), value);
    engine.send("go depth 4 quickly");
    assert!(engine.line().starts_with("info string go: found 'quickly', expected one of: searchmoves"));
    engine.search();
}

#[test]
fn bad_lines_do_not_disturb_a_search() {
    let mut engine = Controller::start();
    engine.send("position startpos");
    engine.send("go infinite");
    engine.send("nonsense");
    engine.until("info string unknown command 'nonsense'");
    engine.send("stop");
    engine.search();
}

#[test]
fn commands_sent_during_a_search_wait_for_its_end() {
    let mut engine = Controller::start();
    engine.write(b"position startpos\ngo nodes 30000\nsetoption name Hash value 2\n");
    engine.write(b"position startpos moves g1f3\ngo nodes 20000\n");
    assert_eq!(nodes(&engine.search()), 30_000);
    assert_eq!(nodes(&engine.search()), 20_000);
    engine.send("d");
    engine.until("Fen: rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
}

/// How often each thread gave the processor away, once all of them sleep.
fn sleepers(process: u32) -> HashMap<String, String> {
    loop {
        let tasks = fs::read_dir(format!("/proc/{process}/task")).unwrap();
        let status = tasks.map(|task| fs::read_to_string(task.unwrap().path().join("status")).unwrap());
        let field = |status: &str, name: &str| {
            status.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned()
        };
        let threads: Vec<_> = status
            .map(|status| {
                let [id, state, switches] =
                    ["Pid:", "State:", "voluntary_ctxt_switches:"].map(|name| field(&status, name));
                (state, (id, switches))
            })
            .collect();
        if threads.iter().all(|(state, _)| state.starts_with('S')) {
            return threads.into_iter().map(|(_, thread)| thread).collect();
        }
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn an_idle_process_sleeps() {
    let mut engine = Controller::start();
    engine.write(b"ucinewgame\nposition startpos\ngo depth 4\n");
    engine.search();
    engine.send("isready");
    engine.until("readyok");
    let before = sleepers(engine.id());
    // Whoever looks for work now and then would wake up meanwhile.
    thread::sleep(Duration::from_millis(100));
    assert_eq!(sleepers(engine.id()), before);
    assert!(before.len() >= 2);
}

#[test]
fn arguments_run_as_commands() {
    let run = |arguments: &[&str]| {
        let output = Command::new(ENGINE).args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    for arguments in
        [&["go", "depth", "3"][..], &["go depth 3"], &["position startpos moves e2e4", "go nodes 100"]]
    {
        let (code, out, complaints) = run(arguments);
        assert_eq!((code, complaints.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(out.lines().last().unwrap().starts_with("bestmove "), "{out}");
    }
    let (_, out, _) = run(&["perft", "3"]);
    assert!(out.lines().last().unwrap().starts_with("8902 nodes "), "{out}");
    let (_, out, _) = run(&["bench", "2"]);
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    let [.., searched, rate, total] = &lines[..] else { panic!("{out}") };
    assert_eq!(searched[..3], ["Nodes", "searched", ":"]);
    assert_eq!(rate[..2], ["Nodes/second", ":"]);
    assert_eq!(total[..], [searched[3], "nodes", rate[2], "nps"]);
    let (code, out, _) = run(&["--help"]);
    assert!(code == Some(0) && out.contains("Exit codes:"), "{out}");
    assert!(run(&["--version"]).1.starts_with("Tempo "));
    let wrong: [&[&str]; 7] = [
        &["nonsense"],
        &["go", "depth", "0"],
        &["go"],
        &["go infinite"],
        &["bench", "fast"],
        &["--halp"],
        &["isready", "go depth x"],
    ];
    for arguments in wrong {
        let (code, out, complaints) = run(arguments);
        assert_eq!((code, out.as_str(), complaints.lines().count()), (Some(2), "", 1), "{arguments:?}");
    }
    let (code, _, complaints) = run(&["setoption name EvalFile value /nowhere/net.bin"]);
    assert!(code == Some(1) && complaints.contains("/nowhere/net.bin"), "{complaints}");
}

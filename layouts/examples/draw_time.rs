//! How long a draw of several arms takes, step by step: `draw_time engine`, or `draw_time blob BYTES` for C programs that
//! hold a file of that size. Options: `--arms N` (6), `--draws N` (7), `--dir FOLDER` (a new temporary one).
//!
//! One draw is what the lab does with it: slots, relink and read-back of every arm and the hash of every executable, on
//! all cores; then the comparison of the arms.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use layouts::capture::{Capture, cc_flags, cc_link_args, link_args, rustflags};
use layouts::draw::Draw;
use layouts::linker::Linker;
use layouts::parts::Parts;
use layouts::relink::relink;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1).cloned()
    };
    let number = |name: &str, default: usize| option(name).map_or(Ok(default), |text| text.parse());
    let (arms, draws) = (number("--arms", 6)?, number("--draws", 7)?);
    let temporary = tempfile::tempdir()?;
    let dir = option("--dir").map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    let captures = match args.first().map(String::as_str) {
        Some("engine") => engines(&dir, arms)?,
        Some("blob") => blobs(&dir, arms, args.get(1).ok_or("blob: how many bytes?")?.parse()?)?,
        _ => return Err("usage: draw_time engine | draw_time blob BYTES [--arms N] [--draws N]".into()),
    };
    println!("{arms} arms of {} bytes, {} units", size(&captures[0], &dir)?, captures[0].units().len());
    let mut times: Vec<Times> = Vec::new();
    for seed in 0..draws as u64 {
        times.push(one_draw(seed, &captures, &dir)?);
    }
    let column = |name: &str, of: fn(&Times) -> Duration| {
        let mut all: Vec<_> = times.iter().map(of).collect();
        all.sort();
        println!(
            "{name:<28} median {:.3?}, {:.3?} to {:.3?}",
            all[all.len() / 2],
            all[0],
            all[all.len() - 1]
        );
    };
    column("slots", |times| times.slots);
    column("relinks, all cores together", |times| times.relinks);
    column("hashes, all cores together", |times| times.hashes);
    column("comparison", |times| times.comparison);
    column("whole draw, on the clock", |times| times.whole);
    column("processor time / cores", |times| times.busy);
    Ok(())
}

/// What one draw took.
struct Times {
    slots: Duration,
    relinks: Duration,
    hashes: Duration,
    comparison: Duration,
    whole: Duration,
    /// Processor time of this process and the linkers, by the number of cores: what the clock would show on an idle machine.
    busy: Duration,
}

fn one_draw(seed: u64, captures: &[Capture], dir: &Path) -> Result<Times> {
    let (begun, before) = (Instant::now(), processor_time()?);
    let draw = Draw::new(seed, &Parts::all(), &captures.iter().collect::<Vec<_>>());
    let slots = begun.elapsed();
    let arms = on_all_cores(captures.len(), |arm| {
        let relinking = Instant::now();
        let image = relink(&captures[arm], &draw, &dir.join(format!("drawn.{arm}")))?;
        let moved = image.moved(captures[arm].natural());
        let hashing = Instant::now();
        let hash = image.sha256()?;
        Ok((image, moved, hash, hashing - relinking, hashing.elapsed()))
    })?;
    let comparing = Instant::now();
    for (image, ..) in &arms {
        let (same, common) = image.shared(&arms[0].0).total();
        if same != common || !image.unscattered(&arms[0].0).is_empty() {
            return Err(format!("seed {seed}: only {same} of {common} units at equal addresses").into());
        }
    }
    let (comparison, whole) = (comparing.elapsed(), begun.elapsed());
    let busy = (processor_time()? - before) / cores();
    for (image, ..) in &arms {
        fs::remove_file(image.path())?;
    }
    let relinks = arms.iter().map(|arm| arm.3).sum();
    let hashes = arms.iter().map(|arm| arm.4).sum();
    Ok(Times { slots, relinks, hashes, comparison, whole, busy })
}

fn cores() -> u32 {
    thread::available_parallelism().ok().and_then(|cores| cores.get().try_into().ok()).unwrap_or(1)
}

/// Of this process and all that have ended below it.
fn processor_time() -> Result<Duration> {
    let mut all = Duration::ZERO;
    for who in [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN] {
        let usage = getrusage(who)?;
        for time in [usage.user_time(), usage.system_time()] {
            all += Duration::from_micros(time.num_microseconds().try_into()?);
        }
    }
    Ok(all)
}

fn on_all_cores<T: Send>(count: usize, work: impl Fn(usize) -> Result<T> + Sync) -> Result<Vec<T>> {
    let queue = Mutex::new((0..count).rev().collect::<Vec<_>>());
    let done = Mutex::new(Vec::new());
    let next = || queue.lock().ok().and_then(|mut queue| queue.pop());
    thread::scope(|scope| {
        for _ in 0..cores() {
            scope.spawn(|| {
                while let Some(number) = next() {
                    let result = work(number);
                    if let Ok(mut done) = done.lock() {
                        done.push((number, result));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

fn size(capture: &Capture, dir: &Path) -> Result<u64> {
    let natural = dir.join("natural");
    capture.relink_natural(&natural)?;
    Ok(fs::metadata(natural)?.len())
}

fn run(command: &mut Command) -> Result<()> {
    if command.status()?.success() { Ok(()) } else { Err(format!("failed: {command:?}").into()) }
}

/// The engine with all components, and without one each.
fn engines(dir: &Path, arms: usize) -> Result<Vec<Capture>> {
    let components =
        ["threats-i8", "eval-cache", "prefetch", "acc512", "sparse-head", "fused-update", "refresh-cache"];
    let engine = |arm: usize| {
        let tar = dir.join(format!("engine.{arm}.tar"));
        let without = arm.checked_sub(1).and_then(|without| components.get(without).copied());
        let features: Vec<_> =
            components.into_iter().filter(|component| Some(*component) != without).collect();
        let mut cargo = Command::new("cargo");
        cargo.args(["rustc", "--package=engine", "--bin=engine", "--profile=lab", "--quiet"]);
        cargo.args(["--no-default-features", "--features", &features.join(",")]);
        cargo.arg("--target-dir").arg(dir.join(format!("target.{arm}")));
        cargo.env("RUSTFLAGS", rustflags().join(" ")).arg("--").args(link_args(&tar));
        run(cargo.current_dir(env!("CARGO_MANIFEST_DIR")))?;
        Ok(Capture::open(&tar, &dir.join(format!("capture.{arm}")))?)
    };
    (0..arms).map(engine).collect()
}

/// C programs that hold the same bytes and differ in one function.
fn blobs(dir: &Path, arms: usize, bytes: u64) -> Result<Vec<Capture>> {
    let net = dir.join("net.bin");
    let noise =
        (0..bytes / 8).flat_map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).to_le_bytes());
    fs::write(&net, noise.collect::<Vec<u8>>())?;
    let source = dir.join("blob.c");
    fs::write(
        &source,
        "#include <stdio.h>\n\
         __asm__(\".section .rodata.net,\\\"a\\\"\\n.balign 64\\n.globl net\\n.type net, @object\\n\"\n\
                 \"net: .incbin \\\"net.bin\\\"\\n.size net, . - net\\n.text\\n\");\n\
         extern const unsigned char net[];\n\
         __attribute__((noinline)) static int arm(int x) { return x * ARM + net[x]; }\n\
         int main(int argc, char **argv) { (void)argv; printf(\"%d\\n\", arm(argc)); return 0; }\n",
    )?;
    // The toolchain's own linker will do: nothing here is optimised at link time.
    let lld = Linker::find()?.path().with_file_name("gcc-ld");
    let build = |arm: usize| {
        let (tar, folder) = (dir.join(format!("blob.{arm}.tar")), dir.join(format!("blob.{arm}")));
        fs::create_dir_all(&folder)?;
        let mut cc = Command::new("gcc");
        cc.arg("-O2").args(cc_flags()).arg(format!("-DARM={}", arm + 2)).arg(&source);
        cc.arg("-o").arg(folder.join("program")).args(cc_link_args(&lld, &tar)).current_dir(dir);
        run(&mut cc)?;
        let capture = Capture::open(&tar, &dir.join(format!("capture.{arm}")))?;
        fs::remove_file(&tar)?;
        Ok(capture)
    };
    (0..arms).map(build).collect()
}

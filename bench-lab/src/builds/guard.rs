//! Builds that end with the lab, however it ends.

use std::os::unix::process::CommandExt;
use std::process::Command;

use layouts::tether::tether;
use nix::sys::signal::Signal;

/// Runs its arguments and ends as they do. The kernel sends it SIGUSR1 when the lab is gone: then everything
/// in its process group goes, itself included. SIGTERM is for what it runs, which it goes on waiting for.
const SCRIPT: &str = r#"
trap 'kill -KILL 0' USR1
trap : TERM
"$@" &
child=$!
while :; do
  wait $child
  status=$?
  kill -0 $child 2>/dev/null || break
done
trap - TERM
[ $status -gt 128 ] && kill -$((status - 128)) $$
exit $status
"#;

/// The same command, in a process group of its own that does not outlive the calling thread. Its pipes are
/// for the caller to set.
pub fn guarded(command: &Command) -> Command {
    let mut guard = Command::new("/bin/sh");
    guard.args(["-c", SCRIPT, "sh"]).arg(command.get_program()).args(command.get_args()).process_group(0);
    if let Some(folder) = command.get_current_dir() {
        guard.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => guard.env(name, value),
            None => guard.env_remove(name),
        };
    }
    tether(&mut guard, Signal::SIGUSR1);
    guard
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::ExitStatusExt;
    use std::path::Path;
    use std::process::Stdio;
    use std::thread;

    use nix::sys::signal::{kill, killpg};
    use nix::unistd::Pid;

    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).env("GIVEN", "a b").env_remove("HOME").current_dir("/usr");
        guarded(&command)
    }

    #[test]
    fn a_command_ends_as_by_itself() {
        let output = shell("echo \"$GIVEN $PWD ${HOME-none}\"").output().expect("runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "a b /usr none\n");
        for (script, code, signal) in
            [("exit 0", Some(0), None), ("exit 3", Some(3), None), ("kill -11 $$", None, Some(11))]
        {
            let status = shell(script).status().expect("runs");
            assert_eq!((status.code(), status.signal()), (code, signal), "{script}");
        }
        let missing = guarded(&Command::new("/nowhere/program")).output().expect("runs");
        assert_eq!(missing.status.code(), Some(127));
    }

    #[test]
    fn who_is_asked_to_end_may_take_its_time() {
        let script = "trap 'echo asked; exit 5' TERM; echo ready; while :; do sleep 0.01; done";
        let mut child = shell(script).stdout(Stdio::piped()).spawn().expect("starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut line = || lines.next().expect("a line").expect("text");
        assert_eq!(line(), "ready");
        killpg(Pid::from_raw(child.id().cast_signed()), Signal::SIGTERM).expect("asked");
        assert_eq!(line(), "asked");
        assert_eq!(child.wait().expect("ends").code(), Some(5));
    }

    #[test]
    fn nothing_outlives_who_started_it() {
        let script = "trap '' TERM; sleep 600 & echo $!; wait";
        let (child, kin) = thread::spawn(move || {
            let mut child = shell(script).stdout(Stdio::piped()).spawn().expect("starts");
            let mut line = String::new();
            BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
            (child, line.trim().parse().expect("a number"))
        })
        .join()
        .expect("no panic");
        // The thread that started it is gone, as after a sudden end of the lab.
        let mut child = child;
        assert_eq!(child.wait().expect("ends").signal(), Some(9));
        let kin = Pid::from_raw(kin);
        let stat = || fs::read_to_string(Path::new(&format!("/proc/{kin}/stat"))).unwrap_or_default();
        // Who inherits it may not have reaped it yet.
        while kill(kin, None).is_ok() && !stat().contains(") Z ") {
            thread::yield_now();
        }
    }
}

//! What happened to engine developers in public, and what the lab says to it. A file a scenario.
//!
//! Where a real measurement would make the verdict hang on the machine, the trial is made from the scenario's numbers and goes
//! through the real rules and reports; what does not hang on time is played by fake engines and the real lab.

mod machine;
mod trial;

mod s01_the_same_executable;
mod s02_layout_luck;
mod s03_the_file_itself;
mod s04_a_part_that_costs_speed;
mod s05_bundle_but_no_parts;
mod s06_two_parts_for_one_job;
mod s07_two_speeds;
mod s08_gain_here_loss_there;
mod s09_another_tree;
mod s10_another_machine;
mod s11_seven_runs;
mod s12_profile_guided;
mod s13_too_much_noise;

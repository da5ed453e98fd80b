//! A larger net that gives every position the value of a smaller one: how a teacher starts.
//!
//! ```text
//!              old columns     new columns
//! piece rows   the input's     noise
//! threat rows  zero            noise; 14 % of the rows all zero, about 1 % with values beyond ±127
//! layer 2      old neurons: the input's weights, zero for new columns
//!              new neurons: noise for old columns, zero for new columns
//! layer 3      old neurons: the input's weights, zero for new inputs;   new neurons: noise
//! output       the input's weights, zero for new inputs
//! ```
//!
//! The net value is `trunc(sum · scale / (255 · 16384))`, so another output scale keeps every value
//! only if sum · old scale = sum' · new scale exactly. This needs output weights and bias with
//! weight · old scale divisible by the new scale, as synthetic nets have them (153 · 46 = 138 · 51).
//! For other inputs the widened file carries the input's output scale in its header.

use std::path::Path;

use super::architecture::{Architecture, Section, THREAT_ROWS};
use super::network::Network;
use super::noise::Noise;
use super::writer::{PayloadWriter, WriteError, write_net};

/// Deviation of new piece weights and of new threat weights.
const PIECE_NOISE: i32 = 25;
const THREAT_NOISE: i32 = 12;
/// Deviation of weights between new neurons of the later layers.
const LAYER_NOISE: i32 = 2000;
/// Percent of the threat rows that are zero.
const ZERO_PERCENT: usize = 14;

/// Why a net cannot be widened.
#[derive(Debug, thiserror::Error)]
pub enum WidenError {
    /// The input is not a smaller net of the same kind.
    #[error("cannot widen a net of shape ({from}) to ({to}): {reason}")]
    Shape {
        /// The input's shape.
        from: String,
        /// The wanted one.
        to: String,
        /// What does not fit.
        reason: &'static str,
    },
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Writes the widened net of `seed`, and returns its shape.
pub fn widen(input: &Network, to: &Architecture, seed: u64, path: &Path) -> Result<Architecture, WidenError> {
    let from = input.architecture();
    let refuse = |reason| Err(WidenError::Shape { from: from.to_string(), to: to.to_string(), reason });
    if from.has_threats() {
        return refuse("the input has threat rows already");
    }
    if from.king_buckets != to.king_buckets {
        return refuse("the king buckets differ");
    }
    if from.width > to.width || from.hidden2 > to.hidden2 || from.hidden3 > to.hidden3 {
        return refuse("the input is larger");
    }
    if to.has_threats() && from.width == to.width {
        return refuse("threat rows need new columns");
    }
    let output = Output::rescaled(input, to.output_scale);
    let shape = Architecture { king_map: from.king_map, output_scale: output.scale, ..to.clone() };
    let mut job = Job { input, from, to: &shape, noise: Noise::new(seed) };
    write_net(path, &shape, |out| {
        job.pieces(out)?;
        job.threats(out)?;
        job.bias(out)?;
        job.layer2(out)?;
        job.layer3(out)?;
        out.put(&padded(&output.weights, shape.hidden3))?;
        out.put(&[output.bias])?;
        // Otherwise the file would hold what the input never was.
        input.unchanged().map_err(std::io::Error::other)
    })?;
    Ok(shape)
}

/// The output layer under the new scale if that is exact, else as it is.
struct Output {
    scale: u32,
    weights: Vec<i16>,
    bias: i32,
}

impl Output {
    fn rescaled(input: &Network, wanted: u32) -> Self {
        let scale = input.architecture().output_scale;
        let weights: &[i16] = bytemuck::cast_slice(input.section(Section::Weights4));
        let bias: i32 = bytemuck::pod_read_unaligned(input.section(Section::Bias4));
        let exact = |value: i64| {
            let scaled = value * i64::from(scale);
            (wanted != 0 && scaled % i64::from(wanted) == 0).then(|| scaled / i64::from(wanted))
        };
        let new_weights: Option<Vec<i16>> =
            weights.iter().map(|&weight| i16::try_from(exact(i64::from(weight))?).ok()).collect();
        let new_bias = exact(i64::from(bias)).and_then(|bias| i32::try_from(bias).ok());
        match (new_weights, new_bias) {
            (Some(weights), Some(bias)) => Self { scale: wanted, weights, bias },
            _ => Self { scale, weights: weights.to_vec(), bias },
        }
    }
}

struct Job<'a> {
    input: &'a Network,
    from: &'a Architecture,
    to: &'a Architecture,
    noise: Noise,
}

impl Job<'_> {
    fn old(&self, section: Section) -> &[i16] {
        bytemuck::cast_slice(self.input.section(section))
    }

    fn pieces(&mut self, out: &mut PayloadWriter) -> std::io::Result<()> {
        let mut row = vec![0; self.to.width];
        for number in 0..self.from.piece_rows() {
            let (old, new) = row.split_at_mut(self.from.width);
            old.copy_from_slice(&self.old(Section::Pieces)[number * old.len()..][..old.len()]);
            self.noise.fill(new, PIECE_NOISE);
            out.put(&row)?;
        }
        Ok(())
    }

    fn threats(&mut self, out: &mut PayloadWriter) -> std::io::Result<()> {
        if !self.to.has_threats() {
            return Ok(());
        }
        let mut zero_left = THREAT_ROWS * ZERO_PERCENT / 100;
        let mut row = vec![0; self.to.width];
        for number in 0..THREAT_ROWS {
            let new = &mut row[self.from.width..];
            if (self.noise.below((THREAT_ROWS - number) as u32) as usize) < zero_left {
                zero_left -= 1;
                new.fill(0);
            } else {
                self.noise.fill(new, THREAT_NOISE);
                if self.noise.below(100) == 0 {
                    self.large_values(new);
                }
            }
            out.put(&row)?;
        }
        Ok(())
    }

    /// Puts one to eight values beyond the range of 8 bits into a row.
    fn large_values(&mut self, row: &mut [i16]) {
        for _ in 0..=self.noise.below(8) {
            let size = 128 + self.noise.below(128) as i16;
            let negative = self.noise.below(2) == 1;
            let at = self.noise.below(row.len() as u32) as usize;
            row[at] = if negative { -size - 1 } else { size };
        }
    }

    fn bias(&mut self, out: &mut PayloadWriter) -> std::io::Result<()> {
        out.put(self.old(Section::Bias))?;
        let new: Vec<i16> = (self.from.width..self.to.width).map(|_| self.noise.bell(60) - 160).collect();
        out.put(&new)
    }

    fn layer2(&mut self, out: &mut PayloadWriter) -> std::io::Result<()> {
        let (old_width, width) = (self.from.width, self.to.width);
        for neuron in 0..self.to.hidden2 {
            let mut row = vec![0; 2 * width];
            for view in 0..2 {
                let part = &mut row[view * width..][..old_width];
                if neuron < self.from.hidden2 {
                    let at = (2 * neuron + view) * old_width;
                    part.copy_from_slice(&self.old(Section::Weights2)[at..][..old_width]);
                } else {
                    self.noise.fill(part, LAYER_NOISE);
                }
            }
            out.put(&row)?;
        }
        let bias: Vec<i32> = bytemuck::allocation::pod_collect_to_vec(self.input.section(Section::Bias2));
        out.put(&padded(&bias, self.to.hidden2))
    }

    fn layer3(&mut self, out: &mut PayloadWriter) -> std::io::Result<()> {
        for neuron in 0..self.to.hidden3 {
            let mut row = vec![0; self.to.hidden2];
            if neuron < self.from.hidden3 {
                let old = self.from.hidden2;
                row[..old].copy_from_slice(&self.old(Section::Weights3)[neuron * old..][..old]);
            } else {
                self.noise.fill(&mut row, LAYER_NOISE);
            }
            out.put(&row)?;
        }
        let bias: Vec<i32> = bytemuck::allocation::pod_collect_to_vec(self.input.section(Section::Bias3));
        out.put(&padded(&bias, self.to.hidden3))
    }
}

/// `values` with zeros up to `len`.
fn padded<T: Copy + Default>(values: &[T], len: usize) -> Vec<T> {
    let mut padded = values.to_vec();
    padded.resize(len, T::default());
    padded
}

#[cfg(test)]
mod tests;

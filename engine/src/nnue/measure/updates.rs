//! Accumulator updates with the rows that moves ask for.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use super::{Game, Reads, Step, Traffic};
use crate::huge::HugeTable;
use crate::nnue::accumulator::frame::{Frame, changed_squares};
use crate::nnue::accumulator::ground::{Ground, Nothing};
use crate::nnue::accumulator::parts::{Part, Pieces, RowLists, Threats};
use crate::nnue::accumulator::sums::fetch;
use crate::nnue::aligned::Aligned;
use crate::nnue::kernels::{Kernels, Rows, Simd};
use crate::nnue::network::Network;
use crate::position::{Color, Position};

/// Accumulators that the updates go through in turn: both views' of a dozen plies.
const SUMS: usize = 24;
/// What is left of them, and of the rows, where nothing but instructions shall take time.
const NEAR_SUMS: usize = 2;
const NEAR_ROWS: u32 = 4;

/// Updates of one part, made one after the other.
pub struct Updates {
    network: Arc<Network>,
    tables: Tables,
    lists: Lists,
    sums: Vec<Aligned<i16>>,
}

impl Updates {
    /// The piece rows that each step changes, for both views. A view whose rows all change is left out.
    pub fn pieces(network: &Arc<Network>, steps: &[Step]) -> Self {
        Self::new(network, Tables::Pieces, changes::<Pieces>(network, steps))
    }

    /// The threat rows that each step changes, likewise.
    pub fn threats(network: &Arc<Network>, steps: &[Step]) -> Self {
        Self::new(network, Tables::Threats, changes::<Threats>(network, steps))
    }

    /// All piece rows of each position, for both views.
    pub fn piece_rebuilds(network: &Arc<Network>, positions: &[Position]) -> Self {
        Self::new(network, Tables::Pieces, rebuilds::<Pieces>(network, positions))
    }

    /// All threat rows of each position, likewise.
    pub fn threat_rebuilds(network: &Arc<Network>, positions: &[Position]) -> Self {
        Self::new(network, Tables::Threats, rebuilds::<Threats>(network, positions))
    }

    /// The piece rows that the values of all positions of the games take, view changes included.
    pub fn pieces_along(network: &Arc<Network>, games: &[Game]) -> Self {
        Self::new(network, Tables::Pieces, along::<Pieces>(network, games))
    }

    /// The threat rows, likewise.
    pub fn threats_along(network: &Arc<Network>, games: &[Game]) -> Self {
        Self::new(network, Tables::Threats, along::<Threats>(network, games))
    }

    fn new(network: &Arc<Network>, tables: Tables, lists: Lists) -> Self {
        let width = network.architecture().width;
        let sums = (0..SUMS).map(|_| Aligned::zeros(width)).collect();
        Self { network: Arc::clone(network), tables, lists, sums }
    }

    /// The same threat rows, all of them out of a 16-bit table: as in a build without `threats-i8`.
    ///
    /// # Errors
    /// The system has no memory for the table.
    pub fn sixteen_bit(self) -> io::Result<Self> {
        let width = self.network.architecture().width;
        let (wide, narrow) = self.tables.of(&self.network);
        let mut table = HugeTable::zeroed("measured rows", narrow.len() + wide.len())?;
        let (widened, behind) = table.split_at_mut(narrow.len());
        widened.iter_mut().zip(narrow).for_each(|(to, &value)| *to = value.into());
        behind.copy_from_slice(wide);
        let before = (narrow.len() / width) as u32;
        let all = |wide: &[u32], narrow: &[u32]| -> Vec<u32> {
            wide.iter().map(|row| before + row).chain(narrow.iter().copied()).collect()
        };
        let mut lists = Lists::default();
        for [added, removed, narrow_added, narrow_removed] in self.lists.iter() {
            lists.push([&all(added, narrow_added), &all(removed, narrow_removed), &[], &[]]);
        }
        Ok(Self { tables: Tables::Copied(table), lists, ..self })
    }

    /// As many rows in as many updates, all in the nearest cache: what is left of the time is the instructions'.
    #[must_use]
    pub fn near(mut self) -> Self {
        self.lists.rows.iter_mut().for_each(|row| *row %= NEAR_ROWS);
        self.sums.truncate(NEAR_SUMS);
        self
    }

    /// Number of updates.
    pub fn len(&self) -> usize {
        self.lists.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lists.ends.is_empty()
    }

    /// Rows of all updates.
    pub fn rows(&self) -> usize {
        self.lists.rows.len()
    }

    /// Makes all updates. Each one's rows are fetched while the one before is made, as in a search.
    pub fn run(&mut self, simd: Simd) -> i16 {
        let kernels = Kernels::new(simd);
        let width = self.network.architecture().width;
        let tables = self.tables.of(&self.network);
        let mut updates = self.lists.iter().map(|lists| rows(tables, lists));
        let (mut next, mut source) = (updates.next(), 0);
        while let Some((wide, narrow)) = next {
            next = updates.next();
            if let Some((wide, narrow)) = next {
                fetch(wide, width);
                fetch(narrow, width);
            }
            let target = (source + 1) % self.sums.len();
            if let Ok([from, to]) = self.sums.get_disjoint_mut([source, target]) {
                kernels.update(from, to, wide, narrow);
            }
            source = target;
        }
        self.sums[source][0]
    }

    /// What [`run`](Self::run) moves.
    pub fn traffic(&self) -> Traffic {
        let width = self.network.architecture().width;
        let (mut wide, mut narrow) = (Vec::new(), Vec::new());
        for lists in self.lists.iter() {
            wide.extend(lists[..2].concat());
            narrow.extend(lists[2..].concat());
        }
        let bytes = |wide: usize, narrow: usize| 2 * width * wide + width * narrow;
        let distinct = |rows: &[u32]| rows.iter().collect::<HashSet<_>>().len();
        Traffic {
            rows: bytes(wide.len(), narrow.len()),
            sums: 2 * 2 * width * self.len(),
            weights: 0,
            working_set: bytes(distinct(&wide), distinct(&narrow)) + 2 * width * self.sums.len(),
        }
    }

    /// The rows that [`run`](Self::run) reads: one place for each in 8 bits, two for each in 16.
    pub fn reads(&self) -> Reads {
        let places = self.reads_of_each().flatten().collect();
        Reads { length: self.network.architecture().width, places }
    }

    /// The places of each update.
    pub(super) fn reads_of_each(&self) -> impl Iterator<Item = Vec<usize>> {
        let width = self.network.architecture().width;
        let behind = self.tables.of(&self.network).1.len();
        self.lists.iter().map(move |[wide_added, wide_removed, narrow_added, narrow_removed]| {
            let wide = wide_added.iter().chain(wide_removed).map(|&row| behind + row as usize * 2 * width);
            let narrow = narrow_added.iter().chain(narrow_removed).map(|&row| row as usize * width);
            wide.flat_map(|place| [place, place + width]).chain(narrow).collect()
        })
    }
}

/// Where the rows are read.
enum Tables {
    Pieces,
    Threats,
    /// A 16-bit table only.
    Copied(HugeTable<i16>),
}

impl Tables {
    /// The 16-bit and the 8-bit table.
    fn of<'a>(&'a self, network: &'a Network) -> (&'a [i16], &'a [i8]) {
        match self {
            Self::Pieces => Pieces::tables(network),
            Self::Threats => Threats::tables(network),
            Self::Copied(table) => (table, &[]),
        }
    }
}

fn rows<'a>((wide, narrow): (&'a [i16], &'a [i8]), lists: [&'a [u32]; 4]) -> (Rows<'a, i16>, Rows<'a, i8>) {
    let [wide_added, wide_removed, narrow_added, narrow_removed] = lists;
    (
        Rows { table: wide, added: wide_added, removed: wide_removed },
        Rows { table: narrow, added: narrow_added, removed: narrow_removed },
    )
}

/// The row lists of many updates, packed: added and removed rows of the 16-bit table, then of the 8-bit one.
#[derive(Default)]
struct Lists {
    rows: Vec<u32>,
    ends: Vec<[usize; 4]>,
}

impl Lists {
    fn push(&mut self, lists: [&[u32]; 4]) {
        self.ends.push(lists.map(|list| {
            self.rows.extend_from_slice(list);
            self.rows.len()
        }));
    }

    /// Appends what the engine has listed.
    fn take(&mut self, lists: &RowLists) {
        let (wide, narrow) = lists.rows((&[], &[]));
        self.push([wide.added, wide.removed, narrow.added, narrow.removed]);
    }

    fn iter(&self) -> impl Iterator<Item = [&[u32]; 4]> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|ends| ends[3]));
        starts.zip(&self.ends).map(|(start, &[a, b, c, d])| {
            [&self.rows[start..a], &self.rows[a..b], &self.rows[b..c], &self.rows[c..d]]
        })
    }
}

fn frame_after(network: &Network, step: &Step) -> Frame {
    let mut frame = Frame::new(&step.before, network.architecture());
    frame.enter(&step.after, changed_squares(step.played), network.architecture());
    frame
}

fn changes<P: Part>(network: &Network, steps: &[Step]) -> Lists {
    let (mut all, mut lists) = (Lists::default(), Box::<RowLists>::default());
    for step in steps {
        let before = Frame::new(&step.before, network.architecture());
        let mut frame = frame_after(network, step);
        for view in Color::ALL {
            if P::same_rows(before.views[view.index()], frame.views[view.index()]) {
                P::changed_rows(network, &step.before, &mut frame, view, &mut lists);
                all.take(&lists);
            }
        }
    }
    all
}

fn rebuilds<P: Part>(network: &Network, positions: &[Position]) -> Lists {
    let (mut all, mut lists) = (Lists::default(), Box::<RowLists>::default());
    let nothing = Nothing::<P>::new(network);
    for position in positions {
        let frame = Frame::new(position, network.architecture());
        for view in Color::ALL {
            nothing.rows(network, &frame, view, &mut lists);
            all.take(&lists);
        }
    }
    all
}

fn along<P: Part>(network: &Network, games: &[Game]) -> Lists {
    let (mut all, mut lists) = (Lists::default(), Box::<RowLists>::default());
    let mut ground = P::Ground::new(network);
    // Only the lists matter: which sums they lead to does not.
    let sums = vec![0; network.architecture().width];
    for game in games {
        let mut before = Frame::new(&game.start, network.architecture());
        for view in Color::ALL {
            ground.rows(network, &before, view, &mut lists);
            ground.keep(&before, view, &sums);
            all.take(&lists);
        }
        for step in &game.steps {
            let mut frame = frame_after(network, step);
            for view in Color::ALL {
                if P::same_rows(before.views[view.index()], frame.views[view.index()]) {
                    P::changed_rows(network, &before.position, &mut frame, view, &mut lists);
                } else {
                    ground.rows(network, &frame, view, &mut lists);
                    ground.keep(&frame, view, &sums);
                }
                all.take(&lists);
            }
            before = frame;
        }
    }
    all
}

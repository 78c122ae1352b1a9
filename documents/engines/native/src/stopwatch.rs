//! Times steps while costing next to nothing: the clock takes longer than the quickest engines' edits, so it is read once
//! for several of them. The same numbers as in `documents/replay/stopwatch.ts`.

use std::time::{Duration, Instant};

/// The clock takes about 25 ns.
const STEPS_PER_READING: usize = 8;
/// A point of the curve stands for so many steps, or for more where there would be more points than that.
const STEPS_PER_POINT: usize = 1000;
const MOST_POINTS: usize = 400;

pub struct Stopwatch {
    count: usize,
    limit: Duration,
    done: usize,
    /// The clock is read before the step of this number.
    next_reading: usize,
    per_point: usize,
    point_from: usize,
    started: Instant,
    point_started: Instant,
    read: Instant,
    worst: Duration,
    curve: Curve,
}

#[derive(Default)]
pub struct Curve {
    /// The number of steps at each point's end.
    pub ends: Vec<usize>,
    /// Time of one step there.
    pub microseconds: Vec<f64>,
}

impl Stopwatch {
    /// For so many steps, of which none begins after `limit`. It runs from the first `goes_on`.
    pub fn new(count: usize, limit: Duration) -> Self {
        let now = Instant::now();
        let evenly = count.div_ceil(MOST_POINTS).next_multiple_of(STEPS_PER_READING);
        Stopwatch {
            count,
            limit,
            done: 0,
            next_reading: 0,
            per_point: evenly.max(STEPS_PER_POINT),
            point_from: 0,
            started: now,
            point_started: now,
            read: now,
            worst: Duration::ZERO,
            curve: Curve::default(),
        }
    }

    /// Asked before each step, and once after the last: whether there is another, and time for it.
    #[inline]
    pub fn goes_on(&mut self) -> bool {
        if self.done == self.next_reading && !self.read_clock() {
            return false;
        }
        self.done += 1;
        true
    }

    #[inline(never)]
    fn read_clock(&mut self) -> bool {
        let now = Instant::now();
        if self.done == 0 {
            self.started = now;
            self.point_started = now;
        } else {
            self.worst = self.worst.max(now - self.read);
        }
        self.read = now;
        let steps = self.done - self.point_from;
        if steps == self.per_point || (self.done == self.count && steps > 0) {
            self.curve.ends.push(self.done);
            self.curve.microseconds.push(1e6 * (now - self.point_started).as_secs_f64() / steps as f64);
            self.point_from = self.done;
            self.point_started = now;
        }
        self.next_reading = self.count.min(self.done + STEPS_PER_READING);
        self.done < self.count && now - self.started <= self.limit
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// How many steps were made in time.
    pub fn done(&self) -> usize {
        self.done
    }

    /// From before the first step to after the last.
    pub fn total(&self) -> Duration {
        self.read - self.started
    }

    /// Of the slowest `STEPS_PER_READING` steps in a row: no single step took longer.
    pub fn worst(&self) -> Duration {
        self.worst
    }

    pub fn curve(&self) -> &Curve {
        &self.curve
    }
}

/** The scenario `typing`: people type into one document at once. Browser-safe. */
import { figuresIn, HEADLINE_FIGURES, MEASURED_FIGURES, SUMMARY_FIGURES } from '../figures/catalogue.ts';
import { EDIT_RATE } from '../figures/company-figures.ts';
import { BUSY_MACHINE_PERCENT } from '../figures/criterion.ts';
import { isHeadline, type Place } from '../figures/figure.ts';
import { BUSY_MARK, formatFigureOf, formatHeadline, NOTHING } from '../figures/figure-text.ts';
import { roundFigure } from '../statistics/quantile.ts';
import type { Scenario } from './scenario.ts';

/** Tables that are made of the trials' own figures. */
const OF_TRIALS: readonly Place[] = ['scaling', 'readers', 'store', 'servers'];

export const scenario: Scenario = {
  name: 'typing',
  title: null,
  parameters: [
    { name: 'framework', short: ['', 'framework'], flag: '--frameworks' },
    { name: 'mode', short: ['', 'mode'], flag: '--modes' },
    { name: 'users', short: ['', 'users'], unit: 'users', one: 'user', flag: '--users' },
  ],
  figures: SUMMARY_FIGURES,
  withIntervals: HEADLINE_FIGURES,
  ofTrials: MEASURED_FIGURES.filter(
    (figure) => isHeadline(figure) || figure === EDIT_RATE || figure.places.some((place) => OF_TRIALS.includes(place)),
  ),
  inTable: figuresIn('terminal'),
  compared: HEADLINE_FIGURES,
  growing: figuresIn('scaling'),
  curves: [],
  // Each line ends where an item does.
  legend: [
    "throughput: edits typed, of those that fell due · local: from a sigil's last key to its showing on the own screen",
    "end-to-end: to its showing on another's screen · sigils arr.: shown on the others' screens, of those that nobody broke",
    "CPU: percent of one core, the user's per user · MiB: per user · busy: all cores of the machine together",
    `${BUSY_MARK}: the machine was over ${BUSY_MACHINE_PERCENT} % busy, so the latency is partly its own · document: its characters in the end`,
    "fully funct.: fully functional, by the paper's criterion · smooth: by this project's, stricter one",
    "less batch: to another's screen from when the sender's client sent what it had gathered, of what a crowd typed",
    `n: valid trials · held once: in the only trial · p50, p95: median, 95th percentile · ${NOTHING}: not measured, or too few samples`,
  ],
  foot: [],
  shortLegend: [
    "local, end-to-end: from a marker's last key to the own screen, to another's",
    `CPU: percent of one core · MiB: per user · ${NOTHING}: not measured, or too few samples`,
    `n: valid trials · ${BUSY_MARK}: the machine was over ${BUSY_MACHINE_PERCENT} % busy: partly its own`,
  ],
  isTyping: true,
  round: (value) => roundFigure(value),
  roundOfTrial: (value) => roundFigure(value),
  text: formatFigureOf,
  textWithin: formatHeadline,
};

/** The project's last calibration in Markdown. */

import { markdownTable } from '../../analysis/tables/render.ts';
import type { Calibration, CalibrationRow } from '../../results/formats/calibration.ts';

/** What was injected beside what each mode measured, and what the missed bounds rest on. */
export function calibrationMarkdown({ startedAt, full, machine, rows }: Calibration): string {
  const modes = [...new Set(rows.map(({ mode }) => mode))];
  const groups = [...Map.groupBy(rows, ({ name, injected }) => `${name} ${injected}`).values()];
  const missed = rows.filter(({ withinBound }) => !withinBound);
  const { cpu, cores, chrome, calmestPercent, busiestPercent } = machine;
  const date = new Date(startedAt).toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  });
  const busy =
    calmestPercent === null || busiestPercent === null
      ? ''
      : `; all cores together were ${calmestPercent.toFixed(0)} to ${busiestPercent.toFixed(0)} % busy`;
  return [
    `\`./scriptorium calibrate${full ? ' --full' : ''}\`, ${full ? 'three trials' : 'one trial'} of each, ${date}, on ${cores} cores of ${cpu} (${chrome ?? 'an unknown Chrome'})${busy}. ${rows.length - missed.length} of ${rows.length} bounds held.`,
    markdownTable(
      ['figure', 'injected', 'bound', ...modes, 'unit'],
      groups.map((group) => [
        group[0]!.name,
        text(group[0]!.injected),
        boundOf(group),
        ...modes.map((mode) => measuredIn(mode, group)),
        group[0]!.unit,
      ]),
    ),
    ...(missed.length === 0 ? [] : [missed.map(describeMissed).join('\n')]),
  ].join('\n\n');
}

/** Of several modes, whose clocks are known unlike well, the widest. */
function boundOf(rows: readonly CalibrationRow[]): string {
  return `${text(Math.min(...rows.map(({ from }) => from)))} to ${text(Math.max(...rows.map(({ to }) => to)))}`;
}

function measuredIn(wanted: string, rows: readonly CalibrationRow[]): string {
  const row = rows.find(({ mode }) => mode === wanted);
  if (row === undefined) return '';
  return `${row.measured === null ? '–' : text(row.measured)}${row.withinBound ? '' : ' (missed)'}`;
}

function describeMissed({ name, mode, because, reasons }: CalibrationRow): string {
  const why = reasons.length === 0 ? '' : ` Not measured: ${reasons.join('; ')}.`;
  return `- missed: ${name}, \`${mode}\`. The bound: ${because}.${why}`;
}

function text(value: number): string {
  return value.toFixed(1);
}

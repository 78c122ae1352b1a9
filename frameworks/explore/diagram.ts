/** A picture of a world's messages: a line of life for each user and server, time downwards, an arrow for each message. */
import type { Diagram } from './story.ts';

const COLUMN = { width: 220, left: 110 };
const ROW = { height: 22, top: 60 };
/** More arrows nobody follows. */
const MOST_MESSAGES = 60;
const LABEL_CHARACTERS = 34;
const STYLE =
  'text{font:12px sans-serif;fill:#222}.t{fill:#777;font-size:10px}line{stroke:#999}.m{stroke:#0072b2}.l{stroke:#c23b06;stroke-dasharray:4 3}.x{fill:#c23b06;font-weight:bold}';

/** @returns an SVG file */
export function drawDiagram({ names, notes, messages }: Diagram): string {
  const shown = messages.slice(0, MOST_MESSAGES);
  const untilMs = messages[MOST_MESSAGES]?.sentMs ?? Number.POSITIVE_INFINITY;
  const shownNotes = notes.filter(({ atMs }) => atMs <= untilMs);
  // Instants in equal steps: most of the time nothing happens.
  const instants = [
    ...new Set([
      ...shownNotes.map(({ atMs }) => atMs),
      ...shown.flatMap(({ sentMs, arrivesMs }) => [sentMs, arrivesMs]),
    ]),
  ].sort((a, b) => a - b);
  const rows = new Map(instants.map((ms, row) => [ms, ROW.top + row * ROW.height]));
  const x = (name: string) => COLUMN.left + names.indexOf(name) * COLUMN.width;
  const height = ROW.top + instants.length * ROW.height + 20;
  const arrows = shown.map(({ from, to, sentMs, arrivesMs, isLost }) =>
    arrow([x(from), rows.get(sentMs)!], [x(to), rows.get(arrivesMs)!], isLost),
  );
  const labels = shownNotes.map(({ atMs, who, text }) => label(x(who) + 4, rows.get(atMs)! - 3, text));
  const rest = messages.length - shown.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${COLUMN.left + names.length * COLUMN.width}" height="${height}">`,
    `<style>${STYLE}</style><defs><marker id="a" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0,0L8,4L0,8z" fill="#0072b2"/></marker></defs>`,
    ...names.map((name) => `<text x="${x(name)}" y="24" text-anchor="middle">${escaped(name)}</text>`),
    ...names.map((name) => `<line x1="${x(name)}" y1="32" x2="${x(name)}" y2="${height - 16}"/>`),
    ...instants.map((ms) => `<text class="t" x="4" y="${rows.get(ms)! + 3}">${ms.toFixed(1)} ms</text>`),
    ...arrows,
    ...labels,
    ...(rest > 0 ? [`<text class="t" x="4" y="${height - 4}">and ${rest} messages more</text>`] : []),
    '</svg>',
    '',
  ].join('\n');
}

type Point = [x: number, y: number];

/** A message that is lost ends on its way. */
function arrow([x1, y1]: Point, [x2, y2]: Point, isLost: boolean): string {
  if (!isLost) return `<line class="m" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" marker-end="url(#a)"/>`;
  const [x, y] = [x1 + 0.6 * (x2 - x1), y1 + 0.6 * (y2 - y1)];
  return `<line class="l" x1="${x1}" y1="${y1}" x2="${x}" y2="${y}"/><text class="x" x="${x - 4}" y="${y + 4}">×</text>`;
}

function label(x: number, y: number, text: string): string {
  const short = text.length > LABEL_CHARACTERS ? `${text.slice(0, LABEL_CHARACTERS)}…` : text;
  return `<text x="${x}" y="${y}">${escaped(short)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

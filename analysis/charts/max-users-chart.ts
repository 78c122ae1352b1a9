/** How many users each framework carries, as an SVG file: a bar up to the most that held, and how far it may reach. */
import { html, Markup } from '../tables/markup.ts';
import { formatTick } from './numbers.ts';
import { assignStyles, type Colours } from './palette.ts';

/** What the chart shows of a framework. */
interface CarriedUsers {
  framework: string;
  largestHeld: number | null;
  end: { users: number; outcome: 'missed' | 'unknown' } | null;
}

const NAME_PX = 140;
const PLOT_PX = 480;
/** For the number at the end of a bar. */
const RIGHT_PX = 140;
const ROW_PX = 30;
const BAR_PX = 14;
const TOP_PX = 44;
const BOTTOM_PX = 26;
const TICKS = 5;

/** The same data give the same bytes. Light, for a page or a paper. */
export function maxUsersChart(
  carried: readonly CarriedUsers[],
  { title, colours = {} }: { title: string; colours?: Colours },
): Markup {
  const styles = assignStyles([...new Set(carried.map(({ framework }) => framework))], colours);
  const most = Math.max(1, ...carried.flatMap(({ largestHeld, end }) => [largestHeld ?? 0, end?.users ?? 0]));
  const at = (users: number) => NAME_PX + (PLOT_PX * users) / most;
  const height = TOP_PX + ROW_PX * carried.length + BOTTOM_PX;
  const width = NAME_PX + PLOT_PX + RIGHT_PX;
  const ticks = [...new Set(Array.from({ length: TICKS }, (_, index) => Math.round((most * index) / (TICKS - 1))))];
  const chart = html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#20242b" role="img">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="8" y="20" font-size="14" font-weight="bold">${title}</text>
${ticks.map(
  (
    tick,
  ) => html`<line x1="${at(tick)}" x2="${at(tick)}" y1="${TOP_PX - 8}" y2="${height - BOTTOM_PX}" stroke="#dfe3e8"/>
<text x="${at(tick)}" y="${height - 8}" text-anchor="middle" fill="#5b6470">${formatTick(tick)}</text>
`,
)}${carried.map((each, row) => barOf(each, { top: TOP_PX + ROW_PX * row, at, colour: styles.get(each.framework)!.light }))}</svg>
`;
  return new Markup(`<?xml version="1.0" encoding="UTF-8"?>\n${chart.text}`);
}

/** The bar is what held; the bracket beside it ends where it did not hold, and is dashed where that is not known. */
function barOf(
  { framework, largestHeld, end }: CarriedUsers,
  { top, at, colour }: { top: number; at: (users: number) => number; colour: string },
): Markup {
  const middle = top + BAR_PX / 2;
  const held = largestHeld ?? 0;
  const reach = Math.max(at(held), at(end?.users ?? 0));
  const dash = end?.outcome === 'unknown' ? html` stroke-dasharray="3 3"` : null;
  const bracket =
    end === null
      ? null
      : html`<path d="M ${at(held)} ${middle} H ${at(end.users)} M ${at(end.users)} ${top} V ${top + BAR_PX}" stroke="#20242b" stroke-width="1.5" fill="none"${dash}/>
`;
  return html`<text x="${NAME_PX - 8}" y="${middle + 4}" text-anchor="end">${framework}</text>
<rect x="${NAME_PX}" y="${top}" width="${at(held) - NAME_PX}" height="${BAR_PX}" fill="${colour}"/>
${bracket}<text x="${reach + 6}" y="${middle + 4}">${labelOf(largestHeld, end)}</text>
`;
}

function labelOf(largestHeld: number | null, end: CarriedUsers['end']): string {
  const isCertain = end?.outcome === 'missed';
  if (largestHeld === null) return isCertain ? `fewer than ${end.users}` : 'not known';
  return isCertain ? `${largestHeld}` : `≥ ${largestHeld}`;
}

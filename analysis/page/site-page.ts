/** The site of all kept runs as a page, before its script fills it: tabs, choices, rows, capabilities, and how to read it all. Browser-safe. */
import { type Content, html } from '../tables/markup.ts';
import type { CaptionedTable } from '../tables/table.ts';
import { choices, type PageFiles, renderPage, tableSection } from './shell.ts';

export type Capabilities = Omit<CaptionedTable<Content>, 'id'>;

/** @param packed the page's data, as `packData` gives them */
export function sitePage(packed: string, capabilities: Capabilities, { style, script }: PageFiles): string {
  return renderPage({
    ...{ style, script },
    title: 'Results',
    lines: ['How many people can type into one document at once, with which framework, and what it costs them.'],
    nav: [],
    sections: [SITE, tableSection({ id: 'capabilities', ...capabilities }, IN_TAB)],
    data: packed,
  });
}

const IN_TAB = { className: 'capabilities', attributes: html` data-tab="capabilities" hidden` };

const READING = html`
<details class="reading"><summary>How to read this, and how to be misled</summary>
<div class="columns"><div><h3>How to read</h3><ul>
  <li>A row is a cell: one framework, mode and number of users, over several trials. Open it for its command, data and code.</li>
  <li>In each figure the large point pools all valid trials. The pale bar is the 95 % interval over trials; small points
  are the trials themselves, if the run kept them. The dashed line is the bound of “fully functional”.</li>
  <li>✓ fully functional: throughput at least 98 %, medians at most 100 ms on the own screen and 3 s on others’, 95th
  percentiles at most twice those. ≈ smooth, the stricter criterion. ✗ a bound is missed, ! no valid trial, ? not known.</li>
  <li>≥ 112: the most users who held, and no larger number was tried that missed a bound. 16 ?: the trials do not settle it.
  °: beside a played crowd, which was not shown to equal live users in every figure.
  * behind a figure: the last calibration missed its bound on it; ! behind a latency: the machine was busy, so it is partly its own.
  ! beside a name: the machines of its blocks differ in speed; the opened row says how much.</li>
  <li>Every filter, order and open row is in the page’s address: send it, and others see the same.</li>
</ul></div><div><h3>How to be misled</h3><ul>
  <li>Comparing rows of different runs: machine, duration, trace and typing differ. A line above the table says so.</li>
  <li>Comparing frameworks over the same relay with those that bring their own server: the servers do different work.</li>
  <li>Reading a difference within overlapping intervals as a difference. Three trials prove little.</li>
  <li>Taking few users on one machine for your users: clients and server share its cores here, and no network lies between.</li>
  <li>Looking at valid rows only: a framework that fails its trials then seems to have none.</li>
  <li>Choosing by one figure. Ask each question, then look at capabilities and known issues (⚠).</li>
</ul></div></div></details>`;

const SITE = html`
<noscript><p class="note">The table and its filters need JavaScript. The data of each run lies in the folder <code>runs</code>.</p></noscript>
<nav id="tabs" aria-label="Tabs"></nav>
${READING}
<section id="figures" aria-label="Rows">${choices()}</section>`;

/** The whole page around its sections, for a report and for the site. */
import { type Content, html, Markup, scriptJson } from '../tables/markup.ts';
import { renderHtml } from '../tables/render.ts';
import type { CaptionedTable } from '../tables/table.ts';

/** The page may load nothing, from anywhere: what it needs is in it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

export interface PageFiles {
  style: string;
  script: string;
  /** docs/glossary.md */
  glossary: string;
}

interface PageParts extends Omit<PageFiles, 'glossary'> {
  /** Above everything, and in the title of the window. */
  title: string;
  /** Below the title: what was run, when, on what. */
  lines: readonly Content[];
  nav: readonly (readonly [id: string, name: string])[];
  sections: Content;
  /** For the script, in the element `#report-data`. */
  data: unknown;
}

/** Renders a page. The same parts give the same bytes. */
export function renderPage({ title, lines, nav, sections, data, style, script }: PageParts): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: Scriptorium</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style>
</head>
<body>
<header>
  <p class="brand">Scriptorium</p>
  <h1>${title}</h1>
  ${lines.map((line) => html`<p class="run-line">${line}</p>`)}
  ${nav.length === 0 ? null : html`<nav aria-label="Sections">${nav.map(([id, name]) => html`<a href="#${id}">${name}</a> `)}</nav>`}
</header>
<main>
${sections}
</main>
<script type="application/json" id="report-data">${scriptJson(data)}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.text;
}

/** Where the script lets a reader choose: questions, filters, charts and rows. */
export function choices(): Markup {
  return html`
<nav id="questions" aria-label="Questions"></nav>
<div id="filters" class="filters"></div>
<div class="panels" id="chart-panels"></div>
<div id="rows" aria-live="polite"></div>`;
}

/** @param attributes of the element, if not its id alone */
export function section(id: string, title: string, content: Content, attributes = html` id="${id}"`): Markup {
  return html`
<section${attributes} aria-labelledby="${id}-title">
  <h2 id="${id}-title">${title}</h2>
  ${content}
</section>`;
}

export function tableSection(
  { id, title, notes, ...table }: CaptionedTable<Content>,
  { className, attributes }: { className?: string; attributes?: Markup } = {},
): Markup {
  const content = html`${scroll({ labelledBy: `${id}-title` }, renderHtml(table, { className }))}
  ${notes.map((note) => html`<p class="note">${note}</p>`)}`;
  return section(id, title, content, attributes);
}

/** A frame for wide content, which scrolls by itself, by keyboard too. */
export function scroll(name: { labelledBy: string } | { label: string }, wide: Markup): Markup {
  const named = 'label' in name ? html`aria-label="${name.label}"` : html`aria-labelledby="${name.labelledBy}"`;
  return html`<div class="scroll" tabindex="0" role="region" ${named}>${wide}</div>`;
}

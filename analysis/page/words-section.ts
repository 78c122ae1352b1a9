/** The glossary at the end of a report, and links to its entries. */
import { html, type Markup } from '../tables/markup.ts';
import { section } from './shell.ts';

const ROW = /^\| (\S[^|]*?) +\| (.*?) +\|$/;

/** @param glossary docs/glossary.md: each of its words gets an id that `wordLink` leads to */
export function wordsSection(glossary: string): Markup {
  const rows = glossary.split('\n').flatMap((line) => {
    const [, word, meaning] = ROW.exec(line) ?? [];
    return word === undefined || word === 'word' || /^-+$/.test(word) ? [] : [{ word, meaning: plain(meaning!) }];
  });
  const words = rows.map(
    ({ word, meaning }) => html`<div id="${idOf(word)}"><dt>${word}</dt><dd>${meaning}</dd></div>`,
  );
  return section('words', 'Words', html`<div class="columns"><dl>${words}</dl></div>`);
}

/** Without links, whose targets are not beside a report, and without code marks. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}

function idOf(word: string): string {
  return `word-${word.replaceAll(/\W+/g, '-')}`;
}

/** A word that leads to its entry. @param text the word as it stands in its sentence, if that is another form */
export function wordLink(word: string, text: string = word): Markup {
  return html`<a class="word" href="#${idOf(word)}">${text}</a>`;
}

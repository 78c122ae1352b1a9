/** Tables in Markdown, as tests read them. */

/** The rows of all tables of a text, with their headings and the lines below these; each as the texts of its cells. */
export function rowsOf(markdown: string): string[][] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((text) => text.trim()),
  );
}

/** The part of a text that does not depend on how the formatter pads the columns of tables. */
export function withoutPadding(text: string): string {
  return text.replaceAll(/ +\|/g, ' |').replaceAll(/\| +/g, '| ').replaceAll(/-{2,}/g, '---');
}

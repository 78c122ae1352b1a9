/** HTML by tagged template: what is put in is escaped, unless it is markup itself. */

/** Text that is HTML already. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | null | readonly Content[];

/** `html`<p>${reason}</p>``: strings and numbers are escaped, null is nothing, lists are joined. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...values.map(textOf)));
}

/** A value for `<script type="application/json">`: no `<`, so that nothing in it can end the element. */
export function scriptJson(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'));
}

function textOf(content: Content): string {
  if (content === null) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return String(content).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

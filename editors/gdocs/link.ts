/** The form of a link to a Google Doc, and the kind of page that it led to. */
import { EDIT_MODE, KEY_FRAME, MODE_BUTTON, SCROLLER, STRETCH, TILE } from './parts.ts';

export const LINK_FORM = 'https://docs.google.com/document/d/<id>/edit';

/** The document's id, behind the account's number if there is one: `/document/u/0/d/<id>/edit`. */
const DOCUMENT_PATH = /^\/document\/(?:u\/\d+\/)?d\/([\w-]+)/;

/** True for the address of one Google Doc (not a Sheet, not a published copy, which nobody can edit). */
export function isDocumentLink(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host } = new URL(text);
  return protocol === 'https:' && host === 'docs.google.com' && !['e', null].includes(documentId(text));
}

/** The id in a link's path, null if it holds none; `e` stands in the links of published copies. */
export function documentId(link: string): string | null {
  return DOCUMENT_PATH.exec(new URL(link).pathname)?.[1] ?? null;
}

/** The visible state of the page outside its text. */
export interface Look {
  address: string;
  isLoaded: boolean;
  hasEditor: boolean;
  /** Null if no button tells the mode. */
  mode: 'editing' | 'not editing' | null;
  /** The text of the document, as far as it is drawn. */
  text: string;
}

/** Looks at the page that this process shows. */
export function lookAround(): Look {
  const has = (selector: string) => document.querySelector(selector) !== null;
  return {
    address: location.href,
    isLoaded: document.readyState === 'complete',
    hasEditor: [SCROLLER, TILE, KEY_FRAME].every(has),
    mode: has(EDIT_MODE) ? 'editing' : has(MODE_BUTTON) ? 'not editing' : null,
    text: [...document.querySelectorAll(STRETCH)].map((stretch) => stretch.getAttribute('aria-label')).join(''),
  };
}

/**
 * The reason why a user cannot type there; null if there is none.
 *
 * @param link where the page was opened
 * @param look the page's look once it had come to rest
 */
export function problemOf(link: string, look: Look): string | null {
  const { host, pathname } = new URL(look.address);
  if (host.startsWith('accounts.') || /signin|servicelogin/i.test(pathname)) {
    return 'Google asks for a sign-in: share the document with "Anyone with the link" as "Editor"';
  }
  if (leadsElsewhere(link, look)) {
    return `the link leads elsewhere, to ${host}${pathname}: give the address at which the document is edited`;
  }
  if (!look.hasEditor) {
    return 'the page shows no Google Doc: it is private, deleted, or none; share it with "Anyone with the link" as "Editor"';
  }
  if (look.mode === 'not editing') {
    return 'the document can only be viewed or commented: share it with "Anyone with the link" as "Editor"';
  }
  return null;
}

/** True if another page was opened than the document's. */
export function leadsElsewhere(link: string, { address }: Look): boolean {
  return new URL(address).host !== new URL(link).host || documentId(address) !== documentId(link);
}

/** The form of a link to a Google Doc. */

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

/** The little of `rich-text` 4.1 that is used here; the package comes without types. */
declare module 'rich-text' {
  import type { Type } from 'sharedb/lib/sharedb';

  const richText: { type: Type };
  export default richText;
}

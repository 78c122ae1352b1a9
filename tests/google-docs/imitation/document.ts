/**
 * The imitation's document: characters with names of their own, so that operations mean the same to whoever applies them
 * in the same order, wherever they were made.
 */

export interface Character {
  id: string;
  text: string;
  isDeleted: boolean;
  bold: boolean;
  italic: boolean;
}

export type Operation =
  | { kind: 'insert'; after: string | null; character: Character }
  | { kind: 'delete'; id: string }
  | { kind: 'format'; id: string; name: 'bold' | 'italic'; value: boolean }
  /** `id` is the line end that closes the paragraph; null: the last paragraph. */
  | { kind: 'block'; id: string | null; block: string };

export interface Paragraph {
  characters: Character[];
  block: string;
}

export interface ImitatedDocument {
  apply(operation: Operation): void;
  visible(): Character[];
  paragraphs(): Paragraph[];
  /** The last visible character up to this one, which may be deleted; null if there is none. */
  visibleUpTo(id: string | null): string | null;
}

export function createDocument(): ImitatedDocument {
  const characters: Character[] = [];
  const blocks = new Map<string | null, string>();
  const placeOf = (id: string | null) => characters.findIndex((character) => character.id === id);
  const visible = () => characters.filter(({ isDeleted }) => !isDeleted);

  return {
    apply(operation) {
      switch (operation.kind) {
        case 'insert':
          characters.splice(placeOf(operation.after) + 1, 0, { ...operation.character });
          return;
        case 'delete':
          characters[placeOf(operation.id)]!.isDeleted = true;
          return;
        case 'format':
          characters[placeOf(operation.id)]![operation.name] = operation.value;
          return;
        case 'block':
          blocks.set(operation.id, operation.block);
          return;
      }
    },
    visible,
    paragraphs() {
      const paragraphs: Paragraph[] = [];
      let open: Character[] = [];
      for (const character of visible()) {
        if (character.text === '\n') {
          paragraphs.push({ characters: open, block: blocks.get(character.id) ?? '' });
          open = [];
        } else open.push(character);
      }
      return [...paragraphs, { characters: open, block: blocks.get(null) ?? '' }];
    },
    visibleUpTo(id) {
      for (let place = placeOf(id); place >= 0; place--) {
        if (!characters[place]!.isDeleted) return characters[place]!.id;
      }
      return null;
    },
  };
}

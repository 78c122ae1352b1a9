/**
 * A toy of a library, for docs/your-library.md: a replicated growable array (Roh et al. 2011) of characters with formats. It
 * shows how a library is bound, and is not fast.
 */
import Delta, { type AttributeMap } from 'quill-delta';

type Content = string | Record<string, unknown>;

export type Op =
  | { kind: 'insert'; id: string; after: string; content: Content; format: AttributeMap }
  | { kind: 'delete'; id: string; of: string }
  | { kind: 'format'; id: string; of: string; key: string; value: unknown };

interface Item {
  id: string;
  content: Content;
  isDeleted: boolean;
  /** The last writer of each format wins: `at` is the id of its operation. */
  formats: Map<string, { value: unknown; at: string }>;
}

/** One user's text: each character names the one that it was typed behind. */
export class Toy {
  /** This user's operations that nobody has taken yet. */
  readonly pending: Op[] = [];
  private readonly replica = crypto.randomUUID();
  private clock = 0;
  /** All operations, for a saved state. */
  private readonly log: Op[] = [];
  private readonly known = new Set<string>();
  private readonly items: Item[] = [
    { id: '', content: '', isDeleted: true, formats: new Map() },
    { id: '0', content: '\n', isDeleted: false, formats: new Map() },
  ];

  static load(saved: readonly Op[]): Toy {
    const toy = new Toy();
    toy.receive(saved);
    return toy;
  }

  save(): readonly Op[] {
    return this.log;
  }

  contents(): Delta {
    const shown = this.items.filter(({ isDeleted }) => !isDeleted);
    return shown.reduce((all, item) => all.insert(item.content, formatOf(item)), new Delta());
  }

  /** Applies what this user did. */
  change(delta: Delta): void {
    let at = 0;
    const next = () => {
      do at++;
      while (this.items[at]!.isDeleted);
      return this.items[at]!.id;
    };
    for (const { insert, delete: deleted = 0, retain = 0, attributes = {} } of delta.ops) {
      for (let count = 0; count < deleted; count++) this.send({ kind: 'delete', id: this.newId(), of: next() });
      for (let count = 0; count < Number(retain); count++) {
        const of = next();
        for (const [key, value] of Object.entries(attributes)) {
          this.send({ kind: 'format', id: this.newId(), of, key, value });
        }
      }
      const contents = typeof insert === 'string' ? insert.split('') : insert === undefined ? [] : [insert];
      for (const content of contents) {
        const after = this.items[at++]!.id;
        this.send({ kind: 'insert', id: this.newId(), after, content, format: attributes });
      }
    }
  }

  /** Applies the others' operations, and returns the change of the text. */
  receive(ops: readonly Op[]): Delta {
    return ops.reduce((all, op) => all.compose(this.apply(op)), new Delta());
  }

  private send(op: Op): void {
    this.apply(op);
    this.pending.push(op);
  }

  private newId(): string {
    return `${String(this.clock + 1).padStart(9, '0')}-${this.replica}`;
  }

  private apply(op: Op): Delta {
    if (this.known.has(op.id)) return new Delta();
    this.known.add(op.id);
    this.log.push(op);
    this.clock = Math.max(this.clock, Number.parseInt(op.id, 10));
    const at = this.items.findIndex(({ id }) => id === (op.kind === 'insert' ? op.after : op.of));
    if (op.kind === 'insert') return this.insert(op, at + 1);
    const item = this.items[at]!;
    const wasDeleted = item.isDeleted;
    if (op.kind === 'delete') {
      item.isDeleted = true;
      return wasDeleted ? new Delta() : this.upTo(at).delete(1);
    }
    if ((item.formats.get(op.key)?.at ?? '') > op.id) return new Delta();
    item.formats.set(op.key, { value: op.value, at: op.id });
    return wasDeleted ? new Delta() : this.upTo(at).retain(1, { [op.key]: op.value });
  }

  /** Of two who typed at one place, the later one stands first. */
  private insert({ id, content, format }: Op & { kind: 'insert' }, from: number): Delta {
    let at = from;
    while (at < this.items.length && this.items[at]!.id > id) at++;
    const formats = Object.entries(format).map(([key, value]) => [key, { value, at: id }] as const);
    this.items.splice(at, 0, { id, content, isDeleted: false, formats: new Map(formats) });
    return this.upTo(at).insert(content, format);
  }

  /** Passes over the characters that show before an item. */
  private upTo(at: number): Delta {
    return new Delta().retain(this.items.slice(0, at).filter(({ isDeleted }) => !isDeleted).length);
  }
}

function formatOf({ formats }: Item): AttributeMap {
  return Object.fromEntries([...formats].flatMap(([key, { value }]) => (value === null ? [] : [[key, value]])));
}

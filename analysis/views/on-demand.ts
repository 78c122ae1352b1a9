/**
 * Tables, views, macros and types, each made when a statement first names it, or all that is left at once: to make all costs more
 * than most questions.
 */

/** A statement that creates something. */
interface Definition {
  name: string;
  sql: string;
  /** In the order in which the statements build on each other. */
  place: number;
}

export class OnDemand {
  readonly #run: (sql: string) => Promise<unknown>;
  readonly #keepsRows: boolean;
  readonly #waiting: Map<string, Definition[]>;
  #made: Promise<unknown> = Promise.resolve();

  /**
   * @param definitions SQL whose statements all create something, each after what it names
   * @param options.keepsRows true: a view is made as a table, unless it is made with all that is left. To plan a view again for each
   *   that names it takes longer than the rows of a small trial; those of a large one would fill memory.
   */
  constructor(
    definitions: string,
    run: (sql: string) => Promise<unknown>,
    { keepsRows = false }: { keepsRows?: boolean } = {},
  ) {
    this.#run = run;
    this.#keepsRows = keepsRows;
    this.#waiting = Map.groupBy(statementsOf(definitions), ({ name }) => name);
  }

  /** The names of the tables and views in the main schema that are not there yet. */
  waiting(): string[] {
    const definitions = [...this.#waiting.values()].flat();
    return definitions.filter(({ sql }) => /^CREATE (TABLE|VIEW) \w+ /.test(sql)).map(({ name }) => name);
  }

  /**
   * Makes all that a statement names and that is not there yet. A column may be named like a view, which is then made for
   * nothing.
   */
  async ready(sql: string): Promise<void> {
    const named = this.#take(sql);
    this.#make(this.#keepsRows ? named.map(asTable) : named);
    await this.#made;
  }

  async readyAll(): Promise<void> {
    const left = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#make(left);
    await this.#made;
  }

  /** After all that is being made. Once something cannot be made, neither can anything after it. */
  #make(definitions: Definition[]): void {
    if (definitions.length === 0) return;
    const inOrder = definitions.sort((a, b) => a.place - b.place);
    this.#made = this.#made.then(async () => {
      // One by one: names of windows in DuckDB are those of all statements that it reads at once.
      for (const { sql } of inOrder) await this.#run(sql);
    });
  }

  #take(sql: string): Definition[] {
    return [...new Set(sql.match(/\w+/g))].flatMap((word) => {
      const named = this.#waiting.get(word) ?? [];
      this.#waiting.delete(word);
      return named.flatMap((definition) => [definition, ...this.#take(definition.sql)]);
    });
  }
}

function asTable(definition: Definition): Definition {
  return { ...definition, sql: definition.sql.replace(/^CREATE VIEW/, 'CREATE TABLE') };
}

/** No text in the SQL holds a semicolon or two dashes. */
function statementsOf(definitions: string): Definition[] {
  const statements = definitions.replaceAll(/--.*/g, '').split(';');
  return statements
    .map((sql) => sql.trim())
    .filter((sql) => sql !== '')
    .map((sql, place) => ({ name: /^CREATE \w+ (?:\w+\.)?(\w+)/.exec(sql)![1]!, sql, place }));
}

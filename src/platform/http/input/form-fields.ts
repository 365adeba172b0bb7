// The fields of a form. Looking one up takes constant time: URLSearchParams searches linearly, so
// a loop over a form would take quadratic time.

/** Anything that yields pairs of a name and a text. */
type Pairs = Iterable<readonly [string, string]>;

/** Fields in the order of their names' first appearance. A name may have several texts. */
export class FormFields implements Iterable<[string, string]> {
  readonly #texts = new Map<string, string[]>();
  #size = 0;

  constructor(fields: Pairs | Readonly<Record<string, string>> = []) {
    const pairs = Symbol.iterator in fields ? (fields as Pairs) : Object.entries(fields);
    for (const [name, text] of pairs) this.append(name, text);
  }

  /** The number of fields; each text of a name counts. */
  get size(): number {
    return this.#size;
  }

  append(name: string, text: string): void {
    const texts = this.#texts.get(name);
    if (texts) texts.push(text);
    else this.#texts.set(name, [text]);
    this.#size += 1;
  }

  /** Replaces the texts of the name. */
  set(name: string, text: string): void {
    this.delete(name);
    this.append(name, text);
  }

  delete(name: string): void {
    this.#size -= this.getAll(name).length;
    this.#texts.delete(name);
  }

  has(name: string): boolean {
    return this.#texts.has(name);
  }

  /** The first text of the name, or null. */
  get(name: string): string | null {
    return this.#texts.get(name)?.[0] ?? null;
  }

  getAll(name: string): readonly string[] {
    return this.#texts.get(name) ?? [];
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (const [name, texts] of this.#texts) for (const text of texts) yield [name, text];
  }

  /** As application/x-www-form-urlencoded. */
  toString(): string {
    return new URLSearchParams([...this]).toString();
  }
}

// The copies of typed forms in the tab's sessionStorage, which lasts until the tab is closed for
// good. A copy belongs to the person who typed it: the copies of another person are deleted.
/// <reference lib="dom" />
import type { TypedFields } from './typed-fields.js';

export interface TypedCopy extends TypedFields {
  /** The page of the form, a path with its query. */
  readonly page: string;
  /** The path that the form is posted to. */
  readonly action: string;
  /** The form was sent, and its outcome is not known yet. */
  readonly isSent: boolean;
}

const PREFIX = 'typed ';

export class CopyStore {
  readonly #prefix: string;

  constructor(user: string) {
    this.#prefix = `${PREFIX}${user} `;
    for (const key of keys()) if (!key.startsWith(this.#prefix)) storage()?.removeItem(key);
  }

  all(): TypedCopy[] {
    return keys().flatMap(key => {
      const copy = parse(storage()?.getItem(key));
      return copy ? [copy] : [];
    });
  }

  find(page: string, action: string): TypedCopy | null {
    return parse(storage()?.getItem(this.#key({ page, action })));
  }

  /** False if the browser cannot store it. */
  save(copy: TypedCopy): boolean {
    try {
      storage()?.setItem(this.#key(copy), JSON.stringify(copy));
      return storage() !== null;
    } catch {
      return false;
    }
  }

  remove(copy: Pick<TypedCopy, 'page' | 'action'>): void {
    storage()?.removeItem(this.#key(copy));
  }

  clear(): void {
    for (const key of keys()) storage()?.removeItem(key);
  }

  #key({ page, action }: Pick<TypedCopy, 'page' | 'action'>): string {
    return `${this.#prefix}${page} ${action}`;
  }
}

function keys(): string[] {
  return Object.keys(storage() ?? {}).filter(key => key.startsWith(PREFIX));
}

/** Null if the person has forbidden sites to store anything. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

function parse(json: string | null | undefined): TypedCopy | null {
  try {
    return json == null ? null : (JSON.parse(json) as TypedCopy);
  } catch {
    return null;
  }
}

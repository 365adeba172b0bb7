// Requests as commands that can be pasted, once TRADEPOST_URL and TRADEPOST_KEY are set.
import { API } from '../../platform/api-path.js';

interface Request {
  readonly method: string;
  /** The path below the API's base path, with an id in place of {id}. */
  readonly path: string;
  /** True if it needs no key. */
  readonly isPublic: boolean;
  readonly body?: unknown;
}

export function curlCommand({ method, path, isPublic, body }: Request): string {
  const address = `"$TRADEPOST_URL${API}${path}"`;
  // curl itself chooses GET, or POST for a body.
  const choice = ['patch', 'delete'].includes(method) ? `-X ${method.toUpperCase()} ` : '';
  return [
    `curl -sS ${choice}${address}`,
    ...(isPublic ? [] : ['-H "x-api-key: $TRADEPOST_KEY"']),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** Quotes text for a shell, in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

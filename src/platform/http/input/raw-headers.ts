// Headers as the client sent them. Node joins a repeated header or drops all but the first.
import type { IncomingMessage } from 'node:http';

/** The values of every header with this name, which is given in lower case. */
export function rawHeaderValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] as string;
    if (header.length === name.length && header.toLowerCase() === name)
      values.push(rawHeaders[at + 1] as string);
  }
  return values;
}

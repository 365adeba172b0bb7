// The code samples that the pages under /docs print.
import { send } from '../support/client.js';
import { unescapeHtml } from '../support/html.js';
import type { Stack } from '../support/suite.js';

/** The samples of a guide, in order. */
export async function guideBlocks(
  { baseUrl }: Pick<Stack, 'baseUrl'>,
  name: string,
): Promise<string[]> {
  return codeBlocks((await send(baseUrl, 'GET', `/docs/${name}`)).text);
}

export function codeBlocks(html: string): string[] {
  const found = html.matchAll(/<pre><code>([\s\S]*?)<\/code><\/pre>/gu);
  return [...found].map(([, text = '']) => unescapeHtml(text));
}

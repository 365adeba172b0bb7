// The items that match the text of a line, for the scripts of the forms with lines.
import { suggestItems } from '../../inventory/short-lists.js';
import type { ContentAnswer, PageRequest } from '../kit/page.js';

const SUGGESTIONS = 8;

/** The company's items as JSON. */
export async function suggestLineItems({ session, query }: PageRequest): Promise<ContentAnswer> {
  const items = await suggestItems(session.companyId, query.get('q') ?? '', SUGGESTIONS);
  return { type: 'json', content: JSON.stringify(items) };
}

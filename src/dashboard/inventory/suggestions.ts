// The items that match the text of a line, for the scripts of the forms with lines.
import { matchItems } from '../../inventory/names/match-items.js';
import { suggestItems } from '../../inventory/short-lists.js';
import { may } from '../../users/roles.js';
import type { ContentAnswer, PageRequest } from '../kit/page.js';

const SUGGESTIONS = 8;

/**
 * The company's items as JSON: those that match ?q=, or the one that ?named= names. They have their
 * prices if the visitor may see them.
 */
export async function suggestLineItems({ session, query }: PageRequest): Promise<ContentAnswer> {
  const { companyId, role } = session;
  const named = query.get('named');
  const items =
    named === null
      ? await suggestItems(companyId, query.get('q') ?? '', SUGGESTIONS)
      : (await matchItems(companyId, [named], 'name')).filter(item => item !== null);
  const shown = may(role, 'see-prices')
    ? items
    : items.map(({ id, name, sku, unit, onHand }) => ({ id, name, sku, unit, onHand }));
  return { type: 'json', content: JSON.stringify(shown) };
}

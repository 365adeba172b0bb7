// Changes of an item that move no stock: its name and details, and whether it is archived.
import type { ItemPatch } from '../../inventory/schema.js';
import { updateItem } from '../../inventory/service.js';
import type { Pager as Cursors } from '../../platform/http/pagination.js';
import { may } from '../../users/roles.js';
import { changedOnly, refusalOf } from '../kit/forms/form.js';
import { newForm } from '../kit/forms/form-state.js';
import { plainForm } from '../kit/forms/plain-form.js';
import type { Answer, PageRequest, PageRoute } from '../kit/page.js';
import { itemPage } from './item.js';
import { detailsBody } from './item-schemas.js';
import { getItem, type Item } from './item-view.js';
import { refusePrices } from './prices.js';

const REMOVED = { sku: null, unit: null };
const NO_PRICES = { unitCost: null, unitPrice: null };

/** Saves name, SKU and details. */
export function detailsForm(cursors: Cursors): PageRoute[] {
  return plainForm<ItemPatch, 'change-stock', Item>({
    path: '/inventory/:id/details',
    guard: 'change-stock',
    load: ({ session, params }) => getItem(session.companyId, params.id),
    schema: detailsBody,
    save: async (details, { session, form, loaded: { id } }) => {
      refusePrices(session, [details]);
      // A form without prices must not remove them.
      const removed = may(session.role, 'set-prices') ? { ...REMOVED, ...NO_PRICES } : REMOVED;
      const changes = changedOnly(form, { ...removed, ...details });
      const { name } = JSON.parse(await updateItem(session.companyId, id, changes));
      return { to: `/inventory/${id}`, flash: `${name} updated.` };
    },
    page: (state, request) => itemPage(request, cursors, { details: state }),
  });
}

/** Archives the item, or restores it. */
export async function archiveItem(
  request: PageRequest,
  cursors: Cursors,
  archived: boolean,
): Promise<Answer> {
  const { companyId } = request.session;
  const { id, name } = await getItem(companyId, request.params.id);
  try {
    await updateItem(companyId, id, { archived });
    return { to: `/inventory/${id}`, flash: `${name} ${archived ? 'archived' : 'restored'}.` };
  } catch (error) {
    const { state, answer } = refusalOf(request.form, error);
    // The form has no fields, so the error of a field becomes the form's message.
    const [message = state.message ?? ''] = state.errors.values();
    const archive = { ...newForm(), message };
    return { ...(await itemPage(request, cursors, { archive })), ...answer };
  }
}

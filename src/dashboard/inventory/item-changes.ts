// Changes of an item that move no stock: its name and details, and whether it is archived.
import { findNamesInUse } from '../../inventory/names/check-patch.js';
import type { ItemPatch } from '../../inventory/schema.js';
import { updateItem } from '../../inventory/service.js';
import type { Cursors } from '../../platform/http/pagination.js';
import { may } from '../../users/roles.js';
import { changedOnly } from '../kit/forms/form.js';
import { newForm } from '../kit/forms/form-state.js';
import { directForm, plainForm } from '../kit/forms/plain-form.js';
import { actorOf, type PageRequest, type PageRoute } from '../kit/page.js';
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
    load: loadItem,
    schema: detailsBody,
    find: (details, { session, loaded: { id } }) => findNamesInUse(session.companyId, id, details),
    save: async (details, { session, form, loaded: { id } }) => {
      refusePrices(session, [details]);
      // A form without prices must not remove them.
      const removed = may(session.role, 'set-prices') ? { ...REMOVED, ...NO_PRICES } : REMOVED;
      const changes = changedOnly(form, { ...removed, ...details });
      const { name } = JSON.parse(
        await updateItem(session.companyId, id, changes, actorOf(session)),
      );
      return { to: `/inventory/${id}`, flash: `${name} updated.` };
    },
    page: (state, request) => itemPage(request, cursors, { details: state }),
  });
}

/** Archives the item, or restores it. */
export function archiveForm(cursors: Cursors, action: 'archive' | 'restore'): PageRoute[] {
  return directForm<string, 'change-stock', Item>({
    path: `/inventory/:id/${action}`,
    guard: 'change-stock',
    load: loadItem,
    send: ({ session, loaded: { id } }) =>
      updateItem(session.companyId, id, { archived: action === 'archive' }, actorOf(session)),
    done: (_, { loaded: { id, name } }) => ({
      to: `/inventory/${id}`,
      flash: `${name} ${action}d.`,
    }),
    page: (state, request) => {
      // The form has no fields, so the error of a field becomes the form's message.
      const [message = state.message ?? ''] = state.errors.values();
      return itemPage(request, cursors, { archive: { ...newForm(), message } });
    },
  });
}

function loadItem({ session, params }: PageRequest): Promise<Item> {
  return getItem(session.companyId, params.id);
}

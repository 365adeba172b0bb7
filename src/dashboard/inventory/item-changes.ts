// Changes of an item that move no stock: its name and details, and whether it is archived.
import Joi from 'joi';
import { type ItemPatch, itemPatch } from '../../inventory/schema.js';
import { updateItem } from '../../inventory/service.js';
import type { Pager as Cursors } from '../../platform/http/pagination.js';
import { changedOnly, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { itemPage } from './item.js';
import { getItem } from './item-view.js';

/** The fields of the details form. An empty one that may be absent is removed from the item. */
const detailsForm = (itemPatch as Joi.ObjectSchema)
  .fork(['name', 'reorderPoint'], field => field.required())
  .keys({ archived: Joi.forbidden() });
const REMOVED = { sku: null, unit: null, unitCost: null, unitPrice: null };

/** Saves name, SKU and details. */
export async function changeItem(request: PageRequest, cursors: Cursors): Promise<Answer> {
  const { companyId } = request.session;
  const { id } = await getItem(companyId, request.params.id);
  const outcome = await submitForm<ItemPatch, string>(
    request.form,
    detailsForm,
    details => updateItem(companyId, id, changedOnly(request.form, { ...REMOVED, ...details })),
    { numbers: ['reorderPoint', 'unitCost', 'unitPrice'] },
  );
  if (!outcome.done)
    return { ...(await itemPage(request, cursors, { details: outcome.state })), ...outcome.answer };
  const { name } = JSON.parse(outcome.result) as { name: string };
  return { to: `/inventory/${id}`, flash: `${name} updated.` };
}

/** Archives the item, or restores it. */
export async function archiveItem(
  request: PageRequest,
  cursors: Cursors,
  archived: boolean,
): Promise<Answer> {
  const { companyId } = request.session;
  const { id, name } = await getItem(companyId, request.params.id);
  const work = () => updateItem(companyId, id, { archived });
  const outcome = await submitForm<object, string>(request.form, Joi.object(), work);
  if (!outcome.done) {
    // The form has no fields, so what refuses it is a message of the whole form.
    const [message = outcome.state.message] = outcome.state.errors.values();
    const state = { ...newForm(), ...(message === undefined ? {} : { message }) };
    return { ...(await itemPage(request, cursors, { archive: state })), ...outcome.answer };
  }
  return { to: `/inventory/${id}`, flash: `${name} ${archived ? 'archived' : 'restored'}.` };
}

// The form for a delivery while it is being filled in: its lines are those of the invoice form.
/// <reference lib="dom" />
import { LineForm } from './lines/line-form.js';

const fieldset = document.querySelector<HTMLElement>('.delivery-lines');
if (fieldset)
  new LineForm(fieldset, {
    list: '.delivery-list',
    remove: '.delivery-remove',
    path: '/inventory/suggestions',
    fields: { item: 'item', quantity: 'quantity' },
    stock: '.delivery-stock',
    unknown: 'A new item, which will be added to your inventory.',
    currency: '',
  });

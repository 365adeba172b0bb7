// The form of a count sheet: items are suggested, and Enter after a scan goes to the quantity. If
// each scan counts as one, it saves.
/// <reference lib="dom" />
import { Combobox } from './combobox.js';
import { find } from './find.js';
import { findItems, type Item, onHandOf } from './lines/line-list.js';

const form = document.querySelector<HTMLElement>('.count-form');

if (form) {
  const item = find(form, 'input[name=item]') as HTMLInputElement;
  const quantity = find(form, 'input[name=quantity]') as HTMLInputElement;
  const each = find(form, 'input[name=each]') as HTMLInputElement;
  const focusQuantity = () => {
    quantity.focus();
    quantity.select();
  };
  new Combobox<Item>(item, {
    search: (text, signal) => findItems('/inventory/suggestions', text, signal),
    describe: found => [found.name, [found.sku, onHandOf(found)].filter(Boolean).join(' · ')],
    announce: () => undefined,
    takesFirst: false,
    choose: found => {
      item.value = found.name;
      focusQuantity();
    },
  });
  item.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || event.defaultPrevented || each.checked) return;
    if (item.value.trim() === '' || quantity.value.trim() !== '') return;
    event.preventDefault();
    focusQuantity();
  });
}

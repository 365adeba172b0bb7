// The form for a delivery while it is being filled in: lines to add and remove, and stock items to
// choose from.
/// <reference lib="dom" />
import { Combobox } from './combobox.js';
import { find } from './find.js';
import { field, findItems, type Item, LineList, onHandOf } from './line-list.js';

function enhanceForm(fieldset: HTMLElement): void {
  const list: LineList = new LineList(fieldset, {
    list: '.delivery-list',
    remove: '.delivery-remove',
    firstField: 'item',
    addLabel: 'Add line',
    enhance: line => suggestItems(line, sentence => list.announce(sentence)),
  });
}

/** A chosen item fills in its line, and shows what is on hand until the text is edited. */
function suggestItems(line: HTMLElement, announce: (sentence: string) => void): void {
  const [item, quantity] = [field(line, 'item'), field(line, 'quantity')];
  const stock = find(line, '.delivery-stock');
  item.addEventListener('input', () => {
    stock.hidden = true;
  });
  new Combobox<Item>(item, {
    search: (text, signal) => findItems('/inventory/suggestions', text, signal),
    describe: found => [found.name, [found.sku, onHandOf(found)].filter(Boolean).join(' · ')],
    announce,
    choose: found => {
      item.value = found.name;
      stock.textContent = onHandOf(found);
      stock.hidden = false;
      announce(`${found.name}, ${onHandOf(found)}.`);
      quantity.focus();
      quantity.select();
    },
  });
}

const fieldset = document.querySelector<HTMLElement>('.delivery-lines');
if (fieldset) enhanceForm(fieldset);

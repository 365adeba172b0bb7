// Corrections of deliveries: two tabs open the same form and send different quantities at once.
import { randomUUID } from 'node:crypto';
import type { Random } from '../random.js';
import type { CorrectionRecord, Records } from './records.js';
import type { Visitor } from './visitor.js';

const FORM = /^(token|after|items\.\d+\.(itemId|quantity))$/u;
const TABS = 2;
/** Of the forms that are sent twice. */
const DOUBLE_CLICKS = 0.3;

export async function correctDelivery(
  visitor: Visitor,
  deliveryId: string,
  mark: string,
  random: Random,
  { corrections }: Records,
): Promise<void> {
  const path = `/inventory/deliveries/${deliveryId}/correct`;
  const form = await visitor.open(path, FORM);
  if (!form) return;
  const tabs = Array.from({ length: TABS }, (_, tab): CorrectionRecord => {
    const own = `${mark}/${tab}`;
    const fields = { ...form, ...changedQuantities(form, random), key: randomUUID(), note: own };
    return {
      ...{ companyId: visitor.companyId, deliveryId, mark: own, type: 'correct', path, fields },
      after: Number(form.after),
      shown: quantitiesOf(form),
      wanted: quantitiesOf(fields),
      outcomes: [],
    };
  });
  corrections.push(...tabs);
  const sent = random.next() < DOUBLE_CLICKS ? [...tabs, ...tabs] : tabs;
  await Promise.all(sent.map(tab => visitor.submit(tab)));
}

/** Other quantities for one or more items. */
function changedQuantities(form: Readonly<Record<string, string>>, random: Random) {
  const names = Object.keys(form).filter(name => name.endsWith('.quantity'));
  const changed = random.shuffle(names).slice(0, random.between(1, names.length));
  return Object.fromEntries(changed.map(name => [name, String(random.between(0, 200) / 4)]));
}

function quantitiesOf(fields: Readonly<Record<string, string>>): Map<string, number> {
  const quantities = new Map<string, number>();
  for (let index = 0; fields[`items.${index}.itemId`] !== undefined; index += 1)
    quantities.set(
      fields[`items.${index}.itemId`] ?? '',
      Number(fields[`items.${index}.quantity`]),
    );
  return quantities;
}

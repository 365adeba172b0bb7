// Drafts of invoices: one is saved, then several tabs that opened it issue, save or delete it at
// once.

import { randomUUID } from 'node:crypto';
import { today } from '../../support/days.js';
import type { Random } from '../random.js';
import type { FormType, Records, SentForm } from './records.js';
import type { Visitor } from './visitor.js';

const FORM = '/invoices/new';
const TOKEN = /^token$/u;
/** The fields of the form; its button is chosen below. */
const FORM_FIELDS = /^(?!do$|q$)/u;
const DELETE_FIELDS = /^(token|version)$/u;
const SAVE = { do: 'save-draft' };
const TABS: readonly (readonly FormType[])[] = [
  ['issue', 'issue'],
  ['issue', 'issue', 'issue'],
  ['issue', 'delete'],
  ['issue', 'issue', 'delete'],
  ['issue', 'save'],
  ['save', 'save'],
  ['save', 'delete'],
  ['issue'],
  [],
];
const DOUBLE_CLICKS = 0.3;

export async function writeDraft(
  visitor: Visitor,
  mark: string,
  random: Random,
  { drafts }: Records,
): Promise<void> {
  const { companyId } = visitor;
  const start = await visitor.open(FORM, TOKEN);
  if (!start) return;
  const content = { ...start, ...typed(mark, random), key: randomUUID(), ...SAVE };
  const saved = await visitor.insist(FORM, content);
  const [, id] = /draft=([0-9a-f-]{36})$/u.exec(saved?.location ?? '') ?? [];
  if (id === undefined) return;
  const sent: SentForm[] = [];
  drafts.push({ companyId, id, mark, sent });
  for (const [tab, type] of random.pick(TABS).entries()) {
    const form = await openForm(visitor, id, type, `${mark} of tab ${tab}`);
    if (form) sent.push({ companyId, type, ...form, outcomes: [] });
  }
  const clicks = random.next() < DOUBLE_CLICKS ? [...sent, ...sent] : sent;
  await Promise.all(clicks.map(form => visitor.submit(form)));
}

/** The form of this type with the draft; null if its page cannot be read. */
async function openForm(visitor: Visitor, id: string, type: FormType, note: string) {
  const path = type === 'delete' ? `/invoices/drafts/${id}/delete` : FORM;
  const pattern = type === 'delete' ? DELETE_FIELDS : FORM_FIELDS;
  const fields = await visitor.open(type === 'delete' ? path : `${FORM}?draft=${id}`, pattern);
  return fields && { path, fields: type === 'save' ? { ...fields, ...SAVE, note } : fields };
}

/** Today's invoice of a few items that other clients sell, too. */
function typed(mark: string, random: Random): Record<string, string> {
  const names = ['Hot 0', 'Hot 1', `Cold ${random.between(0, 59)}`, 'Scarce 0', 'Delivery'];
  const lines = random.shuffle(names).slice(0, random.between(1, 3));
  const fields = lines.flatMap((name, index) => [
    [`items.${index}.name`, name],
    [`items.${index}.qty`, String(random.between(1, 20) / 4)],
    [`items.${index}.price`, String(random.between(1, 9_999) / 100)],
    [`items.${index}.taxRate`, random.pick(['', '7', '19'])],
  ]);
  const date = today();
  // Names without a record: a form whose customer has other terms than it shows is shown again.
  const customerName = `Customer ${random.between(5, 6)}`;
  return { customerName, date, reference: mark, ...Object.fromEntries(fields) };
}

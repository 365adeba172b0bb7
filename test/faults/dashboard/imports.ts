// Imports of stock, some of which are undone while their items are sold and their deliveries are
// corrected.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.js';
import type { System } from '../system.js';
import { correctDelivery } from './deliveries.js';
import type { ImportedRow, ImportRecord, Records } from './records.js';
import type { Visitor } from './visitor.js';

const FORM = '/inventory/import';
const TOKEN = /^token$/u;
/** For the workers to apply an import. The run's end waits for those that take longer. */
const APPLY_MS = 4_000;
const POLL_MS = 150;
const UNDO_SHARE = 0.7;
/** Of the imports that are undone: a tab corrects their delivery at the same time. */
const CORRECT_SHARE = 0.4;

export async function importStock(
  visitor: Visitor,
  mark: string,
  random: Random,
  system: System,
  records: Records,
): Promise<void> {
  const { companyId } = visitor;
  const form = await visitor.open(FORM, TOKEN);
  if (!form) return;
  const rows = chooseRows(mark, random);
  const file = { name: `${mark}.csv`, content: toCsv(rows) };
  const uploaded = await visitor.insist(FORM, { ...form, key: randomUUID() }, file);
  const [path = '', id] =
    /^\/inventory\/imports\/([0-9a-f-]{36})$/u.exec(uploaded?.location ?? '') ?? [];
  if (id === undefined) return;
  const record: ImportRecord = { companyId, id, rows, isStarted: false, isUndoRequested: false };
  records.imports.push(record);
  const starts = await Promise.all([1, 2].map(() => visitor.insist(`${path}/start`, form)));
  record.isStarted = starts.some(answer => answer?.status === 303);
  if (random.next() >= UNDO_SHARE || !(await isApplied(system, record))) return;
  const deliveryId = random.next() < CORRECT_SHARE ? await findDelivery(system, record) : null;
  const [undone] = await Promise.all([
    visitor.post(`${path}/undo`, form),
    visitor.post(`${path}/undo`, form),
    ...(deliveryId === null ? [] : [correctDelivery(visitor, deliveryId, mark, random, records)]),
  ]);
  record.isUndoRequested = undone?.status === 303;
}

/** One item of its own, and some that other clients sell. */
function chooseRows(mark: string, random: Random): ImportedRow[] {
  const others = [
    'Hot 2',
    'Scarce 1',
    `Cold ${random.between(0, 29)}`,
    `Cold ${random.between(30, 59)}`,
  ];
  const known = random.shuffle(others).slice(0, random.between(0, 2));
  return [...known, `Import ${mark}`].map((name, index) => ({
    name,
    delta: random.between(1, 40) / 4,
    unitCost: random.between(1, 9_999) / 100,
    isNew: index === known.length,
  }));
}

function toCsv(rows: readonly ImportedRow[]): string {
  const lines = rows.map(({ name, delta, unitCost }) => `${name},${delta},${unitCost}\n`);
  return `name,delta,unitCost\n${lines.join('')}`;
}

async function isApplied(system: System, { companyId, id }: ImportRecord): Promise<boolean> {
  for (const end = Date.now() + APPLY_MS; Date.now() < end; await delay(POLL_MS)) {
    const [row] = await system.query<{ status: string }>(
      'SELECT status FROM imports WHERE company_id = $1 AND id = $2',
      [companyId, id],
    );
    if (row?.status === 'done') return true;
  }
  return false;
}

async function findDelivery(system: System, { companyId, id }: ImportRecord) {
  const [row] = await system.query<{ id: string }>(
    'SELECT id FROM adjustments WHERE company_id = $1 AND import_id = $2 AND corrects IS NULL',
    [companyId, id],
  );
  return row?.id ?? null;
}

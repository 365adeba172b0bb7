// Explains every outcome of a company's writes by a sequential model. The database tells the order
// of the commits, so a success has one state before it, in which the model must do the same. A
// refusal left no row: there must be a state, among those that it can have seen, in which the model
// refuses it alike, with all of its errors at once.
//
// The product may look up names before it locks the items. So an item that was created after the
// request was sent may count as unknown, even if its creation was committed before the outcome.
import { CommitOrder, commitsOf, findDisorder, type States } from './commits.js';
import { isLedgerPath, LedgerModel } from './ledger.js';
import { type JobRow, type ModelRows, rowsOf, units } from './rows.js';
import { CompanyStock, groupBySource, type Source } from './stock.js';
import {
  type AdjustmentBody,
  describeInvoice,
  describeMovement,
  describeNewItem,
  describeRefusal,
  type LineBody,
  namedItems,
  planAdjustment,
  planInvoice,
  type View,
} from './stock-plans.js';
import type { ModelWrite } from './write.js';

export interface Explanation {
  /** One sentence per outcome that no order of the writes explains. */
  readonly violations: readonly string[];
  readonly explained: number;
  /** The writes that the model cannot judge, by their outcome. */
  readonly unjudged: ReadonlyMap<string, number>;
}

/** Items that are created at the same time as one write that names them. More are not tried. */
const MAX_AMBIGUOUS = 6;

export function explainWrites(writes: readonly ModelWrite[], rows: ModelRows): Explanation {
  const violations: string[] = [];
  const unjudged = new Map<string, number>();
  let explained = 0;
  for (const companyId of new Set(writes.map(write => write.companyId))) {
    const own = writes.filter(write => write.companyId === companyId);
    const company = new CompanyModel(own, rowsOf(companyId, rows));
    violations.push(...company.errors);
    for (const write of own) {
      const violation = company.explain(write);
      if (violation === undefined) {
        const kind = `${write.status} ${write.result.code ?? 'created'}`;
        unjudged.set(kind, (unjudged.get(kind) ?? 0) + 1);
      } else if (violation === null) explained += 1;
      else violations.push(`${write.key}: ${violation}`);
    }
  }
  return { violations, explained, unjudged };
}

class CompanyModel {
  readonly errors: readonly string[];
  readonly #stock: CompanyStock;
  readonly #sources: readonly Source[];
  readonly #stockOrder: CommitOrder;
  readonly #ledger: LedgerModel;
  readonly #ledgerOrder: CommitOrder;
  readonly #jobs: ReadonlyMap<string, JobRow>;
  readonly #numberOf: ReadonlyMap<string, number>;

  constructor(writes: readonly ModelWrite[], rows: ModelRows) {
    const { sources, errors } = groupBySource(rows.movements);
    const toCommit = commitsOf(writes, rows);
    this.#sources = sources;
    this.#stock = new CompanyStock(rows.items, sources);
    this.#stockOrder = new CommitOrder(sources.map(({ id }) => toCommit(id)));
    this.#ledger = new LedgerModel(rows);
    this.#ledgerOrder = new CommitOrder(rows.entries.map(({ id }) => toCommit(id)));
    this.#jobs = new Map(rows.jobs.map(job => [job.id, job]));
    this.#numberOf = new Map(rows.invoices.map(({ id, number }) => [id, number]));
    this.errors = [...errors, ...findDisorder(sources, rows), ...this.#ledger.errors];
  }

  /** Null if the model explains the outcome, undefined if it cannot judge it. */
  explain(write: ModelWrite): string | null | undefined {
    if (isLedgerPath(write.path)) return this.#explainLedger(write);
    const plan = plannerOf(write);
    const { first, last } = this.#statesOf(write);
    const actual = this.#actualOf(write);
    if (!plan || actual === undefined) return undefined;
    const { sentAt } = write;
    const known = this.#stockOrder.between(sentAt, sentAt).first;
    for (let state = last; state >= first; state -= 1)
      for (const hidden of this.#hiddenSets(write, known, state))
        if (plan({ stock: this.#stock, state, hidden }) === actual) return null;
    const expected = plan({ stock: this.#stock, state: last, hidden: new Set() });
    return (
      `${write.path} ${JSON.stringify(write.body)}: ${actual}; ` +
      `the model: ${expected} (state ${last}, none since ${first} explains it)`
    );
  }

  /** A success has one state before it, unless it moves no stock. */
  #statesOf(write: ModelWrite): States {
    const { result, status } = write;
    const window = this.#window(write, this.#stockOrder);
    const before = status === 201 ? this.#stockOrder.before(result.id ?? '') : undefined;
    if (before !== undefined) return { first: before, last: before };
    const number = this.#numberOf.get(result.id ?? '');
    if (number === undefined) return window;
    // By number, the commit of an invoice without movements is between its neighbours' commits.
    const numbers = this.#sources.map(({ id }) => this.#numberOf.get(id));
    const previous = numbers.findLastIndex(each => each !== undefined && each < number);
    const next = numbers.findIndex(each => each !== undefined && each > number);
    const first = Math.max(window.first, previous + 1);
    return { first, last: Math.max(first, next < 0 ? window.last : Math.min(window.last, next)) };
  }

  #window({ jobId, sentAt, answeredAt }: ModelWrite, order: CommitOrder): States {
    const decidedAt = this.#jobs.get(jobId)?.finishedAt ?? answeredAt;
    return order.between(sentAt, decidedAt ?? Number.POSITIVE_INFINITY);
  }

  /** The sets of items that may have been unknown, though they exist in this state. */
  *#hiddenSets(write: ModelWrite, known: number, state: number): Iterable<ReadonlySet<string>> {
    const named = namedItems(write.body.items as readonly LineBody[], this.#stock);
    const ambiguous = [...named]
      .filter(({ since }) => since > known && since <= state)
      .slice(0, MAX_AMBIGUOUS);
    for (let set = 0; set < 2 ** ambiguous.length; set += 1)
      yield new Set(ambiguous.filter((_, bit) => (set >> bit) & 1).map(({ id }) => id));
  }

  /** The outcome as the model would describe it; undefined if it is none that the model knows. */
  #actualOf({ path, status, result }: ModelWrite): string | undefined {
    const { id = '', code = '', errors = [], items = [] } = result;
    if (status !== 201) {
      if (CREDIT_CODES.has(code)) return undefined;
      const isKnown =
        code !== 'validation_failed' || errors.some(error => error.code === 'unknown_item');
      return isKnown ? describeRefusal(code, errors) : undefined;
    }
    const place = this.#stockOrder.before(id);
    const source = place === undefined ? undefined : this.#sources[place];
    const movements = (source?.movements ?? []).map(({ itemId, delta, onHandAfter }) => {
      const item = this.#stock.byId(itemId);
      const isNew = item !== undefined && item.since === (place ?? 0) + 1;
      const who = isNew ? describeNewItem(item.nameKey, item.skuKey) : itemId;
      return describeMovement(who, units(delta), units(onHandAfter));
    });
    if (path.endsWith('/adjustments')) return `moves ${movements.join(', ')}`;
    return describeInvoice(
      items.map(({ itemId }) => itemId),
      movements,
    );
  }

  #explainLedger(write: ModelWrite): string | null | undefined {
    const { status, result, jobId } = write;
    const { code = '', errors = [] } = result;
    if (code === 'validation_failed') return undefined;
    const entryId = this.#jobs.get(jobId)?.resultId ?? '';
    const before = status === 201 ? this.#ledgerOrder.before(entryId) : undefined;
    if (status === 201 && before === undefined) return undefined;
    const actual =
      status === 201 ? 'created' : describeRefusal(code, BARE_CODES.has(code) ? [] : errors);
    const { first, last } =
      before === undefined
        ? this.#window(write, this.#ledgerOrder)
        : { first: before, last: before };
    const since = `state ${last}, none since ${first} explains it`;
    for (let state = last; state >= first; state -= 1) {
      const planned = this.#ledger.plan(write, state);
      if (planned === undefined) return undefined;
      if (planned === actual) return this.#explainReturns(write, entryId);
    }
    return (
      `${write.path} ${JSON.stringify(write.body)}: ${actual}; ` +
      `the model: ${this.#ledger.plan(write, last)} (${since})`
    );
  }

  /** A credit note moves the goods that it says went back. */
  #explainReturns({ path, result }: ModelWrite, entryId: string): string | null {
    // An allocation of a credit note also answers with that note.
    if (!/\/(credit-notes|void)$/u.test(path)) return null;
    const returned = new Map<string, number>();
    for (const { itemId, qty, restocked } of result.items ?? [])
      if (restocked && itemId) returned.set(itemId, (returned.get(itemId) ?? 0) + units(qty ?? 0));
    const place = this.#stockOrder.before(entryId);
    const moved = new Map(
      (place === undefined ? [] : (this.#sources[place]?.movements ?? [])).map(
        ({ itemId, delta }) => [itemId, units(delta)],
      ),
    );
    const isSame =
      moved.size === returned.size &&
      [...returned].every(([itemId, qty]) => moved.get(itemId) === qty);
    const list = (each: ReadonlyMap<string, number>) => JSON.stringify([...each]);
    return isSame ? null : `says ${list(returned)} went back, and moved ${list(moved)}`;
  }
}

/** Of these refusals the model knows the code only. */
const BARE_CODES: ReadonlySet<string> = new Set(['invalid_state', 'already_exists']);

/** Refusals that the judge of credit explains. The product checks credit before stock. */
const CREDIT_CODES: ReadonlySet<string> = new Set(['customer_on_hold', 'credit_limit_exceeded']);

function plannerOf({ path, body }: ModelWrite): ((view: View) => string) | undefined {
  if (path.endsWith('/invoices'))
    return view => planInvoice(body.items as readonly LineBody[], view);
  if (path.endsWith('/adjustments'))
    return view => planAdjustment(body as unknown as AdjustmentBody, view);
  return undefined;
}

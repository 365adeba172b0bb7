// The load of an upgrade: clients that write for a few companies and read what they wrote and what
// was there before. Each request goes to one of the web processes that serve at that moment.
import { setTimeout as delay } from 'node:timers/promises';
import { chooseWrite, makeEntry } from '../faults/clients.js';
import { sendRead, sendWrite } from '../faults/exchange.js';
import type { Answer, Entry, Exchange, Failure, Journal } from '../faults/journal.js';
import { LEDGER_KINDS } from '../faults/ledger-writes.js';
import type { Random } from '../faults/random.js';
import { ITEMS } from '../faults/stock-writes.js';
import { Targets } from '../faults/targets.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import type { Stores } from '../support/suite.js';

const COMPANIES = 3;
/** Of the ledger alone, beside the one client of each company that also moves its stock. */
const LEDGER_CLIENTS = 2;
/** Enough requests to meet every lock, few enough to leave the processors to the upgrade. */
const PAUSE_MS = 80;
/** Writes wait for a worker of the new release for so long, and are then queued. */
const WAIT_SECONDS = 1;
const READS = [
  '/summary',
  '/invoices?limit=20',
  '/invoices?status=open&limit=20',
  '/payments?limit=20',
  '/inventory?limit=20',
];
/** The journal's own limit. The test has a stricter one. */
const GRACE_MS = 20_000;

export class UpgradeLoad {
  /** Of the web processes that may get requests. */
  ports: readonly number[];
  readonly companies: readonly TestCompany[];
  readonly #readers: readonly TestCompany[];
  readonly #journal: Journal;
  readonly #targets = new Targets();
  #isStopped = false;
  #clients: Promise<void>[] = [];

  private constructor(
    port: number,
    companies: readonly TestCompany[],
    readers: readonly TestCompany[],
    journal: Journal,
  ) {
    this.ports = [port];
    this.companies = companies;
    this.#readers = readers;
    this.#journal = journal;
  }

  /** `readers` are companies that have data already. */
  static async start(
    port: number,
    sql: Stores['sql'],
    readers: readonly TestCompany[],
    journal: Journal,
    random: Random,
  ): Promise<UpgradeLoad> {
    const stack = { sql, baseUrl: `http://127.0.0.1:${port}` };
    const companies = await Promise.all(
      Array.from({ length: COMPANIES }, () => makeCompany(stack)),
    );
    const load = new UpgradeLoad(port, companies, readers, journal);
    for (const company of companies) {
      const stock = ITEMS.map(({ name, sku, stock: delta }) => ({
        name,
        sku,
        delta,
        unitPrice: 9,
      }));
      load.#targets.addItems(company.companyId, await receive(company, ...stock));
    }
    const ofLedger = Array.from({ length: LEDGER_CLIENTS }, () => null);
    load.#clients = [...companies, ...ofLedger].map((company, index) =>
      load.#run(`u${index}`, company, random.fork(`client ${index}`)),
    );
    return load;
  }

  /** The requests that have ended. */
  get ended(): number {
    const { entries, reads } = this.#journal;
    return [...entries, ...reads].filter(({ endedAt }) => endedAt !== undefined).length;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  /** A client of all writes of one company, or of those of the ledger of all. */
  async #run(name: string, own: TestCompany | null, random: Random): Promise<void> {
    for (let turn = 1; !this.#isStopped; turn += 1) {
      if (random.next() < 0.4) await this.#read(random);
      else await this.#write(`${name}-${turn}`, own, random);
      await delay(PAUSE_MS);
    }
  }

  async #read(random: Random): Promise<void> {
    const { companyId, key } = random.pick([...this.companies, ...this.#readers]);
    const path = `/api/external${random.pick(READS)}`;
    const port = random.pick(this.ports);
    const exchange = { companyId, path, startedAt: Date.now(), port, limitMs: GRACE_MS };
    await this.#journal.read(exchange, () => sendRead(exchange, key));
  }

  async #write(key: string, own: TestCompany | null, random: Random): Promise<void> {
    const company = own ?? random.pick(this.companies);
    const kinds = own ? null : LEDGER_KINDS;
    const request = chooseWrite(key, company, this.#targets, random, kinds);
    const body = asBefore(request.body);
    const prefer = `wait=${WAIT_SECONDS}`;
    const write = { ...request, body };
    const entry = makeEntry(key, write, company, random.pick(this.ports), prefer, GRACE_MS);
    await this.#journal.write([entry], async () => [await sendWrite(entry.port, entry)]);
    this.#targets.learn(entry);
  }
}

/**
 * The body in the form of 8322b58, which has no records of customers and exact SKUs. That release
 * loses the items of lines whose stock two transactions change at the same time, so no goods come
 * back beside the writes of the client that moves stock.
 */
function asBefore({ ignoreCredit: _, ...body }: Record<string, unknown>): Record<string, unknown> {
  const { items, restock } = body;
  return {
    ...body,
    ...(Array.isArray(items) ? { items: items.map(withName) } : {}),
    ...(restock === undefined ? {} : { restock: false }),
  };
}

function withName({ expectedOnHand: _, ...item }: Record<string, unknown>): object {
  const isOfInvoice = 'qty' in item && !('line' in item);
  const required = isOfInvoice ? { name: 'As ordered', price: 9 } : {};
  const sku = 'sku' in item ? { sku: plainSku(String(item.sku)) } : {};
  return { ...required, ...item, ...sku };
}

const plainSku = (text: string) => text.normalize('NFKC').trim().toUpperCase();

/** How long a request waited, beyond the wait that it asked for. */
export function waitedMs(exchange: Exchange & Partial<Pick<Entry, 'prefer'>>): number {
  const { answer, failure, prefer } = exchange;
  const wantedMs = answer?.status === 202 && prefer ? WAIT_SECONDS * 1_000 : 0;
  return ((answer ?? failure)?.ms ?? 0) - wantedMs;
}

/** Why an answer is none that an upgrade may give; null if it is one. */
export function whyBad(exchange: Exchange): string | null {
  const { answer, failure, path } = exchange;
  const end: Answer | Failure | undefined = answer ?? failure;
  if (!end || 'cause' in end) return `${path}: ${end ? end.cause : 'no answer'}`;
  const { status, retryAfter, text } = end;
  if (status === 503 ? retryAfter !== undefined : status < 500 && status !== 401) return null;
  return `${path}: ${status} ${text}`;
}

// The attacks of a company that reads as much as it may: long statements, receivables of very many
// names, and searches for words that most of its invoices contain.
import { makeSession, makeUser } from '../support/dashboard.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { addInvoices } from '../support/many-rows.js';
import { until } from '../support/processes.js';
import type { Stack } from '../support/suite.js';
import type { Outgoing } from './exchange.js';
import type { Attack } from './hostile-phases.js';

type Target = Pick<Stack, 'sql' | 'baseUrl'>;

export interface ReadAttack {
  readonly name: string;
  readonly what: string;
  /** Makes companies with so many invoices, and the requests of so many clients. */
  prepare(stack: Target, invoices: number, clients: number): Promise<Attack>;
}

/** Ten times the usual limit per hour, so that an attack lasts. */
const RATE_LIMIT = 10_000;
const LIMIT_MS = 120_000;
/** A word in the customer and the reference of each invoice. */
const WORD = 'usual';
const CUSTOMER = `Customer 0 ${WORD}`;

const statementOf = (name: string, what: string, query: string): ReadAttack => ({
  name,
  what,
  async prepare(stack, invoices, clients) {
    const company = await makeCompanyWith(stack, invoices, 1);
    const path = `/statements?customerName=${encodeURIComponent(CUSTOMER)}&${query}`;
    return attackOf(clients, () => apiRead(stack, company, path));
  },
});

const pageOf = (name: string, what: string, customers: number, path: string): ReadAttack => ({
  name,
  what,
  async prepare(stack, invoices, clients) {
    const company = await makeCompanyWith(stack, invoices, customers);
    const cookie = await signIn(stack, company);
    return attackOf(clients, () => get(stack, path, { accept: 'text/html', cookie }));
  },
});

/** Two companies, which have half of the clients each. */
const receivables: ReadAttack = {
  name: 'receivables',
  what: 'receivables of very many names, of two companies',
  async prepare(stack, invoices, clients) {
    const companies = [
      await makeCompanyWith(stack, invoices, invoices),
      await makeCompanyWith(stack, 2 * invoices, invoices),
    ];
    return attackOf(clients, index =>
      apiRead(stack, companies[index % 2] as TestCompany, `/receivables?limit=${50 + index}`),
    );
  },
};

const ALL = 'from=2020-01-01';

export const READ_ATTACKS: readonly ReadAttack[] = [
  statementOf('statements', 'statements of 5,000 lines', `${ALL}&limit=5000`),
  statementOf('statement-files', 'statements as CSV', `${ALL}&format=csv`),
  statementOf('open-items', 'pages of 5,000 open items', 'type=open&limit=5000'),
  pageOf(
    ...(['prints', 'printed statements of 1,000 lines', 1] as const),
    `/customers/name/print?name=${encodeURIComponent(CUSTOMER)}&${ALL}`,
  ),
  receivables,
  pageOf('searches', 'searches for a word that all invoices have', 100, `/invoices?q=${WORD}`),
];

/** By address and size: attacks share companies, because filling one takes many seconds. */
const made = new Map<string, Promise<TestCompany>>();

/** A company whose invoices the scheduler has rolled up. */
function makeCompanyWith(stack: Target, invoices: number, customers: number) {
  const name = `${stack.baseUrl} ${invoices} ${customers}`;
  const company = made.get(name) ?? fillCompany(stack, invoices, customers);
  made.set(name, company);
  return company;
}

async function fillCompany(
  stack: Target,
  invoices: number,
  customers: number,
): Promise<TestCompany> {
  const company = await makeCompany(stack, { rateLimit: RATE_LIMIT });
  await addInvoices(stack, company, invoices, ` ${WORD}`, customers);
  const isRolledUp = async () => {
    const found = await stack.sql(
      'SELECT FROM summaries WHERE company_id = $1 AND texts_number = $2',
      [company.companyId, invoices],
    );
    return found.length > 0;
  };
  await until('the invoices are rolled up', isRolledUp, ROLLUP_MS);
  return company;
}
const ROLLUP_MS = 300_000;

async function signIn(stack: Target, { companyId }: TestCompany): Promise<string> {
  const { userId } = await makeUser(stack, companyId);
  return `session=${await makeSession(stack, companyId, userId)}`;
}

function attackOf(clients: number, request: (index: number) => Outgoing): Attack {
  const requests = Array.from({ length: clients }, (_, index) => request(index));
  return { requests, atOnce: false, pauseSeconds: 0 };
}

function apiRead(stack: Target, { key }: TestCompany, path: string): Outgoing {
  return get(stack, `/api/external${path}`, { 'x-api-key': key });
}

function get({ baseUrl }: Target, path: string, headers: Record<string, string>): Outgoing {
  const port = Number(new URL(baseUrl).port);
  return { method: 'GET', port, path, headers, body: null, limitMs: LIMIT_MS, discards: true };
}

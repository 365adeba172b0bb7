// The layers of the house for SQL: a slice writes its own tables, and reads those of its own and of
// the slices before it. The test finds tables that statements name, but none that they get as a
// parameter.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from './support/processes.js';
import { layerOf, readSources, sliceOf } from './support/sources.js';

/** The tables and views of each slice. */
const TABLES: Readonly<Record<string, string>> = {
  companies: 'companies kept_keys company_profile_versions company_logos',
  feed: 'feed',
  'api-keys': 'api_keys api_key_secrets',
  users: 'users sessions invitations password_resets',
  jobs: 'jobs stored_responses',
  emails: 'emails email_attachments',
  imports: 'imports import_rows customer_imports customer_import_rows',
  inventory: 'items item_keys movements adjustments import_changes count_sheets count_lines',
  customers: 'customers customer_names customer_versions customer_name_versions customer_exposures',
  'customer-records': 'customer_import_changes',
  search: 'search_texts',
  invoices: 'invoices invoice_lines invoice_drafts',
  ledger: 'entries allocations credit_note_lines',
  receivables: 'receivable_progress invoice_dues',
  webhooks: 'webhook_endpoints webhook_secrets webhook_deliveries webhook_attempts webhook_tests',
  summary:
    'summaries daily_totals monthly_tops customer_totals item_totals entry_totals due_totals ' +
    'tax_progress tax_totals',
  events: 'overdue_invoices overdue_progress',
  verify: 'audits audit_violations audited_jobs',
};

/** Statements that break the rule, by reason. The list may only shrink: an unused line fails. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'a write counts in the row of its company, which it has locked': [
    'customers/write.ts writes companies',
    'feed/append.ts writes companies',
    'inventory/stock-figures.ts writes companies',
    'invoices/drafts/drafts.ts writes companies',
    'invoices/post.ts writes companies',
    'ledger/batch/write.ts writes companies',
  ],
  'a payment or credit note settles the invoice in its own transaction': [
    'ledger/batch/write.ts writes invoices',
  ],
  'the demo company has a history, which no API can write': [
    'demo/credentials.ts writes users',
    'demo/date-history.ts writes adjustments',
    'demo/date-history.ts writes companies',
    'demo/date-history.ts writes company_profile_versions',
    'demo/date-history.ts writes customer_name_versions',
    'demo/date-history.ts writes customer_versions',
    'demo/date-history.ts writes customers',
    'demo/date-history.ts writes entries',
    'demo/date-history.ts writes invoices',
    'demo/date-history.ts writes jobs',
    'demo/date-history.ts writes movements',
    'demo/demo.ts writes companies',
  ],
  'an actor is stored as an id, and shown by name': ['companies/actor.ts reads users'],
  'a refusal by a credit limit shows the unallocated money of the customer': [
    'customers/credit/exposures.ts reads entries',
  ],
  "search texts are stored in the summary's sweep, and their progress is in its row": [
    'invoices/search/invoice-texts.ts reads summaries',
    'ledger/search/entry-texts.ts reads summaries',
    'search/texts.ts reads summaries',
  ],
};

const SLICES = new Map(
  Object.entries(TABLES).flatMap(([slice, tables]) =>
    tables.split(' ').map(table => [table, slice] as const),
  ),
);

const TABLE = `(${[...SLICES.keys()].sort((a, b) => b.length - a.length).join('|')})\\b`;
const WRITES = new RegExp(
  `(?:\\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE|MERGE INTO)\\s+(?:ONLY\\s+)?|` +
    `\\b(?:insertRows|updateRows|defineModel)(?:<\\w+>)?\\(\\s*')${TABLE}`,
  'gu',
);
/** Tables after FROM, fragments with an alias, and functions that make SQL of a name. */
const READS = new RegExp(
  `(?:\\b(?:FROM|JOIN|USING)\\s+(?:ONLY\\s+)?|` +
    `\\b(?:lookUpOne|lookUpAll|inRange|newestOf|newest|largest|tops)\\(\\s*'|` +
    `[,'\`]\\s*(?=\\w+ [a-z]{1,2}\\b))${TABLE}`,
  'gu',
);

const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//gu, '').replaceAll(/^\s*\/\/.*$/gmu, '');

const found = readSources().flatMap(({ path, text }) => {
  const slice = sliceOf(path);
  const code = withoutComments(text);
  const namesIn = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, table = '']) => table);
  const ownerOf = (table: string) => SLICES.get(table) ?? '';
  const name = path.replace(/^src\//u, '');
  return [
    ...namesIn(WRITES)
      .filter(table => ownerOf(table) !== slice)
      .map(table => `${name} writes ${table}`),
    ...namesIn(READS)
      .filter(table => layerOf(ownerOf(table)) > layerOf(slice))
      .map(table => `${name} reads ${table}`),
  ];
});

describe('the tables', () => {
  it('are written by their own slice, and read by it and the slices after it', () => {
    const allowed = Object.values(EXCEPTIONS).flat();
    expect([...new Set(found)].toSorted()).to.deep.equal(allowed.toSorted());
  });

  it('each have a slice', () => {
    const folder = join(ROOT, 'src/migrations');
    const sql = readdirSync(folder)
      .map(name => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const named = (statement: string) =>
      [...sql.matchAll(new RegExp(`^${statement} (\\w+)`, 'gmu'))].map(([, name = '']) => name);
    const dropped = new Set(named('DROP TABLE'));
    const made = [...named('CREATE TABLE'), ...named('CREATE VIEW')];
    expect(made.filter(name => !dropped.has(name)).sort()).to.deep.equal([...SLICES.keys()].sort());
  });
});

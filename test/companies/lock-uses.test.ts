// Everything that locks a company's row does so in one place's transactions: in a web process in a
// turn of the company (companies/write-turns.ts), so that no company's wait takes the connections
// of others; in a worker in a batch or a chunk of an import.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../support/processes.js';

/** The transactions without a turn, by file: how many, and why they need none. */
const WITHOUT_TURN: Readonly<Record<string, readonly [calls: number, reason: string]>> = {
  'companies/write-turns.ts': [1, 'gives the turns; a process without them has no other companies'],
  'emails/sending/attempt.ts': [3, 'a worker sends the e-mails of a company a few at a time'],
  'demo/date-history.ts': [1, 'the demo company, before anything serves requests'],
  'events/overdue.ts': [1, "the scheduler's sweep announces the invoices of one company"],
  'imports/progress.ts': [1, 'a worker records the failure of a chunk'],
  'imports/work.ts': [1, 'a worker applies one chunk at a time, with a short lock timeout'],
  'rollups/rollup.ts': [1, "the scheduler's sweep skips locked rows"],
  'jobs/settle/batch.ts': [1, 'a worker settles a batch; a company that is locked is delayed'],
  'platform/db/list-reads.ts': [2, 'reads without locks, which have turns of their own'],
  'platform/db/migration/steps.ts': [3, 'a migration, in steps with a short lock timeout'],
  'summary/refresh.ts': [1, "the scheduler's sweep skips locked rows"],
  'summary/search-texts.ts': [1, "the scheduler's sweep skips locked rows"],
  'users/service.ts': [1, 'a new company, whose rows no other transaction knows'],
  'verify/audit.ts': [1, 'the audit, in the scheduler, locks no company'],
  'webhooks/delivering/store.ts': [1, 'a worker stores one turn of an endpoint at a time'],
};

const DEFINITIONS = 'platform/db/connection.ts';
const TRANSACTION = /\b(?:inTransaction|inPipeline|withTransaction)(?:<[^(]*>)?\(/gu;
/** Locks a company's row, up to the end of the statement. */
const LOCK = new RegExp(
  [
    String.raw`(?<!function )\blockCompanies(?:<[^;]*?>)?\(`,
    String.raw`\bFROM companies\b(?:(?!\bFROM\b)[^;])*?\bFOR (?:NO KEY )?UPDATE\b`,
    String.raw`\bUPDATE companies\b`,
    String.raw`\bupdateRows\(\s*'companies'`,
    String.raw`\bcompanyModel\(\)\s*\.(?:update|increment|upsert|destroy)\(`,
    String.raw`\bcompanyModel\(\)\s*\.find\w+\([^;]*\block`,
    String.raw`\bcompany\.(?:update|save|increment)\(`,
  ]
    .map(pattern => `(?:${pattern})`)
    .join('|'),
  'gu',
);
/** The files with such a lock. A new one is added here once it meets the rules below. */
const LOCKING = [
  'api-keys/service.ts',
  'companies/first-steps.ts',
  'companies/lock.ts',
  'companies/profile/service.ts',
  'companies/service.ts',
  'customer-records/changes/changes.ts',
  'customer-records/settings.ts',
  'customers/write.ts',
  'demo/date-history.ts',
  'documents/emails/service.ts',
  'emails/sending/attempt.ts',
  'events/overdue.ts',
  'feed/append.ts',
  'inventory/adjust.ts',
  'inventory/counts/sheets.ts',
  'inventory/imports/apply.ts',
  'inventory/imports/undo/undo.ts',
  'inventory/service.ts',
  'inventory/stock-figures.ts',
  'invoices/drafts/drafts.ts',
  'invoices/post.ts',
  'ledger/batch/lock.ts',
  'ledger/batch/write.ts',
  'webhooks/delivering/store.ts',
  'webhooks/endpoints/service.ts',
  'webhooks/log/redeliver.ts',
];

const COMMENT = /^\s*(?:\/\/|\*|\/\*\*).*$/gmu;

const src = join(ROOT, 'src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/u.test(name))
  .map(name => [name, readFileSync(join(src, name), 'utf8').replaceAll(COMMENT, '')] as const)
  .sort();

/** The rest of the statement. */
const statementAt = (text: string, index: number) => text.slice(index, text.indexOf(';', index));

describe('the lock of a company', () => {
  it('is taken in a turn of the company, or in a transaction that has a reason for none', () => {
    const found = files
      .map(([name, text]) => [name, text.match(TRANSACTION)?.length ?? 0] as const)
      .filter(([name, calls]) => calls > 0 && name !== DEFINITIONS);
    expect(Object.fromEntries(found), 'use inCompanyTransaction').to.deep.equal(
      Object.fromEntries(Object.entries(WITHOUT_TURN).map(([name, [calls]]) => [name, calls])),
    );
  });

  it('is taken in the transaction of the caller, in files that are known', () => {
    const locking = files.flatMap(([name, text]) =>
      Array.from(text.matchAll(LOCK), ({ index }) => ({ name, sql: statementAt(text, index) })),
    );
    expect([...new Set(locking.map(({ name }) => name))]).to.deep.equal(LOCKING);
    // A constant's statement runs where its name is used.
    for (const { name, sql } of locking.filter(each => !each.name.startsWith('demo/')))
      expect(sql, `${name} locks a company without a transaction`).to.match(/\btx\b|lockOnly/u);
  });

  it('is not taken by what has turns for other rows', () => {
    for (const [name, text] of files) {
      for (const { index } of text.matchAll(/\binTransactionOn\(/gu)) {
        const end = text.indexOf('\n}', index);
        expect(text.slice(index, end).search(LOCK), name).to.equal(-1);
      }
    }
  });
});

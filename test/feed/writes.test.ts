// Every statement that writes a table whose rows are in events has its events somewhere. A new
// statement fails here until its events are named.
import { expect } from 'chai';
import { readSources } from '../support/sources.js';

/** The tables whose changes are events. Imports have one place, which all kinds share. */
const TABLES = [
  ...['invoices', 'entries', 'items', 'adjustments', 'customers', 'customer_versions'],
  ...['api_keys', 'emails'],
];

/** The file that appends the events of the statements in a file. */
const APPENDED_IN: Readonly<Record<string, string>> = {
  'api-keys/model.ts writes api_keys': 'api-keys/service.ts',
  'customers/write.ts writes customer_versions': 'customers/write.ts',
  'customers/write.ts writes customers': 'customers/write.ts',
  'emails/sending/attempt.ts writes emails': 'emails/sending/attempt.ts',
  'inventory/adjustments.ts writes adjustments': 'inventory/adjustments.ts',
  'inventory/adjustments.ts writes items': 'inventory/adjustments.ts',
  'inventory/imports/undo/changes.ts writes items': 'inventory/imports/undo/undo.ts',
  'inventory/imports/undo/undo.ts writes items': 'inventory/imports/undo/undo.ts',
  'inventory/service.ts writes items': 'inventory/service.ts',
  // The levels of sales, returns and adjustments.
  'inventory/stock.ts writes items': 'invoices/post.ts',
  'invoices/posting/insert.ts writes invoices': 'invoices/post.ts',
  'ledger/batch/write.ts writes entries': 'ledger/batch/write.ts',
  'ledger/batch/write.ts writes invoices': 'ledger/batch/write.ts',
};

/** The statements whose changes no event shows. */
const WITHOUT_EVENTS: readonly string[] = [
  // When a key was last used.
  'api-keys/authenticate.ts writes api_keys',
  // Text for searches, which no JSON has.
  'customers/search-keys.ts writes customers',
  // The history of the demo company, before anything reads its feed.
  ...['adjustments', 'customer_versions', 'customers', 'entries', 'invoices'].map(
    table => `demo/date-history.ts writes ${table}`,
  ),
  // E-mails on their way: only the end is an event.
  'emails/outbox.ts writes emails',
];

const WRITES = new RegExp(
  String.raw`(?:\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+|` +
    String.raw`\b(?:insertRows|updateRows|defineModel)(?:<\w+>)?\(\s*')` +
    `(${TABLES.toSorted((one, other) => other.length - one.length).join('|')})\\b`,
  'gu',
);
const APPENDS = /\bappendEvents\(|\bevents\.append\(/u;

const sources = readSources().map(({ path, text }) => ({
  name: path.replace(/^src\//u, ''),
  text: text.replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gmu, ''),
}));

describe('the statements that write what events show', () => {
  it('are known, with the file that appends their events', () => {
    const found = sources.flatMap(({ name, text }) =>
      Array.from(text.matchAll(WRITES), ([, table = '']) => `${name} writes ${table}`),
    );
    expect([...new Set(found)].sort()).to.deep.equal(
      [...Object.keys(APPENDED_IN), ...WITHOUT_EVENTS].sort(),
    );
  });

  it('have files that append events', () => {
    const files = [...new Set(Object.values(APPENDED_IN)), 'imports/events.ts'];
    for (const file of files) {
      const source = sources.find(({ name }) => name === file);
      expect(source?.text, file).to.match(APPENDS);
    }
  });
});

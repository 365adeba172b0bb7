// The rows that Postgres writes as JSON and as CSV are those that this process would write.
import { expect } from 'chai';
import fc from 'fast-check';
import { type Cell, CSV_FORMATS, type CsvFormat, csvLine } from '../../src/platform/values/csv.js';
import { cellsOf, joinedRows } from '../../src/receivables/row-text.js';
import { describeMode } from '../support/suite.js';
import { casesOf } from '../support/tier.js';

interface Row {
  readonly name: string | null;
  readonly amount: string | null;
  readonly flag: boolean;
}

const MEMBERS = { name: 'name', amount: 'trim_scale(amount)', flag: 'flag' };
const ROW = { members: MEMBERS, cells: cellsOf(MEMBERS, ['amount']), pageCells: {} };

/** Text as it may be stored: any but U+0000 and lone surrogates. */
const stored = fc.string({ unit: 'grapheme' }).map(text => text.replaceAll('\0', ''));
const special = fc.string({
  unit: fc.constantFrom(...'=+-@|\'"\\,;\t\r\n\u0001\u001f\u007f\u2028＝＋－＠é𝄞a1. /<>&'),
  maxLength: 8,
});
const text = fc.option(fc.oneof(stored, special));
const amount = fc.option(
  fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(4))
    .map(([units, decimals]) => {
      const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
      const whole = digits.slice(0, digits.length - decimals);
      const fraction = digits.slice(digits.length - decimals).replace(/0+$/u, '');
      const isZero = units === 0n;
      return `${units < 0n && !isZero ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
    }),
);
const row: fc.Arbitrary<Row> = fc.record({ name: text, amount, flag: fc.boolean() });

/** The same by JSON.stringify and csvLine. */
function expectedText(rows: readonly Row[], format: 'json' | CsvFormat): string {
  if (format === 'json')
    return rows
      .map(
        ({ name, amount: number, flag }) =>
          `{"name":${JSON.stringify(name)},"amount":${number ?? 'null'},"flag":${flag}}`,
      )
      .join(',');
  const cells = ({ name, amount: number, flag }: Row): Cell[] => [name, { number }, String(flag)];
  return rows.map(each => csvLine(cells(each), format)).join('');
}

describeMode('postgres', 'the rows of a report that Postgres writes', stack => {
  for (const format of ['json', ...CSV_FORMATS] as const)
    it(`are the bytes that this process would write (${format})`, async () => {
      const rows = `
        SELECT name, amount, flag
        FROM unnest($1::text[], $2::numeric[], $3::boolean[]) WITH ORDINALITY
          AS given (name, amount, flag, place)
        ORDER BY place`;
      const sql = `SELECT (${joinedRows(rows, ROW, format)}) AS text`;
      await fc.assert(
        fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async given => {
          const [found] = await stack().sql<{ text: string }>(sql, [
            given.map(({ name }) => name),
            given.map(({ amount: number }) => number),
            given.map(({ flag }) => flag),
          ]);
          expect(found?.text).to.equal(expectedText(given, format));
        }),
        { numRuns: casesOf(300) },
      );
    });
});

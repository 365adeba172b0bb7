// Shapes of JSON: their texts, their schemas and, checked by the compiler, their types. A line
// below `@ts-expect-error` must not compile.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  choice,
  count,
  described,
  flag,
  type JsonValue,
  joined,
  list,
  money,
  named,
  namedSchemas,
  object,
  orNull,
  type ParsedJson,
  partial,
  text,
} from '../../../src/platform/values/json-shape.js';
import { anyText } from '../../support/any-text.js';

const LINE = named('Line', object({ amount: money, note: orNull(text) }));
const ORDER = object({
  name: text,
  places: described(count, 'Counted from 1.'),
  isOpen: flag,
  priority: orNull(choice(['high', 'low'])),
  lines: list(LINE),
  first: orNull(LINE),
  ...partial({ reason: text, refund: money }),
});
type Order = JsonValue<typeof ORDER>;

const line = fc.record({ amount: fc.integer().map(String), note: fc.option(fc.string()) });
const order: fc.Arbitrary<Order> = fc.record(
  {
    name: anyText(),
    places: fc.nat().map(String),
    isOpen: fc.boolean(),
    priority: fc.constantFrom('high', 'low', null),
    lines: fc.array(line),
    first: fc.option(line),
    reason: fc.string(),
    refund: fc.integer().map(String),
  },
  { requiredKeys: ['name', 'places', 'isOpen', 'priority', 'lines', 'first'] },
);

describe('A shape', () => {
  it('writes JSON in the order of its members, with figures as numbers', () => {
    fc.assert(
      fc.property(order, ({ places, lines, first, refund, ...others }) => {
        const parsedLine = ({ amount, note }: JsonValue<typeof LINE>) => ({
          amount: Number(amount),
          note,
        });
        const { name, isOpen, priority, reason } = others;
        const parsed = {
          ...{ name, places: Number(places), isOpen, priority, lines: lines.map(parsedLine) },
          first: first && parsedLine(first),
          ...(reason === undefined ? {} : { reason }),
          ...(refund === undefined ? {} : { refund: Number(refund) }),
        };
        const given = { ...(refund === undefined ? {} : { refund }), first, lines, places };
        expect(ORDER.json({ ...given, ...others })).to.equal(JSON.stringify(parsed));
      }),
    );
  });

  it('has a schema that accepts its JSON', () => {
    const components = { schemas: namedSchemas(LINE) };
    const accepts = new Ajv2020({ strict: false }).compile({ ...ORDER.schema, components });
    fc.assert(fc.property(order, value => accepts(JSON.parse(ORDER.json(value))) === true));
    expect(accepts({ ...JSON.parse(ORDER.json(SAMPLE)), priority: 'urgent' })).to.equal(false);
    const { first: _first, ...incomplete } = JSON.parse(ORDER.json(SAMPLE));
    expect(accepts(incomplete)).to.equal(false);
  });

  it('encloses the elements that Postgres has written', () => {
    expect(joined(list(LINE)).json('{"amount":1,"note":null}')).to.equal(
      '[{"amount":1,"note":null}]',
    );
    expect(joined(list(LINE)).schema).to.deep.equal(list(LINE).schema);
  });

  it('has figures as text in its values, and as numbers in parsed JSON', () => {
    const parsed: ParsedJson<typeof ORDER> = JSON.parse(ORDER.json(SAMPLE));
    const places: number = parsed.places;
    // @ts-expect-error: a figure is decimal text.
    const counted: Order = { ...SAMPLE, places: 2 };
    // @ts-expect-error: none of the texts.
    const urgent: Order = { ...SAMPLE, priority: 'urgent' };
    expect([places, counted.places, urgent.priority]).to.deep.equal([1, 2, 'urgent']);
  });
});

const SAMPLE: Order = {
  name: 'A "b"',
  places: '1',
  isOpen: true,
  priority: null,
  lines: [{ amount: '1.50', note: null }],
  first: null,
};

// The types that request schemas carry. The compiler checks most of this file: a line below
// `@ts-expect-error` must not compile.
import { expect } from 'chai';
import {
  array,
  object,
  oneOf,
  optional,
  type ValueOf,
} from '../../../../src/platform/http/input/typed-schema.js';
import {
  positiveDecimal,
  text,
  validateBody,
} from '../../../../src/platform/http/input/validate.js';

const order = object({
  customer: text(20).required(),
  note: optional(text(20)),
  priority: oneOf('high', 'low').default('low'),
  lines: array(object({ qty: positiveDecimal(9).required().description('Of goods.') }))
    .min(1)
    .required(),
}).required();
type Order = ValueOf<typeof order>;

describe('The type of a request', () => {
  it('has required fields, fields with defaults, optional fields and arrays', () => {
    const whole: Order = { customer: 'Hall', priority: 'high', lines: [{ qty: 2 }] };
    // @ts-expect-error: a required field is absent.
    const unnamed: Order = { priority: 'low', lines: [] };
    // @ts-expect-error: none of the texts.
    const urgent: Order = { ...whole, priority: 'urgent' };
    // @ts-expect-error: an optional field is absent, not undefined.
    const noted: Order = { ...whole, note: undefined };
    expect([unnamed, urgent, noted]).to.have.length(3);
    const note: string | undefined = validateBody(order, { ...whole, note: null }).note;
    expect(note).to.equal(undefined);
  });
});

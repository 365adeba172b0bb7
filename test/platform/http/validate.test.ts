// The sentences of field errors: each names the rule that the field breaks.
import { expect } from 'chai';
import { adjustmentRequest } from '../../../src/inventory/schema.js';
import type { Problem } from '../../../src/platform/errors.js';
import { closestField } from '../../../src/platform/http/closest-field.js';
import { validateBody } from '../../../src/platform/http/validate.js';

function sentencesOf(body: unknown): string[] {
  try {
    validateBody(adjustmentRequest, body);
  } catch (error) {
    const { errors = [] } = (error as Problem).details;
    return errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
  }
  return [];
}

describe('the errors of an adjustment', () => {
  it('list the allowed values', () => {
    expect(sentencesOf({ reason: 'stolen', items: [{ sku: 'A', delta: 1 }] })).to.deep.equal([
      '/reason Must be one of received, returned, count, correction, damaged, lost, theft, ' +
        'transfer, other.',
    ]);
  });

  it('explain which fields exclude or require each other', () => {
    const itemId = '01932d5c-1f4e-7cc3-9d0a-3b6a1d2f7e10';
    const items = [
      { sku: 'A', delta: 1, count: 1 },
      { sku: 'A' },
      { delta: 1 },
      { itemId, name: 'Pump', delta: 1 },
      { itemId: 'x', delta: 1 },
    ];
    expect(sentencesOf({ reason: 'count', items })).to.deep.equal([
      '/items/0 Send either delta or count, not both.',
      '/items/1 delta or count is required.',
      '/items/2 name, sku, or itemId is required.',
      '/items/3 Send either itemId or name, not both.',
      '/items/4/itemId Must be a UUID.',
    ]);
  });

  it('name the bounds of numbers and arrays', () => {
    const items = [{ sku: 'A', delta: -1_000_000_001, unitCost: -1, reorderPoint: 'many' }];
    expect(sentencesOf({ reason: 'count', items })).to.deep.equal([
      '/items/0/delta Must be at least -1,000,000,000.',
      '/items/0/reorderPoint Must be a number.',
      '/items/0/unitCost Must be at least 0.',
    ]);
    const many = Array(251).fill({ sku: 'A', delta: 1 });
    expect(sentencesOf({ reason: 'count', items: many })).to.deep.equal([
      '/items At most 250 items.',
    ]);
    expect(sentencesOf({ reason: 'count', items: [] })).to.deep.equal([
      '/items Must not be empty.',
    ]);
  });
});

describe('the suggestion for an unknown field', () => {
  it('is a field with nearly the same name, whatever its case', () => {
    const known = ['customerName', 'date', 'items', 'qty'];
    for (const [name, suggestion] of [
      ['custmerName', 'customerName'],
      ['customer_name', 'customerName'],
      ['Date', 'date'],
      ['item', 'items'],
      ['qyt', 'qty'],
      ['name', undefined],
      ['quantity', undefined],
      ['x'.repeat(5_000), undefined],
    ] as const)
      expect(closestField(name, known), name).to.equal(suggestion);
  });
});

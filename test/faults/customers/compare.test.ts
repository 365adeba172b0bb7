// The fault harness's judge of changes of customers' records, on changes and versions made by hand.
import { expect } from 'chai';
import type { Change, ChangeType, RecordJson } from './changes.js';
import { compareChanges, findUnclear } from './compare.js';
import type { VersionRow } from './rows.js';

const companyId = '01a21606-3310-7243-8563-551c04dadc39';
const ANN = '01a21606-3972-7382-baab-f75c6d06cad0';
const BOB = '01a21606-3bb8-7ca9-b30a-1e5336edd8f4';

type Ends = readonly (number | readonly [number, object] | 'lost')[];

function change(
  type: ChangeType,
  key: string,
  id: string,
  body: object | null,
  ends: Ends,
): Change {
  const path = type === 'create' || type === 'batch' ? '/customers' : `/customers/${id}`;
  return {
    ...{ companyId, companyKey: 'secret', type, key, path },
    body: body as Change['body'],
    ends: ends.map(end => {
      if (end === 'lost') return { cause: 'lost', ms: 1 };
      const [status, answer] = typeof end === 'number' ? [end, {}] : end;
      return { status, text: status === 204 ? '' : JSON.stringify(answer), ms: 1 };
    }),
  };
}

/** Versions that are written in the order of these calls, a second each. */
class Versions {
  readonly rows: VersionRow[] = [];

  save(id: string, fields: Partial<RecordJson>, at = this.rows.length + 1): RecordJson {
    const before = this.rows.findLast(({ customerId }) => customerId === id)?.body;
    const none = { externalId: null, aliases: [], creditLimit: null, hold: false, currency: null };
    const body: RecordJson = {
      ...{ ...none, id, name: id, note: null, archived: false, mergedInto: null },
      ...before,
      ...fields,
      updatedAt: new Date(at * 1000).toISOString(),
    };
    this.#add(id, body, at);
    return body;
  }

  delete(id: string): void {
    this.#add(id, null, this.rows.length + 1);
  }

  merge(into: string, other: string): RecordJson {
    const at = this.rows.length + 1;
    this.save(other, { archived: true, mergedInto: into }, at);
    return this.save(into, { aliases: [other] }, at);
  }

  get sorted(): VersionRow[] {
    const order = ({ customerId, version }: VersionRow) => `${customerId} ${version}`;
    return this.rows.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  }

  #add(customerId: string, body: RecordJson | null, at: number): void {
    const version = this.rows.filter(row => row.customerId === customerId).length + 1;
    this.rows.push({ companyId, customerId, version, at: at * 1000, body });
  }
}

describe("the fault harness's judge of customers' records", () => {
  let versions: Versions;
  const compare = (...changes: Change[]) => compareChanges(changes, versions.sorted, []);

  beforeEach(() => {
    versions = new Versions();
    versions.save(ANN, { note: 'main-0' });
    versions.save(BOB, { note: 'main-1' });
  });

  it('expects the same outcome of each repetition with a key, in the end', () => {
    const clear = (...ends: Ends) => findUnclear([change('merge', 'k', ANN, {}, ends)]);
    expect(clear('lost', 503, [200, { id: ANN }], [200, { id: ANN }])).to.be.empty;
    expect(clear('lost', 503)).to.have.length(1);
    expect(clear(409, 200)).to.have.length(1);
    expect(clear(500)).to.have.length(1);
    expect(findUnclear([change('patch', 'k', ANN, {}, ['lost'])])).to.be.empty;
    expect(findUnclear([change('patch', 'k', ANN, {}, [404, 409])])).to.be.empty;
  });

  it('accepts each change that has one version', () => {
    const patched = versions.save(ANN, { note: 'p', creditLimit: 5 });
    const created = versions.save('C', { note: 'b/1' });
    const merged = versions.merge(ANN, BOB);
    versions.delete('C');
    const results = [
      { status: 409, problem: {} },
      { status: 201, customer: created },
    ];
    expect(
      compare(
        change('patch', 'p', ANN, {}, ['lost', [200, patched]]),
        change('batch', 'b', '', { customers: [{}, {}] }, [[200, { results }]]),
        change('merge', 'm', ANN, { customerId: BOB }, [[200, merged]]),
        change('merge', 'n', ANN, { customerId: BOB }, [409]),
        change('delete', 'd', '00000000-0000-0000-0000-000000000000', null, [404]),
      ),
    ).to.deep.equal(['record C: no client sent the change of version 2 null']);
  });

  it('reports a change that was lost, or was written differently', () => {
    const shown = { ...versions.rows[0]?.body, note: 'p', creditLimit: 5 };
    const told = change('patch', 'p', ANN, {}, [[200, shown]]);
    expect(compare(told)).to.have.length(2);
    versions.save(ANN, { note: 'p', creditLimit: 6 });
    expect(compare(told)).to.have.length(1);
  });

  it('reports a change that was carried out although it was refused, or twice', () => {
    const written = versions.save(ANN, { note: 'p' });
    versions.save(ANN, { note: 'q' });
    versions.save(ANN, { note: 'p' });
    const next = change('patch', 'q', ANN, {}, ['lost']);
    const patch = (...ends: Ends) => compare(next, change('patch', 'p', ANN, {}, ends));
    expect(patch([200, written])).to.have.length(1);
    expect(patch('lost', [200, written])).to.be.empty;
    expect(patch(409)).to.have.length(1);
    const batch = { customers: [{}] };
    const results = [{ status: 409, problem: {} }];
    versions.save(ANN, { note: 'b/0' });
    const refused = change('batch', 'b', '', batch, [[200, { results }]]);
    expect(compare(next, change('patch', 'p', ANN, {}, ['lost', 'lost']), refused)).to.have.length(
      1,
    );
  });

  it('reports versions that no client asked for', () => {
    versions.save(ANN, { hold: true });
    expect(compare()).to.have.length(1);
    versions.save(ANN, { note: 'x' });
    expect(compare()).to.have.length(2);
    versions.merge(ANN, BOB);
    expect(compare()).to.have.length(3);
  });

  it('reports a merge of which nothing is written, and names of merged records', () => {
    const told = change('merge', 'm', ANN, { customerId: BOB }, [
      [200, versions.rows[0]?.body ?? {}],
    ]);
    expect(compare(told)).to.have.length(1);
    const merged = versions.merge(ANN, BOB);
    const sound = [change('merge', 'm', ANN, { customerId: BOB }, [[200, merged]])];
    const name = (customerId: string) => ({ companyId, key: 'bob', customerId });
    expect(compareChanges(sound, versions.sorted, [name(ANN)])).to.be.empty;
    expect(compareChanges(sound, versions.sorted, [name(BOB)])).to.have.length(1);
  });

  it('accepts a deletion whose response was lost', () => {
    versions.delete(BOB);
    expect(compare(change('delete', 'd', BOB, null, ['lost', 404]))).to.be.empty;
    expect(compare(change('delete', 'd', BOB, null, [204]))).to.be.empty;
    expect(compare(change('delete', 'd', BOB, null, [409]))).to.have.length(1);
    expect(compare(change('delete', 'd', ANN, null, [204]))).to.have.length(2);
  });
});

import { expect } from 'chai';
import { OngoingWork } from '../../../src/platform/async/ongoing-work.js';
import { until } from '../../support/processes.js';

describe('ongoing work', () => {
  it('is on during its work, however that ends, and for a moment afterwards', async () => {
    const work = new OngoingWork();
    expect(work.isOn).to.equal(false);
    const ends: (() => void)[] = [];
    const first = work.during(new Promise<void>(resolve => ends.push(resolve)));
    const second = work.during(new Promise((_resolve, reject) => ends.push(reject)));
    ends[0]?.();
    await first;
    expect(work.isOn, 'one is in progress').to.equal(true);
    ends[1]?.();
    await second.catch(() => undefined);
    await until('it is over', async () => !work.isOn);
  });

  it('returns what its work returns', async () => {
    expect(await new OngoingWork().during(Promise.resolve(1))).to.equal(1);
  });
});

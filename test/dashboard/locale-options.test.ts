// The currencies and time zones that sign-up and settings offer.
import { expect } from 'chai';
import { currencyOptions, timeZoneOptions } from '../../src/dashboard/settings/locale-options.js';
import { currentZoneName } from '../../src/dashboard/settings/time-zone-names.js';

const values = (options: readonly { value: string }[]) => options.map(({ value }) => value);

describe('the time zones offered', () => {
  it('have current names, each once', () => {
    const zones = values(timeZoneOptions());
    expect(zones).to.include.members(['Asia/Kolkata', 'Europe/Kyiv', 'America/Nuuk', 'UTC']);
    expect(zones).not.to.include('Asia/Calcutta').and.not.to.include('Europe/Kiev');
    expect(zones[0]).to.equal('UTC');
    expect(new Set(zones).size).to.equal(zones.length);
    for (const zone of zones)
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.to.throw();
  });

  it('include the zone that a browser reports, whichever name it uses', () => {
    const zones = new Set(values(timeZoneOptions()));
    for (const reported of Intl.supportedValuesOf('timeZone'))
      expect(zones.has(currentZoneName(reported)), reported).to.equal(true);
    expect(currentZoneName('Asia/Saigon')).to.equal('Asia/Ho_Chi_Minh');
    // A look-up in a plain object would find a member of every object.
    expect(currentZoneName('constructor')).to.equal('constructor');
  });

  it("include the company's zone even if it is not in the list", () => {
    expect(values(timeZoneOptions('Etc/GMT+3'))).to.include('Etc/GMT+3');
  });
});

describe('the currencies offered', () => {
  it("are in use, or the company's", () => {
    const codes = values(currencyOptions());
    expect(codes).to.include.members(['EUR', 'USD', 'INR', 'XCG', 'SLE', 'ZWG']);
    for (const old of ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL', 'XDR', 'XSU'])
      expect(codes).not.to.include(old);
    expect(values(currencyOptions('HRK'))).to.include('HRK');
  });
});

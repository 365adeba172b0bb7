// Times of query parameters: RFC 3339.
import { expect } from 'chai';
import { instant } from '../../../../src/platform/http/input/time.js';

describe('a time of a query parameter', () => {
  const accepted: Record<string, string> = {
    '2026-11-20T00:00:00Z': '2026-11-20T00:00:00.000Z',
    '2026-11-20t23:59:59.5z': '2026-11-20T23:59:59.500Z',
    '2026-11-20 12:00:00+14:00': '2026-11-19T22:00:00.000Z',
    '2026-11-20T12:00:00.000000001-00:30': '2026-11-20T12:30:00.001Z',
    // Leap seconds.
    '2016-12-31T23:59:60Z': '2017-01-01T00:00:00.000Z',
    '2016-12-31T23:59:60.25Z': '2017-01-01T00:00:00.250Z',
    '2017-01-01T08:59:60+09:00': '2017-01-01T00:00:00.000Z',
    '1966-12-31T18:29:60-05:30': '1967-01-01T00:00:00.000Z',
  };
  for (const [text, time] of Object.entries(accepted))
    it(`reads ${text} as ${time}`, () => {
      const { value, error } = instant().validate(text);
      expect(error).to.equal(undefined);
      expect(new Date(value).toISOString()).to.equal(time);
    });

  const refused = [
    '2026-11-20',
    '2026-11-20T12:00Z',
    '2026-11-20T12:00:00',
    '2026-02-30T12:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T24:00:00+01:00',
    '2026-11-20T12:60:00Z',
    '2026-11-20T23:59:61Z',
    '2026-11-20T12:00:00+24:00',
    '2026-11-20T12:00:00+01:60',
    // Second 60 at another time than the end of a day in UTC.
    '2016-12-31T23:58:60Z',
    '2016-12-31T23:59:60+01:00',
    '2016-12-31T12:00:60Z',
  ];
  for (const text of refused)
    it(`refuses ${text}`, () => {
      expect(instant().validate(text).error?.details[0]?.type).to.equal('invalid_value');
    });
});

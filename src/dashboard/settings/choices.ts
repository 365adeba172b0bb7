// What a company can choose for its currency and its time zone.
import { isCurrency } from '../../platform/values/money.js';
import type { Option } from '../kit/ui/fields.js';

const names = new Intl.DisplayNames('en', { type: 'currency' });
/** Every currency that a company can have. */
export const CURRENCIES: readonly Option[] = Intl.supportedValuesOf('currency')
  .filter(isCurrency)
  .map(code => ({ value: code, label: `${code} – ${names.of(code) ?? code}` }));

export function timeZones(): readonly Option[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map(zone => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }));
}

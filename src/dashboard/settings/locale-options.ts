// The currencies and time zones that a company can choose.
import { isCurrency } from '../../platform/values/money.js';
import type { Option } from '../kit/ui/fields.js';

const names = new Intl.DisplayNames('en', { type: 'currency' });
export const CURRENCIES: readonly Option[] = Intl.supportedValuesOf('currency')
  .filter(isCurrency)
  .map(code => ({ value: code, label: `${code} – ${names.of(code) ?? code}` }));

export const TIME_ZONES: readonly Option[] = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]),
].map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') }));

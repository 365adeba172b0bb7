// The currencies and time zones that a company can choose.
import { isCurrency, WITHDRAWN_CURRENCIES } from '../../platform/values/money.js';
import type { Option } from '../kit/ui/fields.js';
import { currentZoneName } from './time-zone-names.js';

/** Currencies that runtimes list but no company sells in: replaced ones, XDR and XSU. */
const NOT_OFFERED: ReadonlySet<string> = new Set([...WITHDRAWN_CURRENCIES, 'XDR', 'XSU']);

const names = new Intl.DisplayNames('en', { type: 'currency' });
const CURRENCIES = Intl.supportedValuesOf('currency').filter(
  code => isCurrency(code) && !NOT_OFFERED.has(code),
);
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').map(currentZoneName)];

/** The currencies in use, and the company's own. */
export function currencyOptions(own = 'USD'): readonly Option[] {
  return [...new Set([...CURRENCIES, own])]
    .sort()
    .map(code => ({ value: code, label: `${code} – ${names.of(code) ?? code}` }));
}

/** The time zones under their current names, and the company's own. */
export function timeZoneOptions(own = 'UTC'): readonly Option[] {
  return [...new Set(['UTC', ...[...TIME_ZONES, currentZoneName(own)].sort()])].map(zone => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }));
}

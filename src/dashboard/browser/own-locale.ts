// Loaded by a new sign-up form: it starts with the reader's own time zone and its currency.
/// <reference lib="dom" />
import { currentZoneName } from '../settings/time-zone-names.js';
import { currencyOfZone } from '../settings/zone-currencies.js';

const zone = currentZoneName(Intl.DateTimeFormat().resolvedOptions().timeZone);
choose('timeZone', zone);
choose('currency', currencyOfZone(zone));

function choose(name: string, own: string | null): void {
  const select = document.querySelector<HTMLSelectElement>(`select[name="${name}"]`);
  if (own === null || !select) return;
  // A choice may be older than this script.
  const isChosen = !select.options[select.selectedIndex]?.defaultSelected;
  if (!isChosen && [...select.options].some(({ value }) => value === own)) select.value = own;
}

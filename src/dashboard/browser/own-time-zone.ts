// Loaded by a new sign-up form: it starts with the reader's own time zone.
/// <reference lib="dom" />
import { currentZoneName } from '../settings/time-zone-names.js';

const zones = document.querySelector<HTMLSelectElement>('select[name="timeZone"]');
const own = currentZoneName(Intl.DateTimeFormat().resolvedOptions().timeZone);
if (zones && [...zones.options].some(({ value }) => value === own)) zones.value = own;

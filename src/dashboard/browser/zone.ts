// Chooses the reader's own time zone where nobody has chosen one yet.
/// <reference lib="dom" />

const select = document.querySelector<HTMLSelectElement>('select[name="timeZone"]');
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (select?.value === 'UTC' && [...select.options].some(({ value }) => value === zone))
  select.value = zone;

export {};

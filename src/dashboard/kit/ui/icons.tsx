// Icons as inline SVG, so that they take the colour of the text and need no request. Each is drawn
// on a grid of 24 by 24 with lines that CSS styles (.icon).

const PATHS = {
  overview: 'M4 20V11M10 20V4M16 20v-6M21 20H3',
  invoices: 'M6 3h9l4 4v14H6zM14.5 3v4.5H19M9.5 12h6M9.5 16h6',
  payments: 'M3 6.5h18v11H3zM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M6 9.6v.1M18 14.4v.1',
  report: 'M6 3h9l4 4v14H6zM14.5 3v4.5H19M9.5 17.5l6-6M10 12v.1M15 17v.1',
  inventory: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  settings:
    'M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M8 14.5a2.5 2.5 0 ' +
    '1 1 0 5 2.5 2.5 0 0 1 0-5',
  key: 'M8 11.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8M11 12.5L20 3.5M16 7.5l3 3',
  members:
    'M9 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7M2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 5.2a' +
    '3.3 3.3 0 0 1 0 6.1M18.3 14.8c2 .9 3.2 2.8 3.2 5.2',
  alert: 'M12 4l9.5 16.5h-19zM12 10v4.5M12 17.4v.1',
  company: 'M4 20.5V4.5h9v16M13 9.5h7v11M2.5 20.5h19M7.5 8.5h2M7.5 12.5h2M7.5 16.5h2M16.5 13.5v.1',
  queues: 'M12 3.5l9 4.5-9 4.5L3 8zM3 12.2l9 4.5 9-4.5M3 16.4l9 4.5 9-4.5',
  more: 'M5.2 12h-.4M12.2 12h-.4M19.2 12h-.4M5 11.8v.4M12 11.8v.4M19 11.8v.4',
  account: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M4 20.5c0-4 3.6-6 8-6s8 2 8 6',
  'sign-out': 'M14 4H5v16h9M10 12h11M17.5 8.5L21 12l-3.5 3.5',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14M16.2 16.2L21 21',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7',
  close: 'M6 6l12 12M18 6L6 18',
  up: 'M7 14l5-5 5 5',
  upload: 'M12 16V4M7.5 8.5L12 4l4.5 4.5M4 15.5v5h16v-5',
  download: 'M12 4v12M7.5 11.5L12 16l4.5-4.5M4 15.5v5h16v-5',
  print: 'M7 8V3.5h10V8M7 17H3.5V8h17v9H17M7 14h10v6.5H7z',
  customer:
    'M4 9.5L5.5 4h13L20 9.5M5.5 12v8.5h13V12M4 9.5a2.7 2.7 0 0 0 5.3 0 2.7 2.7 0 0 0 5.4 0 ' +
    '2.7 2.7 0 0 0 5.3 0M10 20.5V15h4v5.5',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon. The text beside it says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

// The files that pages load: our stylesheet and browser modules, and the font and the chart
// library from their packages. Modules keep the relative paths of the sources, so a browser imports
// the very file that the server computes with.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAssets, interFont } from '../../platform/http/assets.js';

// The stylesheet and the icons exist only in the sources, the modules only in the compiled tree.
const SOURCES = fileURLToPath(new URL('../../../../src/dashboard/kit/ui', import.meta.url));
const COMPILED = fileURLToPath(new URL('../..', import.meta.url));
const BROWSER = 'dashboard/browser';
/** Parts of the stylesheet, the most general first: a later part may override an earlier one. */
const STYLES = [
  'base',
  'components',
  'shell',
  'pages',
  'aging',
  'charts',
  'overview',
  'tables',
  'lists',
  'forms',
  'inventory',
  'invoices',
  'deliveries',
  'payments',
  'customers',
  'paper',
  'settings',
];
/** Server modules that modules of browser/ import: pure, and importing only each other. */
const SHARED = [
  'platform/values/days.js',
  'platform/values/money.js',
  'platform/values/typed-amount.js',
  'ledger/rules/distribution.js',
  'ledger/rules/proportion.js',
  'dashboard/kit/typed-number.js',
  'dashboard/kit/ui/format.js',
  'dashboard/invoices/form/amounts.js',
  'dashboard/invoices/form/credit.js',
  'dashboard/invoices/totals.js',
  'dashboard/payments/money/amounts.js',
  'dashboard/credit-notes/preview.js',
  'invoices/defaults.js',
  'invoices/pricing.js',
  'invoices/tax-reasons.js',
  'dashboard/settings/time-zone-names.js',
  'dashboard/settings/zone-currencies.js',
];

export const assets = createAssets('/assets', () => {
  const uplot = join(dirname(createRequire(import.meta.url).resolve('uplot/package.json')), 'dist');
  const font = interFont();
  const styles = [
    join(uplot, 'uPlot.min.css'),
    ...STYLES.map(name => join(SOURCES, 'styles', `${name}.css`)),
  ];
  const modules = readdirSync(join(COMPILED, BROWSER), { encoding: 'utf8', recursive: true })
    .filter(name => name.endsWith('.js'))
    .map(name => `${BROWSER}/${name}`);
  return new Map([
    ['styles.css', Buffer.concat([font.css, ...styles.map(file => readFileSync(file))])],
    ...font.files,
    ['icon.svg', readFileSync(join(SOURCES, 'icon.svg'))],
    ['favicon.ico', readFileSync(join(SOURCES, 'favicon.ico'))],
    [`${BROWSER}/uplot.js`, readFileSync(join(uplot, 'uPlot.esm.js'))],
    ...[...SHARED, ...modules].map(name => [name, readFileSync(join(COMPILED, name))] as const),
  ]);
});

/** The address of a module of browser/, such as 'chart.js'. */
export function scriptPath(name: string): string {
  return assets.path(`${BROWSER}/${name}`);
}

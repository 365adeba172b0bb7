// The summary that `npm start` prints when everything runs: addresses, the demo company's sign-in
// and key, and a curl line for each main request. Short lines, which work as pasted.
import { styleText } from 'node:util';
import type { Demo } from '../demo/demo.js';
import { API } from '../platform/api-path.js';

/** Prints every event as it happens. */
const LISTEN = 'npm run --silent admin -- webhooks listen';

/** `dataDir` is null if the database is not the embedded one. */
export function banner(baseUrl: string, demo: Demo | null, dataDir: string | null): string {
  const apiUrl = `${baseUrl}${API}`;
  const facts: [name: string, value: string][] = [['Dashboard', bold(baseUrl)]];
  if (demo?.signIn)
    facts.push(['E-mail', demo.signIn.email], ['Password', bold(demo.signIn.password)]);
  facts.push(['API', apiUrl], ['API docs', `${baseUrl}/docs`]);
  if (demo) facts.push(['Events', `${LISTEN} --company ${demo.companyId}`]);
  const data = dataDir === null ? 'DATABASE_URL' : `${dataDir} (to start over, stop and delete it)`;
  facts.push(['Data', data], ['Stop', 'Ctrl-C']);
  return [
    '',
    bold(`Tradepost is ready: ${baseUrl}`),
    '',
    ...facts.map(([name, value]) => `  ${name.padEnd(10)} ${value}`),
    '',
    ...(demo
      ? [`${bold('Try it')} in another terminal:`, '', ...curlLines(apiUrl, demo)]
      : [
          'This database has companies of its own, so there is no demo company.',
          'Create an API key in the dashboard, or with `npm run admin -- key create`.',
        ]),
    '',
    '',
  ].join('\n');
}

/**
 * The key, and the four main requests. `-w` ends each body with a newline, for the shell's next
 * prompt.
 */
function curlLines(apiUrl: string, { key, customer, item }: Demo): string[] {
  const curl = `curl -sSw '\\n' -H "x-api-key: $KEY"`;
  const date = new Date().toISOString().slice(0, 10);
  const items = [{ name: item.name, qty: 2, price: item.price }];
  return [
    `export KEY=${key}`,
    `${curl} '${apiUrl}/summary'`,
    `${curl} '${apiUrl}/invoices?limit=5'`,
    `${curl} '${apiUrl}/invoices' -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify({ customerName: customer, date, items })}'`,
    `${curl} '${apiUrl}/inventory?low=1'`,
  ];
}

function bold(text: string): string {
  return process.stdout.isTTY ? styleText('bold', text) : text;
}

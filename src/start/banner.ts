// The summary that `npm start` prints when everything runs: addresses, the demo company's sign-in and
// key, and a curl line for each main request, which works as pasted.
import { styleText } from 'node:util';
import type { Demo } from '../demo/demo.js';

/** `dataDir` is null if the database is not the embedded one. */
export function banner(baseUrl: string, demo: Demo | null, dataDir: string | null): string {
  const lines = [`Dashboard: ${baseUrl}`];
  if (demo?.signIn)
    lines.push(`Sign in:   ${demo.signIn.email} with password ${demo.signIn.password}`);
  lines.push(`API docs:  ${baseUrl}/docs`);
  if (demo) lines.push(`API key:   ${demo.key} (demo company)`);
  if (dataDir !== null) lines.push(`Data:      ${dataDir} (delete it to start over)`);
  if (demo) lines.push('', 'Try it:', ...curlLines(`${baseUrl}/api/external`, demo));
  else
    lines.push(
      '',
      'This database has companies of its own, so there is no demo company.',
      'Create an API key in the dashboard, or with `npm run admin -- key create`.',
    );
  return `\n${bold(`Tradepost is ready: ${baseUrl}/api/external`)}\n\n${lines.join('\n')}\n\n`;
}

/** The four main requests. `-w` ends each body with a newline, for the shell's next prompt. */
function curlLines(apiUrl: string, { key, customer, item }: Demo): string[] {
  const curl = `curl -sSw '\\n' -H 'x-api-key: ${key}'`;
  const invoice = {
    customerName: customer,
    date: new Date().toISOString().slice(0, 10),
    items: [{ name: item.name, qty: 2, price: item.price }],
  };
  return [
    `${curl} '${apiUrl}/summary'`,
    `${curl} '${apiUrl}/invoices?limit=5'`,
    `${curl} -H 'content-type: application/json' ` +
      `-d '${JSON.stringify(invoice)}' '${apiUrl}/invoices'`,
    `${curl} '${apiUrl}/inventory?low=1'`,
  ];
}

function bold(text: string): string {
  return process.stdout.isTTY ? styleText('bold', text) : text;
}

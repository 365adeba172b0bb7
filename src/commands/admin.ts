// `npm run admin -- …` runs one operator command. Its only output on stdout is one JSON value.
import type { Config } from '../../config/index.js';
import { LOOPBACK_RANGES } from '../../config/webhook-variables.js';
import { DEFAULT_SCOPES, SCOPES } from '../api-keys/model.js';
import { httpUrl } from '../platform/http/address.js';
import { configureWebhooks } from '../webhooks/settings.js';
import { readAdminCommand, runAdminCommand } from './admin-commands.js';
import { printJson, runCommand, withOpenDatabase } from './command.js';

const HELP = `
npm run --silent admin -- COMMAND [OPTIONS]

  company create --name N [--currency USD] [--timezone UTC] [--rate-limit 1000]
                 [--allow-negative-stock] [--terms-days 30|none] [--default-tax-rate 19|none]
                 [--credit-limit-action warn|refuse]
  company update --company ID [the same options] [--no-allow-negative-stock]
  company list
  company profile --company ID --file F   changes what documents show of the company: F has a JSON
                                          Merge Patch, with the logo in base64; prints the profile
  key create --company ID [--name N] [--scopes a,b] [--expires-at 2027-01-31T00:00:00Z]
  key rotate --key ID [--overlap-hours 24]
  key revoke --key ID
  key update --key ID --scopes a,b
  key list --company ID
  user create --company ID --email E --password-stdin
              [--role owner|member|warehouse|readonly] [--operator]
  user list --company ID
  user disable --email E
  user set-role --email E --role owner|member|warehouse|readonly
  user reset-link --email E
  jobs list [--status queued|succeeded|failed] [--company ID]
  jobs retry --job ID | --all [--since 2027-01-31T00:00:00Z] [--company ID]
  texts conflicts
  webhooks list --company ID
  webhooks pause|resume --company ID --endpoint ID
  webhooks test --company ID --endpoint ID [--type invoice.created]
  webhooks redeliver --company ID --endpoint ID
                     --sequence N | --from 2027-01-31T00:00:00Z [--to T] [--only failed|all]
  webhooks listen --company ID [--forward URL] [--types invoice.*,stock.low] [--after N]
                  [--endpoint ID]   prints a line per event until you press Ctrl-C. With a URL it
                                    delivers there, signed with the secret of the endpoint, or with
                                    one that it prints first

Scopes: ${SCOPES.join(', ')}.
Without --scopes, a key has ${DEFAULT_SCOPES.join(', ')}.
A command prints one JSON value (lists are arrays; webhooks listen: one per line) on stdout and
exits 0, or prints one sentence on stderr and exits 1. Uses DATABASE_URL, else the embedded database
in DATA_DIR.
`;

const given = process.argv.slice(2);
const checkArguments = () => void readAdminCommand(given);

await runCommand(HELP, checkArguments, async context => {
  const { publicUrl, host, port } = context.config;
  const baseUrl = publicUrl ?? httpUrl(host ?? '127.0.0.1', port);
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
  process.stdout.once('error', () => interrupted.abort());
  const { signal } = interrupted;
  await configureWebhooks(webhooksOnThisMachine(context.config));
  await withOpenDatabase(context, async () => {
    const adminContext = { readPassword, baseUrl, print: printJson, signal };
    const result = await runAdminCommand(given, adminContext);
    if (result !== undefined) printJson(result);
  });
  return 0;
});

/** Outside of production, the settings are those that npm start gives to its processes. */
function webhooksOnThisMachine({ webhooks, dataDir, nodeEnv }: Config) {
  if (nodeEnv === 'production') return { webhooks, dataDir };
  const allow = webhooks.allow.length > 0 ? webhooks.allow : LOOPBACK_RANGES.split(',');
  return { webhooks: { ...webhooks, generatesKey: true, allow }, dataDir };
}

async function readPassword(): Promise<string> {
  let input = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk;
  return input.replace(/\r?\n$/u, '');
}

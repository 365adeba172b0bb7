// The options of the commands for developers, such as `npm run bench`.
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  mode: ['redis', 'postgres'],
  postgres: ['embedded', 'installed'],
};

/** The values of the program's options. Prints what is wrong with them, and exits with 2. */
export function readOptions<const Own extends Options>(options: Own) {
  const values = parse(options);
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (!choices.includes(String(value)))
      refuseOptions(`--${name} must be ${choices.join(' or ')}, not ${value}.`);
  }
  return values;
}

function parse<const Own extends Options>(options: Own) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    const [reason] = (error as Error).message.split('. ');
    return refuseOptions(`${reason}.`);
  }
}

export function refuseOptions(sentence: string): never {
  process.stderr.write(`${sentence} See --help.\n`);
  process.exit(2);
}

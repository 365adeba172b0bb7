// The examples of each operation's requests and answers. test/api-docs/examples.test.ts records
// them from a running service, and fails if the service no longer gives these answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The files exist only in the sources, like the assets.
const FOLDER = fileURLToPath(new URL('../../../src/api-docs/examples', import.meta.url));

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** Examples by their names. */
export type Examples = Readonly<Record<string, Example>>;

export interface OperationExamples {
  /** The path of the first request, below the API's base path. */
  readonly path: string;
  readonly requests?: Examples;
  /** The examples of each successful answer, by status. */
  readonly answers: Readonly<Record<string, Examples>>;
}

export function examplesOf(operationId: string): OperationExamples {
  return JSON.parse(readFileSync(join(FOLDER, `${operationId}.json`), 'utf8'));
}

// A client of the pool while one piece of work uses it.
import type pg from 'pg';
import { leavesConnectionUsable } from '../postgres-errors.js';

/** A client that the pool lends for one piece of work. */
export class LentClient {
  /** The error after which the client must not be reused. */
  brokenBy: Error | undefined;
  readonly client: pg.PoolClient;
  readonly #prepares: boolean;

  constructor(client: pg.PoolClient, prepares: boolean) {
    this.client = client;
    this.#prepares = prepares;
  }

  async query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    const statement = this.#prepares
      ? { name: statementName(text), text, values }
      : { text, values };
    return (await this.#send<Row>(statement)).rows;
  }

  /** Sends the statements that `send` sends before it awaits anything in one packet. */
  together<Result>(send: () => Result): Result {
    const { stream } = this.client.connection;
    stream.cork();
    try {
      return send();
    } finally {
      stream.uncork();
    }
  }

  /** Runs a command without values and returns its tag, such as COMMIT. */
  async command(text: string): Promise<string> {
    return (await this.#send({ text })).command;
  }

  async #send<Row extends object>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    try {
      return await this.client.query<Row>(statement);
    } catch (error) {
      if (!leavesConnectionUsable(error)) this.brokenBy = error as Error;
      throw error;
    }
  }
}

const statementNames = new Map<string, string>();

function statementName(text: string): string {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  const name = `tradepost_${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

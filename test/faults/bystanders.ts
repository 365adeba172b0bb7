// Companies that share nothing with the one that a fault concerns. Meanwhile they write at a steady
// rate, which no late answer slows down, so the judge can tell whether they noticed.
import { setTimeout as delay } from 'node:timers/promises';
import type { TestCompany } from '../support/factories.js';
import { chooseWrite, makeEntry } from './clients.js';
import { sendWrite } from './exchange.js';
import { startSpan, type Trial } from './history.js';
import type { Entry, Journal } from './journal.js';
import type { Random } from './random.js';
import type { System } from './system.js';

/** Ten writes per second and company: far below the capacity of one worker. */
const WRITE_EVERY_MS = 50;

export interface BystandersOptions {
  readonly companies: readonly TestCompany[];
  /** The company that faults concern. Its promises are judged as well. */
  readonly victim: TestCompany;
  readonly journal: Journal;
  readonly graceMs: number;
  readonly random: Random;
}

export class Bystanders {
  /** False while a second fault runs, which may disturb every company. */
  isJudged = true;
  readonly #options: BystandersOptions;
  #count = 0;

  constructor(options: BystandersOptions) {
    this.#options = options;
  }

  get victim(): TestCompany {
    return this.#options.victim;
  }

  /** Makes the bystanders write while `work` runs. Resolves when all of them are answered. */
  async watch(system: System, what: string, work: () => Promise<void>): Promise<void> {
    const { companies } = this.#options;
    const trial: Trial = { what, entries: [], ...startSpan() };
    const writes: Promise<void>[] = [];
    let isOver = false;
    const write = async () => {
      for (let count = 0; !isOver; count += 1) {
        const company = companies[count % companies.length] as TestCompany;
        const entry = this.#makeEntry(system, company, null);
        trial.entries.push(entry);
        writes.push(this.#send(system, entry));
        await delay(WRITE_EVERY_MS);
      }
    };
    await system.history.during(this.isJudged ? system.history.trials : [], trial, async () => {
      const writing = write();
      await work().finally(() => {
        isOver = true;
      });
      await writing;
    });
    await Promise.all(writes);
  }

  /** Sends a write of the victim, which the judge checks like any other. */
  writeAsVictim(system: System, prefer: string | null): Promise<void> {
    return this.#send(system, this.#makeEntry(system, this.victim, prefer));
  }

  #makeEntry({ webPorts, targets }: System, company: TestCompany, prefer: string | null): Entry {
    const { graceMs, random } = this.#options;
    this.#count += 1;
    const port = random.pick(webPorts);
    const key = `steady-${this.#count}`;
    const request = chooseWrite(key, company, targets, random);
    return makeEntry(key, request, company, port, prefer, graceMs);
  }

  async #send({ targets }: System, entry: Entry): Promise<void> {
    await this.#options.journal.write([entry], async () => [await sendWrite(entry.port, entry)]);
    targets.learn(entry);
  }
}

/** The bystanders of a run, whose companies exist while faults run. */
export function bystandersOf({ bystanders }: System): Bystanders {
  if (!bystanders) throw new Error('the companies of the load do not exist yet');
  return bystanders;
}

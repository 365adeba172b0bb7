// Starts the product's processes and restarts each one that ends, as in production. Records when
// one was killed, stopped or frozen, and when one ended by itself.
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Launched,
  launch,
  PROCESS_SCRIPTS,
  type ProcessType,
  until,
} from '../support/processes.js';
import { type Downtime, type History, startSpan } from './history.js';

const RESTART_MS = 300;
const READY_TIMEOUT_MS = 60_000;
/** Error or fatal. */
const ERROR_LEVEL = /^\{"level":[56]0,/u;
/** A log line in a report. */
const MAX_LINE = 500;

interface Supervised {
  readonly name: string;
  readonly type: ProcessType;
  readonly env: Record<string, string>;
  launched: Launched;
  /** Added by a fault to the environment of the next start only. */
  extraEnv: Record<string, string>;
  isReady: boolean;
  kills: number;
  /** From the signal that ends the process, or from its end, until the next one is ready. */
  downtime: Downtime | null;
  /** Of its log, for the report of an end that nothing explains. */
  lastError: string;
}

/** A process was killed or frozen: the start of a recovery. */
export interface Disturbance {
  readonly what: string;
  readonly at: number;
}

export class Supervisor {
  readonly disturbances: Disturbance[] = [];
  /** False while several faults run: nothing tells which of them an answer waited for. */
  isMeasured = true;
  readonly #processes = new Map<string, Supervised>();
  readonly #history: History;
  readonly #onLine: (name: string, line: string) => void;
  #closing = false;

  /** `onLine` receives every line that a process writes. */
  constructor(history: History, onLine: (name: string, line: string) => void) {
    this.#history = history;
    this.#onLine = onLine;
  }

  /** Starts a process, and again whenever it ends. */
  start(name: string, type: ProcessType, env: Record<string, string>): void {
    const previous = this.#processes.get(name);
    const launched = launch(
      PROCESS_SCRIPTS[type],
      { ...env, ...previous?.extraEnv },
      {
        name,
        onLine: line => this.#readLine(supervised, line),
      },
    );
    const supervised: Supervised = {
      name,
      type,
      env,
      launched,
      extraEnv: {},
      isReady: false,
      lastError: '',
      kills: previous?.kills ?? 0,
      downtime: null,
    };
    this.#processes.set(name, supervised);
    launched.ready.then(
      () => {
        supervised.isReady = true;
        if (previous?.downtime) previous.downtime.to = Date.now();
      },
      () => undefined,
    );
    launched.child.once('exit', (code, signal) => {
      supervised.isReady = false;
      if (signal === 'SIGKILL') {
        supervised.kills += 1;
        this.addDisturbance(`${type} killed`);
      }
      if (!this.#closing) this.#recordEnd(supervised, code, signal, previous?.downtime);
      setTimeout(() => this.#closing || this.start(name, type, env), RESTART_MS);
    });
  }

  /** The end of a process that nothing told to end is a breach. */
  #recordEnd(
    supervised: Supervised,
    code: number | null,
    signal: NodeJS.Signals | null,
    previous: Downtime | null | undefined,
  ): void {
    const { name, lastError } = supervised;
    if (previous) previous.to = Math.min(previous.to, Date.now());
    if (supervised.downtime) return;
    const isKilled = signal === 'SIGKILL';
    this.#startDowntime(supervised, isKilled ? 'killed' : 'ended by itself');
    if (!isKilled)
      this.#history.breaches.add(`${name} ended by itself with ${code ?? signal}: ${lastError}`);
  }

  #startDowntime(supervised: Supervised, how: Downtime['how']): void {
    supervised.downtime = { port: Number(supervised.env.PORT), how, ...startSpan() };
    this.#history.downtimes.push(supervised.downtime);
  }

  /** A log line is one line of JSON, always. That of a process that is killed may be cut off. */
  #readLine(supervised: Supervised, line: string): void {
    const { name } = supervised;
    this.#onLine(name, line);
    if (!line.startsWith('{'))
      this.#history.breaches.add(`${name} wrote a line that is not JSON: ${line}`);
    else if (ERROR_LEVEL.test(line)) supervised.lastError = line.slice(0, MAX_LINE);
  }

  async stopAll(): Promise<void> {
    this.#closing = true;
    const all = [...this.#processes.values()].map(({ launched }) => launched);
    for (const { child } of all) child.kill('SIGCONT');
    await Promise.all(all.map(launched => launched.stop()));
  }

  /** Waits until every process runs and is ready. */
  async allReady(): Promise<void> {
    await until(
      'every process is ready',
      async () => [...this.#processes.values()].every(({ isReady }) => isReady),
      READY_TIMEOUT_MS,
    );
  }

  /** Ends a process. The supervisor restarts it, once with `extraEnv` in its environment. */
  async restart(
    name: string,
    signal: NodeJS.Signals,
    extraEnv: Record<string, string> = {},
  ): Promise<void> {
    const supervised = this.#processOf(name);
    supervised.extraEnv = extraEnv;
    supervised.isReady = false;
    if (!supervised.downtime)
      this.#startDowntime(supervised, signal === 'SIGKILL' ? 'killed' : 'stopped');
    supervised.launched.child.kill(signal);
    await supervised.launched.ended;
  }

  names(type: ProcessType): string[] {
    return [...this.#processes.values()]
      .filter(supervised => supervised.type === type)
      .map(({ name }) => name);
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.#processOf(name).launched.child.kill(signal);
  }

  /** Freezes a process for some seconds. Requests to it cannot be answered in time meanwhile. */
  async freeze(name: string, seconds: number): Promise<void> {
    const { env, type } = this.#processOf(name);
    const freeze = { port: Number(env.PORT), ...startSpan() };
    await this.#history.during(this.#history.freezes, freeze, async () => {
      this.signal(name, 'SIGSTOP');
      this.addDisturbance(`${type} stopped`);
      await delay(seconds * 1000);
      this.signal(name, 'SIGCONT');
    });
  }

  /** True while a SIGSTOP keeps the process from running. */
  isFrozen(name: string): boolean {
    const pid = String(this.#processOf(name).launched.child.pid);
    const { stdout } = spawnSync('ps', ['-o', 'state=', '-p', pid], { encoding: 'utf8' });
    return stdout.trim().startsWith('T');
  }

  /** Of the process that runs now. */
  pid(name: string): number {
    return this.#processOf(name).launched.pid;
  }

  /** How often this process was killed. */
  kills(name: string): number {
    return this.#processOf(name).kills;
  }

  /** Records the start of a recovery. */
  addDisturbance(what: string): void {
    if (this.isMeasured) this.disturbances.push({ what, at: Date.now() });
  }

  #processOf(name: string): Supervised {
    const supervised = this.#processes.get(name);
    if (!supervised) throw new Error(`there is no process ${name}`);
    return supervised;
  }
}

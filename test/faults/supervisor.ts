// Starts the product's processes and restarts each one that ends, as in production. Records when
// faults killed or froze one.
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Launched,
  launch,
  PROCESS_SCRIPTS,
  type ProcessType,
  until,
} from '../support/processes.js';

const RESTART_MS = 300;
const READY_TIMEOUT_MS = 60_000;

interface Supervised {
  readonly name: string;
  readonly type: ProcessType;
  readonly env: Record<string, string>;
  launched: Launched;
  /** Added by a fault to the environment of the next start only. */
  extraEnv: Record<string, string>;
  isReady: boolean;
  kills: number;
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
  readonly #freezes: { readonly port: number; readonly from: number; to: number }[] = [];
  readonly #onLine: (name: string, line: string) => void;
  #closing = false;

  /** `onLine` receives every line that a process writes. */
  constructor(onLine: (name: string, line: string) => void) {
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
        onLine: line => this.#onLine(name, line),
      },
    );
    const kills = previous?.kills ?? 0;
    const supervised = { name, type, env, launched, extraEnv: {}, isReady: false, kills };
    this.#processes.set(name, supervised);
    launched.ready.then(
      () => {
        supervised.isReady = true;
      },
      () => undefined,
    );
    launched.child.once('exit', (_code, signal) => {
      supervised.isReady = false;
      if (signal === 'SIGKILL') {
        supervised.kills += 1;
        this.addDisturbance(`${type} killed`);
      }
      setTimeout(() => this.#closing || this.start(name, type, env), RESTART_MS);
    });
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
    const freeze = { port: Number(env.PORT), from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.#freezes.push(freeze);
    this.signal(name, 'SIGSTOP');
    this.addDisturbance(`${type} stopped`);
    await delay(seconds * 1000);
    this.signal(name, 'SIGCONT');
    freeze.to = Date.now();
  }

  /** True if the web process at this port was frozen at some moment between the two. */
  wasFrozen(port: number, from: number, to: number): boolean {
    return this.#freezes.some(
      freeze => freeze.port === port && freeze.from <= to && freeze.to >= from,
    );
  }

  /** True while a SIGSTOP keeps the process from running. */
  isFrozen(name: string): boolean {
    const pid = String(this.#processOf(name).launched.child.pid);
    const { stdout } = spawnSync('ps', ['-o', 'state=', '-p', pid], { encoding: 'utf8' });
    return stdout.trim().startsWith('T');
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

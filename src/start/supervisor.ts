// Runs the Procfile's processes as children with one log, restarts them after a crash, and stops
// them in order. Each child has its own session, so Ctrl-C reaches only this process; a child that
// loses its parent stops by itself.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { jittered } from '../platform/async/back-off.js';

const RESTART_MIN_MS = 500;
const RESTART_MAX_MS = 10_000;
/** Longer than the processes' own stop deadline. */
const KILL_AFTER_MS = 17_000;

export interface ProcessLine {
  readonly name: string;
  readonly command: string;
}

/** The processes of a Procfile, without `release`. */
export async function readProcfile(path: string): Promise<ProcessLine[]> {
  const lines = (await readFile(path, 'utf8'))
    .split('\n')
    .map(line => /^([\w-]+):\s*(\S.*)$/u.exec(line));
  return lines.flatMap(match =>
    match?.[1] && match[2] && match[1] !== 'release' ? [{ name: match[1], command: match[2] }] : [],
  );
}

interface Child {
  readonly name: string;
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
}

export class Supervisor {
  readonly #children = new Map<string, Child>();
  readonly #print: (name: string, line: string) => void;
  readonly #restarts = new Map<string, NodeJS.Timeout>();
  #stopping = false;

  /** `print` receives each line that a process writes, and a message for each restart. */
  constructor(print: (name: string, line: string) => void) {
    this.#print = print;
  }

  /**
   * Starts a process and resolves with the message it sends when ready. Rejects if it exits before
   * that. If it exits later, it is restarted on the same port.
   */
  start(line: ProcessLine, env: NodeJS.ProcessEnv): Promise<{ port?: number }> {
    return new Promise((resolve, reject) => {
      let ready: { port?: number } | undefined;
      const startedAt = Date.now();
      const child = this.#spawn(line, env);
      child.on('message', message => {
        ready = message as { port?: number };
        resolve(ready);
      });
      child.once('exit', (code, signal) => {
        if (this.#stopping) return;
        if (!ready) return reject(new Error(`${line.name} did not start; see its last log lines`));
        this.#print(line.name, `exited (${signal ?? `code ${code}`}); restarting it`);
        const wasShort = Date.now() - startedAt < RESTART_MAX_MS;
        const samePort = ready.port === undefined ? env : { ...env, PORT: String(ready.port) };
        this.#restartLater(line, samePort, wasShort ? RESTART_MIN_MS * 4 : RESTART_MIN_MS);
      });
    });
  }

  /** Stops the processes one by one in this order, then the rest; SIGKILL after the deadline. */
  async stop(order: readonly string[]): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#restarts.values()) clearTimeout(timer);
    for (const name of order) await this.#stopOne(name);
    await Promise.all([...this.#children.keys()].map(name => this.#stopOne(name)));
  }

  #spawn({ name, command }: ProcessLine, env: NodeJS.ProcessEnv): ChildProcess {
    const [program = '', ...args] = command.split(/\s+/u);
    const child = spawn(program === 'node' ? process.execPath : program, args, {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const ended = new Promise<void>(resolve => {
      child.once('exit', () => {
        if (this.#children.get(name)?.process === child) this.#children.delete(name);
        resolve();
      });
    });
    this.#children.set(name, { name, process: child, ended });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', text => this.#print(name, text));
    }
    return child;
  }

  #restartLater(line: ProcessLine, env: NodeJS.ProcessEnv, delayMs: number): void {
    const restart = async (): Promise<void> => {
      this.#restarts.delete(line.name);
      try {
        await this.start(line, env);
      } catch {
        if (!this.#stopping) this.#restartLater(line, env, Math.min(delayMs * 2, RESTART_MAX_MS));
      }
    };
    this.#restarts.set(
      line.name,
      setTimeout(() => void restart(), jittered(delayMs)),
    );
  }

  async #stopOne(name: string): Promise<void> {
    const child = this.#children.get(name);
    if (!child) return;
    child.process.kill('SIGTERM');
    const timer = setTimeout(() => child.process.kill('SIGKILL'), KILL_AFTER_MS);
    await child.ended;
    clearTimeout(timer);
  }
}

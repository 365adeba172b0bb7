// A turn of an endpoint: what a worker does while it has the lease. It reads the next events and
// the deliveries that are due, sends them without a transaction, and stores the outcomes and the
// position in one transaction if the lease still holds.
import { readEvents } from '../../events/read.js';
import { matchTypes } from '../../events/types.js';
import { type AttemptOutcome, isSuccess } from '../sending/outcome.js';
import { webhookHeaders } from '../sending/request.js';
import type { Sender } from '../sending/sender.js';
import {
  type AttemptRecord,
  type ChosenDelivery,
  chooseDeliveries,
  type DeliveryState,
  type EndpointRef,
  eventItems,
  type Item,
  readStates,
  stateAfter,
} from './deliveries.js';
import { type Health, healthAfter, MAX_PROBE_PAUSE_MS, QUICK_MS } from './health.js';
import type { LeasedSecrets } from './leased-secrets.js';
import type { EndpointState } from './load.js';
import type { Slots } from './slots.js';

/** A turn ends after so many events, so that other endpoints have theirs. */
const MAX_EVENTS = 50;
/** New events leave this much of a turn to retries and redeliveries. */
const MIN_OTHERS = 10;
const AT_ONCE = 4;

/** The outcome of a turn, to be stored. */
export interface TurnResult {
  readonly records: readonly AttemptRecord[];
  readonly before: ReadonlyMap<number, DeliveryState>;
  readonly after: ReadonlyMap<number, DeliveryState>;
  readonly health: Health;
  readonly position: number;
  readonly redelivered: readonly ChosenDelivery[];
  /** Deliveries whose events have expired. */
  readonly expired: readonly number[];
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
}

export interface TurnParts {
  readonly sender: Pick<Sender, 'send'>;
  readonly slots: Slots;
  readonly leased: Pick<LeasedSecrets, 'secrets' | 'signal' | 'refresh'>;
}

export class Turn {
  readonly #ref: EndpointRef;
  readonly #endpoint: EndpointState;
  readonly #parts: TurnParts;
  readonly #before = new Map<number, DeliveryState>();
  readonly #after = new Map<number, DeliveryState>();
  readonly #records: AttemptRecord[] = [];
  readonly #redelivered: ChosenDelivery[] = [];
  readonly #expired: number[] = [];
  #health: Health;
  #position: number;
  #lastSuccessAt: number | null = null;
  #lastFailureAt: number | null = null;

  constructor(ref: EndpointRef, endpoint: EndpointState, parts: TurnParts) {
    this.#ref = ref;
    this.#endpoint = endpoint;
    this.#parts = parts;
    this.#health = endpoint.health;
    this.#position = endpoint.position;
  }

  async run(): Promise<TurnResult> {
    const { status, isOrdered } = this.#endpoint;
    if (status === 'active') {
      if (this.#health.failing) await this.#probe();
      else if (isOrdered) await this.#deliverInOrder();
      else await this.#deliver();
    }
    if (!this.#isStopped()) await this.#redeliver();
    return {
      records: this.#records,
      before: this.#before,
      after: this.#after,
      health: this.#health,
      position: this.#position,
      redelivered: this.#redelivered,
      expired: this.#expired,
      lastSuccessAt: this.#lastSuccessAt,
      lastFailureAt: this.#lastFailureAt,
    };
  }

  /** New events in sequence, several at once; retries after them. */
  async #deliver(): Promise<void> {
    await this.#deliverNew(MAX_EVENTS, AT_ONCE);
    if (this.#isStopped() || this.#health.failing) return;
    const limit = Math.max(MIN_OTHERS, MAX_EVENTS - this.#records.length);
    const chosen = await chooseDeliveries(this.#ref, 'retry', limit);
    await this.#send(await this.#itemsOf(chosen, 'retry'), AT_ONCE);
  }

  /** One at a time. A pending event holds up all later ones. */
  async #deliverInOrder(): Promise<void> {
    const pending = await chooseDeliveries(this.#ref, 'held up', MAX_EVENTS);
    for (const chosen of pending) {
      if (!chosen.isDue || this.#isStopped()) return;
      await this.#send(await this.#itemsOf([chosen], 'retry'), 1);
      if (this.#lastFailureAt !== null) return;
    }
    if (pending.length < MAX_EVENTS) await this.#deliverNew(MAX_EVENTS - pending.length, 1);
  }

  /** One attempt of a failing endpoint. */
  async #probe(): Promise<void> {
    const { isOrdered, isProbeDue } = this.#endpoint;
    if (!isProbeDue) return;
    const choice = isOrdered ? 'held up' : 'probe';
    const chosen = await chooseDeliveries(this.#ref, choice, 1);
    const items = await this.#itemsOf(chosen, 'probe');
    if (items.length > 0) await this.#send(items, 1);
    else await this.#deliverNew(1, 1);
    if (this.#records.length === 0) this.#postponeProbe();
  }

  /** There is nothing to probe with. */
  #postponeProbe(): void {
    const { failing } = this.#health;
    const probeAt = this.#endpoint.now() + MAX_PROBE_PAUSE_MS;
    if (failing) this.#health = { ...this.#health, failing: { ...failing, probeAt } };
  }

  /** After new events, so they never delay one. */
  async #redeliver(): Promise<void> {
    const limit = Math.max(MIN_OTHERS, MAX_EVENTS - this.#records.length);
    const chosen = await chooseDeliveries(this.#ref, 'manual', limit);
    await this.#send(await this.#itemsOf(chosen, 'manual'), AT_ONCE);
    const attempted = new Set(
      this.#records.flatMap(({ event, trigger }) => (trigger === 'manual' ? event.sequence : [])),
    );
    this.#redelivered.push(...chosen.filter(({ sequence }) => attempted.has(sequence)));
  }

  async #deliverNew(limit: number, atOnce: number): Promise<void> {
    const { companyId } = this.#ref;
    const types = matchTypes(this.#endpoint.types);
    const from = this.#position;
    const { events, after } = await readEvents(companyId, { after: from, limit, types });
    // The position may have been moved back: what was delivered is not sent again.
    const states = await readStates(
      this.#ref,
      events.map(({ sequence }) => sequence),
    );
    const trigger = this.#health.failing ? 'probe' : 'first';
    const items = events.flatMap(event =>
      states.has(event.sequence) ? [] : [{ event, trigger } as const],
    );
    const unfinished = await this.#send(items, atOnce);
    this.#position = unfinished ? unfinished.event.sequence - 1 : after;
  }

  /** The events of deliveries, with their states. Remembers which ones have expired. */
  async #itemsOf(chosen: readonly { sequence: number }[], trigger: Item['trigger']) {
    const sequences = chosen.map(({ sequence }) => sequence);
    const items = await eventItems(this.#ref.companyId, sequences, trigger);
    const unknown = sequences.filter(sequence => !this.#after.has(sequence));
    for (const [sequence, state] of await readStates(this.#ref, unknown)) {
      this.#before.set(sequence, state);
      this.#after.set(sequence, state);
    }
    const found = new Set(items.map(({ event }) => event.sequence));
    this.#expired.push(...sequences.filter(sequence => !found.has(sequence)));
    return items;
  }

  /**
   * Sends the items, which start in their order, one at a time until the first quick success.
   * Returns the first one that has no outcome because the turn was stopped.
   */
  async #send(items: readonly Item[], atOnce: number): Promise<Item | undefined> {
    const { slots } = this.#parts;
    const { companyId } = this.#ref;
    const finished = new Set<Item>();
    const waiting = [...items];
    let isQuick = false;
    const runOne = async (): Promise<void> => {
      while (waiting.length > 0 && this.#mayStart()) {
        await this.#parts.leased.refresh();
        const item = this.#mayStart() ? waiting.shift() : undefined;
        if (!item) return;
        isQuick = await this.#attempt(item, finished);
        if (isQuick) widen();
      }
    };
    const runs: Promise<void>[] = [];
    let running = 1;
    const runFurther = async (): Promise<void> => {
      await runOne();
      slots.release(companyId);
      running -= 1;
    };
    const widen = (): void => {
      while (running < atOnce && waiting.length > 0 && slots.tryTake(companyId)) {
        running += 1;
        runs.push(runFurther());
      }
    };
    await runOne();
    // A run that ends may have started others.
    for (let index = 0; index < runs.length; index += 1) await runs[index];
    return items.find(item => !finished.has(item));
  }

  /** True after a quick success. */
  async #attempt(item: Item, finished: Set<Item>): Promise<boolean> {
    const { sender, leased } = this.#parts;
    const { secrets, signal } = leased;
    const { url, now, isOrdered } = this.#endpoint;
    const { event, trigger } = item;
    const { sequence } = event;
    const at = now();
    const requestHeaders = webhookHeaders(event, secrets, at);
    const outcome = await sender.send({ url, headers: requestHeaders, body: event.body }, signal);
    // A request that was cut off may have arrived. It is sent again.
    if (signal.aborted) return false;
    const endedAt = now();
    const known = this.#after.get(sequence);
    const state = stateAfter(known, { trigger, outcome }, isOrdered, endedAt);
    const { attempts: number } = state;
    this.#after.set(sequence, state);
    this.#records.push({ ...item, number, at, outcome, requestHeaders });
    finished.add(item);
    if (trigger !== 'manual') this.#count(sequence, trigger === 'probe', outcome, endedAt);
    return isSuccess(outcome) && outcome.durationMs <= QUICK_MS;
  }

  #count(sequence: number, isProbe: boolean, outcome: AttemptOutcome, now: number): void {
    const { isOrdered } = this.#endpoint;
    this.#health = healthAfter(this.#health, { sequence, isProbe, outcome }, isOrdered, now);
    if (isSuccess(outcome)) this.#lastSuccessAt = now;
    else this.#lastFailureAt = now;
  }

  #mayStart(): boolean {
    const { isOrdered, health } = this.#endpoint;
    if (this.#isStopped()) return false;
    if (isOrdered && this.#lastFailureAt !== null) return false;
    // A turn that began with a probe has one attempt.
    const isProbing = health.failing !== null;
    return isProbing || !this.#health.failing;
  }

  #isStopped(): boolean {
    return this.#parts.leased.signal.aborted || this.#health.disabled !== null;
  }
}

// The stored form of events. A row of the feed has the stubs of consecutive events as one JSON
// array. A stub is [type, subject id, actor, data], without `data` if it has none.
import type { Actor } from '../companies/actor.js';

export type EventActor = Pick<Actor, 'kind' | 'id'>;

/** An event to append. */
export interface NewEvent {
  readonly type: string;
  /** The id of the record that has changed; '' for an event about many records. */
  readonly subjectId: string;
  readonly actor: EventActor | null;
  /** The part that later changes overwrite, as JSON. The rest is read with the event. */
  readonly data?: unknown;
}

/** An event as it was appended. */
export interface StoredEvent extends NewEvent {
  readonly sequence: number;
  /** RFC 3339 in UTC with milliseconds. */
  readonly timestamp: string;
}

export interface FeedRow {
  readonly first: number;
  readonly timestamp: string;
  readonly stubs: string;
}

/** Stands for the actor of the stub before. A batch often has one actor. */
const SAME = 0;

type Stub = [type: string, subjectId: string, actor: string | null | typeof SAME, data?: unknown];

export function writeStubs(events: readonly NewEvent[]): string {
  let before: string | null | undefined;
  return JSON.stringify(
    events.map(({ type, subjectId, actor, data }): Stub => {
      const name = actor && `${actor.kind}:${actor.id}`;
      const shown = name === before ? SAME : name;
      before = name;
      return data === undefined ? [type, subjectId, shown] : [type, subjectId, shown, data];
    }),
  );
}

export function readStubs({ first, timestamp, stubs }: FeedRow): StoredEvent[] {
  let actor: EventActor | null = null;
  return (JSON.parse(stubs) as Stub[]).map(([type, subjectId, named, data], index) => {
    if (named !== SAME) actor = named === null ? null : parseActor(named);
    const sequence = first + index;
    return { sequence, timestamp, type, subjectId, actor, data };
  });
}

function parseActor(name: string): EventActor {
  const [kind = '', id = ''] = name.split(':');
  return { kind: kind as EventActor['kind'], id };
}

// Undoing an import: the button on the import's page, and why an undo was refused.
import type { UndoRefusal } from '../../imports/kind.js';
import type { ImportRecord } from '../../imports/queries.js';
import { Panel, Time } from '../kit/ui/components.js';
import { Button, Form } from '../kit/ui/fields.js';
import { formatCount, formatQuantity } from '../kit/ui/format.js';

/** The words of a kind of import about its undo. */
export interface UndoWords<Obstacle> {
  /** Sentences about an undo, and about the records that the import added. */
  readonly effect: string;
  readonly done: string;
  /** The noun of one record, and the pronoun of "as long as none of its items has changed". */
  readonly record: string;
  readonly none: string;
  /** A record that kept the import from being undone. */
  show(obstacle: Obstacle): {
    readonly path: string;
    readonly name: string;
    readonly reason: string;
    /** The sentence if only such records did, which may pass. */
    readonly passing?: (records: string) => string;
  };
}

interface UndoProps {
  readonly words: UndoWords<unknown>;
  readonly found: ImportRecord;
  /** The address of the form. */
  readonly action: string;
}

/** Nothing for an import that was undone, or that cannot be undone. */
export function UndoPanel({ words, found, action }: UndoProps) {
  const { undo = null, undoUntil = null, canUndo = false, undoRefusal = null } = found;
  if (undo === 'done' || (!canUndo && undo === null)) return null;
  return (
    <Panel title="Undo this import" split class="danger-zone">
      {undo === 'failed' && (
        <p class="message bad">Something went wrong on our side, so nothing was undone.</p>
      )}
      {undo !== 'failed' && undoRefusal !== null && <Refusal words={words} refusal={undoRefusal} />}
      {canUndo && undoUntil !== null && passingOf(words, undoRefusal) !== null && (
        <>
          <p>
            {words.effect} This works until <Time at={undoUntil} />, as long as {words.none} has
            changed since.
          </p>
          <Form action={action} label="Undo this import" inline>
            <Button danger>Undo import</Button>
          </Form>
        </>
      )}
    </Panel>
  );
}

interface RefusalProps {
  readonly words: UndoWords<unknown>;
  readonly refusal: UndoRefusal<unknown>;
}

function Refusal({ words, refusal }: RefusalProps) {
  const { total, first } = refusal;
  const records = formatCount(total, words.record);
  const passing = passingOf(words, refusal);
  const why = passing?.(records) ?? `${records} changed since the import.`;
  return (
    <>
      <p class="message bad">Nothing was undone: {why}</p>
      <ul class="plain-list">
        {first.map(obstacle => {
          const { path, name, reason } = words.show(obstacle);
          return (
            <li key={path}>
              <a href={path}>{name}</a>: {reason}
            </li>
          );
        })}
      </ul>
      {total > first.length && <p class="note">And {formatQuantity(total - first.length)} more.</p>}
    </>
  );
}

/** Null if the undo is refused for good: a later change stays later. */
function passingOf(
  words: UndoWords<unknown>,
  refusal: UndoRefusal<unknown> | null,
): ((records: string) => string) | null {
  if (refusal === null) return records => records;
  const [first] = refusal.first;
  return first === undefined ? null : (words.show(first).passing ?? null);
}

// When an entry was made, and by whom. An entry may be dated on another day than it was made.
import { useContext } from 'preact/hooks';
import type { ShownActor } from '../../../companies/actor.js';
import { dayIn } from '../../../platform/values/days.js';
import { By, Day, PageContext, Time } from '../../kit/ui/components.js';

interface EntryTimeProps {
  readonly date: string;
  readonly createdAt: string;
  readonly createdBy: ShownActor | null;
}

export function EntryTime({ date, createdAt, createdBy }: EntryTimeProps) {
  const { timeZone } = useContext(PageContext);
  return (
    <>
      {date !== dayIn(timeZone, new Date(createdAt)) && (
        <>
          Dated <Day on={date} />
          {' · '}
        </>
      )}
      {createdBy !== null && (
        <>
          <By actor={createdBy} />
          {' · '}
        </>
      )}
      <Time at={createdAt} />
    </>
  );
}

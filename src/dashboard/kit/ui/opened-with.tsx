// The values that the fields of a form had when its page was opened: only changed ones are saved.
import { useContext } from 'preact/hooks';
import { FormContext, useLimits, useShownText } from '../forms/form-context.js';
import { WAS_PREFIX } from '../forms/form-state.js';

/** Records the values of the fields when the page was opened, for `changedOnly`. */
export function OpenedWith({ names }: { names: readonly string[] }) {
  return (
    <>
      {names.map(name => (
        <Opened key={name} name={name} />
      ))}
    </>
  );
}

function Opened({ name }: { name: string }) {
  const earlier = useContext(FormContext).values.get(WAS_PREFIX + name);
  const { isNumber = false } = useLimits(name);
  const shown = useShownText(name, isNumber);
  return <input type="hidden" name={WAS_PREFIX + name} value={earlier ?? shown ?? ''} />;
}

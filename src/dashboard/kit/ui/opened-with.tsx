// The values that the fields of a form had when its page was opened: only changed ones are saved.
import { useContext } from 'preact/hooks';
import { FormContext } from '../forms/form-context.js';
import { WAS_PREFIX } from '../forms/form-state.js';

/** Records the values of the fields when the page was opened, for `changedOnly`. */
export function OpenedWith({ names }: { names: readonly string[] }) {
  const { values } = useContext(FormContext);
  return (
    <>
      {names.map(name => (
        <input
          key={name}
          type="hidden"
          name={WAS_PREFIX + name}
          value={values.get(WAS_PREFIX + name) ?? values.get(name) ?? ''}
        />
      ))}
    </>
  );
}

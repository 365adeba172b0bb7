// A text that is shown once and wants to be taken along.

interface CopyableProps {
  readonly label: string;
  readonly text: string;
  /** Several lines, such as a command. */
  readonly block?: boolean;
}

/** The text to select by hand, and a button that copies it where scripts run. */
export function Copyable({ label, text, block }: CopyableProps) {
  const Tag = block ? 'pre' : 'code';
  return (
    <div class="copyable">
      <p class="copyable-label">{label}</p>
      <Tag class="copyable-text" tabindex={0} role="group" aria-label={label}>
        {text}
      </Tag>
      <button type="button" class="button quiet" data-copy hidden>
        Copy<span class="unseen"> {label}</span>
      </button>
    </div>
  );
}

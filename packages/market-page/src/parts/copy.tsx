import { useState } from 'preact/hooks';

const TOLD_MS = 1_500;

/** A text with a button that copies it. */
export function Copy({ text, label }: { readonly text: string; readonly label?: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), TOLD_MS);
  };
  return (
    <span class="copy">
      <code title={text}>{text}</code>
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${label ?? text}`}>
        {done ? 'copied' : 'copy'}
      </button>
    </span>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';

/** How long the button says “Copied”. */
const COPIED_MS = 1_500;

/** A text with a button that copies it. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span class="copy">
      <code title={text}>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** The API calls whose data is shown, for a terminal. */
export function ApiCalls({ urls }: { readonly urls: readonly (string | undefined)[] }) {
  return (
    <details class="calls" open>
      <summary class="muted">API calls behind this view</summary>
      <ul>
        {urls.map((url) => (
          <li key={url}>
            {url && <Copy text={`curl -s '${url}'`} label={`Copy as curl: ${new URL(url).pathname}`} />}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** @param props.label name for screen readers @param props.name what the button says */
export function CopyButton(props: { readonly text: string; readonly label: string; readonly name?: string }) {
  const [done, setDone] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    await navigator.clipboard.writeText(props.text);
    setDone(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setDone(false), COPIED_MS);
  };
  // Browsers have a clipboard only on a secure origin. Elsewhere the reader can select the text.
  if (!('clipboard' in navigator)) return null;
  return (
    <button
      type="button"
      class="small"
      aria-live="polite"
      aria-label={done ? 'Copied' : props.label}
      title={props.text}
      onClick={() => void copy()}
    >
      {done ? 'Copied' : (props.name ?? 'Copy')}
    </button>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';

/** How long the button says “Copied”. */
const COPIED_MS = 1_500;

/** A text with a button that copies it. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span class="copy">
      <code title={text}>{text}</code>
      <CopyButton text={text} label={label}>
        Copy
      </CopyButton>
    </span>
  );
}

/** A button that copies an API call as a command. */
export function CopyCall({ url }: { readonly url: string }) {
  return (
    <CopyButton text={`curl -s '${url}'`} label="Copy as curl: the API call behind this list">
      Copy as curl
    </CopyButton>
  );
}

function CopyButton(props: { readonly text: string; readonly label: string; readonly children: string }) {
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
      {done ? 'Copied' : props.children}
    </button>
  );
}

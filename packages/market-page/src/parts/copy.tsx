import { useEffect, useRef, useState } from 'preact/hooks';

const COPIED_MS = 1_500;

/** Ids and API calls for programs. Closed at first. */
export function ForDevelopers(props: {
  readonly urls: readonly (string | undefined)[];
  readonly ids?: Readonly<Record<string, string>>;
}) {
  const calls = props.urls.filter((url) => url !== undefined);
  return (
    <details class="developers">
      <summary class="muted">For developers</summary>
      <dl>
        {Object.entries(props.ids ?? {}).map(([name, id]) => (
          <CopyRow key={name} name={name} text={id} />
        ))}
        {calls.map((url) => (
          <CopyRow key={url} name={`API: ${new URL(url).pathname}`} text={`curl -s '${url}'`} />
        ))}
      </dl>
    </details>
  );
}

function CopyRow({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code title={text}>{text}</code>
        <CopyButton text={text} label={`Copy: ${name}`} />
      </dd>
    </div>
  );
}

/** @param props.label for screen readers @param props.name visible */
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
  // Browsers have a clipboard only on a secure origin. Elsewhere the reader selects the text.
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

import { useEffect, useState } from 'preact/hooks';

/** The button says "Copied" for this long. */
const COPIED_MS = 1_500;

/** The ids and API calls of what is shown, folded, each with a button that copies it. */
export function ForDevelopers(props: {
  /** The addresses of the calls; undefined for one that has not been made yet. */
  readonly urls: readonly (string | undefined)[];
  /** Ids by their names. */
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

/** A text with its name and a button that copies it. */
function CopyRow({ name, text }: { readonly name: string; readonly text: string }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
  };
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code title={text}>{text}</code>
        {/* Browsers have a clipboard only on a secure origin. Elsewhere the reader selects the text. */}
        {'clipboard' in navigator && (
          <button
            type="button"
            class="small"
            aria-live="polite"
            aria-label={done ? 'Copied' : `Copy: ${name}`}
            onClick={() => void copy()}
          >
            {done ? 'Copied' : 'Copy'}
          </button>
        )}
      </dd>
    </div>
  );
}

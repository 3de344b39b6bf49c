import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { dateTime } from '../format.ts';
import { client } from '../state/service.ts';
import { useSimulated } from '../state/status.ts';
import { useRead } from '../state/use-read.ts';

/** An address in a text. Users of Polymarket write the rules: only addresses become links. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>"().,;:!?'])/;

/**
 * The rules of a market: the text that decides its question, folded after five lines
 * (`detail.css`). The page reads it on request: ten opened markets a minute would otherwise exceed
 * the rate limit.
 */
export function MarketRules({ id }: { readonly id: string }) {
  const isSimulated = useSimulated();
  const text = useRef<HTMLParagraphElement>(null);
  const [isRequested, setRequested] = useState(false);
  const [isFolded, setFolded] = useState(true);
  const [isLong, setLong] = useState(false);
  const { value, error } = useRead('rules', id, (signal) => client.marketRules(id, { signal }), {
    while: isRequested,
  });
  const { description, resolutionSource, readAt } = value?.data ?? {};
  useLayoutEffect(() => {
    if (text.current && isFolded)
      setLong(text.current.scrollHeight > text.current.clientHeight + 1);
  }, [description]);
  return (
    <section class="rules" aria-label="Rules">
      <h3>
        Rules{' '}
        {readAt && (
          <small>
            {isSimulated ? 'simulated' : 'of Polymarket'}, read {dateTime(readAt)}
          </small>
        )}
      </h3>
      {isRequested ? (
        <p ref={text} class={isFolded ? 'folded' : ''}>
          {description && <Linked text={description} />}
          {description === null && 'Polymarket has no rules for this market.'}
          {!value && (error === undefined ? 'Loading …' : 'The rules could not be read yet.')}
        </p>
      ) : (
        <button type="button" class="small" onClick={() => setRequested(true)}>
          Show the rules
        </button>
      )}
      {isLong && (
        <button
          type="button"
          class="small"
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        >
          {isFolded ? 'All rules' : 'Less'}
        </button>
      )}
      {resolutionSource && (
        <p class="muted">
          Source: <Linked text={resolutionSource} />
        </p>
      )}
    </section>
  );
}

/** A text whose addresses are links. */
function Linked({ text }: { readonly text: string }) {
  // The parts at odd places are the addresses, because ADDRESS is a group.
  return text.split(ADDRESS).map((part, n) => {
    if (n % 2 === 0) return part;
    return (
      <a key={n} href={part} rel="noopener nofollow">
        {part}
      </a>
    );
  });
}

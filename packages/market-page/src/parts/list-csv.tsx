import { useState } from 'preact/hooks';
import { MAX_SEARCH_LIMIT } from '../../../../lambda/core/contract/constants.ts';
import { csvUrl, type ListContent, searchCsv } from '../state/list.ts';
import { saveFile } from '../state/save-file.ts';

/** Pages of a search in one file: a third of the requests allowed in a minute. */
const MAX_PAGES = 20;

/** The whole list as a file, and how Excel opens it without rounding the ids. */
export function ListCsv({ content }: { readonly content: ListContent }) {
  const [state, setState] = useState<'new' | 'reading' | 'read' | 'failed'>('new');
  const { total, view } = content;
  const isPaged = view.query !== '' && total > MAX_SEARCH_LIMIT;
  const count = isPaged ? Math.min(total, MAX_PAGES * MAX_SEARCH_LIMIT) : total;
  const name = `${view.event ?? 'markets'}.csv`;
  const label = (
    <>
      {state === 'reading' ? 'Reading …' : 'CSV'}
      <span class="roomy">
        {state !== 'reading' &&
          ` of ${count < total ? 'the first' : 'these'} ${count.toLocaleString('en')}`}
      </span>
    </>
  );
  const readPages = async () => {
    setState('reading');
    try {
      saveFile(await searchCsv(content, count), name);
      setState('read');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      {isPaged ? (
        <button
          type="button"
          class="small"
          disabled={state === 'reading'}
          onClick={() => void readPages()}
        >
          {label}
        </button>
      ) : (
        <a class="small" href={csvUrl(content)} download={name} onClick={() => setState('read')}>
          {label}
        </a>
      )}
      {(state === 'read' || state === 'failed') && (
        <small class="hint" role="status">
          {state === 'failed'
            ? 'The file could not be read. Try again in a minute.'
            : 'In Excel: Data, From Text/CSV, with the type Text for clobTokenId. A double click rounds the ids.'}
        </small>
      )}
    </>
  );
}

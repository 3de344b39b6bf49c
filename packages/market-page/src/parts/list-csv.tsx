import { useState } from 'preact/hooks';
import { MAX_SEARCH_LIMIT } from '../../../../lambda/core/contract/constants.ts';
import { csvUrl, type ListContent, searchCsv } from '../state/list.ts';
import { saveFile } from '../state/save-file.ts';

/** The largest number of pages in one file: a third of the requests allowed in a minute. */
const MAX_PAGES = 20;

/** The button that saves the whole list as a CSV file, and then a hint for Excel. */
export function ListCsv({ content }: { readonly content: ListContent }) {
  const [state, setState] = useState<'new' | 'reading' | 'read' | 'failed'>('new');
  const { total, view } = content;
  // The API returns a long search only in pages, which the page joins. The browser itself saves any
  // other list, which is one response.
  const isPaged = view.query !== '' && total > MAX_SEARCH_LIMIT;
  const count = isPaged ? Math.min(total, MAX_PAGES * MAX_SEARCH_LIMIT) : total;
  const name = `${view.event ?? 'markets'}.csv`;
  const which = count < total ? 'the first' : 'these';
  const label = (
    <>
      CSV<span class="roomy">{` of ${which} ${count.toLocaleString('en')}`}</span>
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
          {state === 'reading' ? 'Reading …' : label}
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

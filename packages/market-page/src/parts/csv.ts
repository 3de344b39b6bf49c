import type { Page } from '../state/list.ts';
import { COLUMNS } from './market-row.tsx';

/** The rows of the page as RFC 4180, with the names of the API. */
export function csvOf({ markets }: Pick<Page, 'markets'>): string {
  const fields = COLUMNS.flatMap((column) => ('field' in column ? [column.field] : []));
  const names = ['id', 'question', 'outcome', 'eventTitle', 'currentProbability', ...fields, 'endDate'] as const;
  const lines = markets.map((row) => names.map((name) => cell(row[name])).join(','));
  return [names.join(','), ...lines, ''].join('\r\n');
}

/** A spreadsheet would run a text that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: string | number | null | undefined): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

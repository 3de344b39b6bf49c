import type { Navigation } from '../state/use-navigation.ts';

export interface Sortable {
  readonly label: string;
  readonly about?: string;
  readonly sort: string;
  readonly first: 'asc' | 'desc';
}

/** The sort keys of the columns, for narrow lists without column headers. */
export function SortChoice(props: {
  readonly columns: readonly Sortable[];
  /** Sort key of the list. */
  readonly by: string | undefined;
  /** The order of the view in words. */
  readonly usual: string;
  readonly navigation: Navigation;
}) {
  const { columns, by, usual, navigation } = props;
  const choose = (sort: string) => {
    const column = columns.find((candidate) => candidate.sort === sort);
    navigation.go(column ? { sort, order: column.first } : { sort: undefined, order: undefined });
  };
  return (
    <label class="sort-choice muted">
      Sorted by{' '}
      <select
        value={navigation.shown.sort && columns.some(({ sort }) => sort === by) ? by : ''}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{usual}</option>
        {columns.map(({ label, about, sort }) => (
          <option key={sort} value={sort}>
            {`${about ?? ''}${label}`}
          </option>
        ))}
      </select>
    </label>
  );
}

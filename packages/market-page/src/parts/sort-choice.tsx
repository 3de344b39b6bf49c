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
  readonly navigation: Navigation;
}) {
  const { columns, by, navigation } = props;
  const choose = (sort: string) => {
    const column = columns.find((candidate) => candidate.sort === sort);
    navigation.go(column ? { sort, order: column.first } : { sort: undefined, order: undefined });
  };
  return (
    <label class="sort-choice">
      Sorted by{' '}
      <select
        value={columns.some(({ sort }) => sort === by) ? by : ''}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">order of this view</option>
        {columns.map(({ label, about, sort }) => (
          <option key={sort} value={sort}>
            {`${about ?? ''}${label}`}
          </option>
        ))}
      </select>
    </label>
  );
}

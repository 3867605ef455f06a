/** A text table with columns of equal width, below their titles. */
export function alignColumns(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The same, of items. @param columns by title: the cell of an item */
export const tabulate = <T>(columns: Readonly<Record<string, (item: T) => string>>, items: readonly T[]): string =>
  alignColumns(
    Object.keys(columns),
    items.map((item) => Object.values(columns).map((write) => write(item))),
  );

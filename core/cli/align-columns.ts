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

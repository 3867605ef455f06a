/** How formulas begin in spreadsheets. A negative number is none. */
const FORMULA = /^[=+@\t\r\n\uff1d\uff0b\uff0d\uff20]|^-(?!\d*\.?\d+$)/;

/** RFC 4180. Text that a spreadsheet would run as a formula gets a leading quote. @param {string} cell */
const writeCell = (cell) => {
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** @param {unknown} value */
const writeValue = (value) => (Array.isArray(value) ? JSON.stringify(value) : String(value ?? ''));

/**
 * Nested members become columns: `usage.input`.
 * @param {string} prefix
 * @param {object} item
 * @returns {[string, string][]}
 */
const flatten = (prefix, item) =>
  Object.entries(item).flatMap(([name, member]) => {
    const column = prefix === '' ? name : `${prefix}.${name}`;
    return typeof member === 'object' && member !== null && !Array.isArray(member)
      ? flatten(column, member)
      : [/** @type {[string, string]} */ ([column, writeValue(member)])];
  });

/** @param {readonly object[]} items */
export const writeCsv = (items) => {
  const rows = items.map((item) => new Map(flatten('', item)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))]
    .map((row) => `${row.map(writeCell).join(',')}\r\n`)
    .join('');
};

/** Saves a file. @param {string} name @param {string} text */
const save = (name, text) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};

/** @param {string} name @param {() => Promise<readonly object[]> | readonly object[]} read */
export const exportCsv = async (name, read) => save(name, writeCsv(await read()));

/** @typedef {{ readonly next: string | null }} Next */

/** The most that is read page by page for a file. */
const MOST = 10_000;

/**
 * All items of a list that the gateway pages.
 * @template {string} N
 * @param {N} name the member of a page that has its items
 * @param {(cursor: string, signal: AbortSignal) => Promise<Readonly<Record<N, readonly object[]>> & Next>} read
 */
export const readPages = async (name, read) => {
  /** @type {object[]} */
  const all = [];
  let cursor = '';
  do {
    const page = await read(cursor, AbortSignal.timeout(10_000));
    all.push(...page[name]);
    cursor = page.next ?? '';
  } while (cursor !== '' && all.length < MOST);
  return all;
};

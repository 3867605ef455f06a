/** @import { ComponentChildren } from 'preact' */
/** @import { ReportLine } from '../../data/usage-report.js' */

/**
 * A column of figures: what a line has for it, by which it is sorted, and how that is written.
 * @template V
 * @param {string} title
 * @param {string} sort
 * @param {(line: ReportLine) => V} read
 * @param {(value: V, line: ReportLine) => ComponentChildren} write
 * @param {'small' | 'medium'} [not]
 */
export const figure = (title, sort, read, write, not) => ({
  title,
  sort,
  isNumber: true,
  not,
  read,
  write: (/** @type {ReportLine} */ line) => write(read(line), line),
});

/**
 * What a row is sorted by.
 * @param {readonly { sort: string, read: (line: ReportLine) => unknown }[]} figures
 * @param {ReportLine} line
 */
export const valuesOf = (figures, line) => Object.fromEntries(figures.map(({ sort, read }) => [sort, read(line)]));

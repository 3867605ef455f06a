/** @import { Row } from './table.js' */

/** `-cost` as `['cost', true]`. @param {string} by @returns {readonly [name: string, isDown: boolean]} */
export const orderOf = (by) => (by.startsWith('-') ? [by.slice(1), true] : [by, false]);

/** @param {string | number} one @param {string | number} other */
const compare = (one, other) =>
  typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));

/** Rows without a value are last in both directions. @param {readonly Row[]} rows @param {string} by */
export const sortRows = (rows, by) => {
  const [name, isDown] = orderOf(by);
  if (name === '') return rows;
  return rows.toSorted(({ values: one = {} }, { values: other = {} }) => {
    const [left, right] = [one[name] ?? undefined, other[name] ?? undefined];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return isDown ? compare(right, left) : compare(left, right);
  });
};

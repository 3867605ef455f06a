/**
 * Length in Unicode code points, the unit of OpenAI's citations. The length of a JavaScript string counts UTF-16 units.
 */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _point of text) count += 1;
  return count;
}

/** Length in Unicode code points: what OpenAI's citations count in, while a JavaScript string counts the halves of a pair. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _point of text) count += 1;
  return count;
}

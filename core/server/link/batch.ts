/**
 * Sends the items of one turn of the event loop together. A message between processes costs about the same whether it
 * carries one item or fifty.
 */
export function createBatch<T>(send: (items: readonly T[]) => void): (item: T) => void {
  let waiting: T[] = [];
  const flush = (): void => {
    const items = waiting;
    waiting = [];
    send(items);
  };
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(flush);
  };
}

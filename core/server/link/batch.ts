/**
 * Collects what one turn of the event loop brings and sends it in one piece: a message between processes costs the same whether it
 * carries one question or fifty.
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

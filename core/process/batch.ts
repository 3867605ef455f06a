/**
 * Collects what one turn of the event loop brings and sends it in one piece: a message between processes costs the same whether it
 * carries one question or fifty.
 * @param send must throw before anything is sent, if at all
 * @param refuse is told of an item that cannot be sent even alone
 */
export const createBatch = <T>(send: (items: readonly T[]) => void, refuse: (item: T, error: unknown) => void): ((item: T) => void) => {
  let waiting: T[] = [];
  const sendAlone = (item: T): void => {
    try {
      send([item]);
    } catch (error) {
      refuse(item, error);
    }
  };
  const flush = (): void => {
    const items = waiting;
    waiting = [];
    try {
      send(items);
    } catch {
      items.forEach(sendAlone);
    }
  };
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(flush);
  };
};

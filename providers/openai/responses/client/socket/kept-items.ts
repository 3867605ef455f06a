/** Responses that a socket can continue, and the bytes of their conversations. The oldest goes first. */
const MAX_RESPONSES = 32;
const MAX_BYTES = 8_388_608;

/**
 * The conversations of one socket, by the id of their last response: what the client sent and what the model answered,
 * as the text of a list of items without its brackets.
 */
export class KeptItems {
  readonly #byId = new Map<string, string>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get(id: string): string | undefined {
    return this.#byId.get(id);
  }

  set(id: string, items: string): void {
    this.delete(id);
    if (items.length > MAX_BYTES) return;
    this.#byId.set(id, items);
    this.#bytes += items.length;
    for (const oldest of this.#byId.keys()) {
      if (this.#byId.size <= MAX_RESPONSES && this.#bytes <= MAX_BYTES) return;
      this.delete(oldest);
    }
  }

  delete(id: string): void {
    this.#bytes -= this.#byId.get(id)?.length ?? 0;
    this.#byId.delete(id);
  }

  clear(): void {
    this.#byId.clear();
    this.#bytes = 0;
  }
}

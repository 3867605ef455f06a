declare global {
  /** https://github.com/tc39/proposal-json-parse-with-source: available in Node, not yet in TypeScript's library. */
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): boolean;
  }
}

/**
 * An integer beyond 2^53 with all its digits, which JSON.stringify writes unchanged. A leaf, not an object, for every
 * reader.
 */
export interface RawNumber {
  readonly rawJSON: string;
}

/** Whether the value is an integer that is kept with all its digits. */
export const isRawNumber = (value: unknown): value is RawNumber => JSON.isRawJSON(value);

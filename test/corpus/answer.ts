/** What an answer says, in no wire's words: what must be the same on both sides of a translation. */
export interface Answer {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly finish: string | null;
  /** The text, or a part of it, is a refusal. */
  readonly refused?: boolean;
  /** Undefined where the recording has none. */
  readonly usage: { readonly input: number; readonly cacheRead: number; readonly output: number } | undefined;
}

/** The data of every event in a recorded stream, parsed. Written for tests, apart from the code that it tests. */
export const readEvents = (sse: string): readonly Record<string, unknown>[] =>
  sse
    .split(/\r\n\r\n|\n\n|\r\r/)
    .map((block) =>
      block
        .split(/\r\n|\n|\r/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n'),
    )
    .filter((data) => data !== '' && data !== '[DONE]')
    .map((data) => JSON.parse(data) as Record<string, unknown>);

/** Arguments as a value: an empty text is a call without any. */
export const parseArguments = (text: string): unknown => {
  try {
    return JSON.parse(text === '' ? '{}' : text) as unknown;
  } catch {
    return { _raw: text };
  }
};

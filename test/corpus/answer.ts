/** Why an answer ended, in no wire's words. https://platform.openai.com/docs/api-reference and its like name them one by one. */
export type Reason =
  | 'stop'
  | 'stop_sequence'
  | 'length'
  | 'tool_calls'
  | 'content_filter'
  | 'refusal'
  | 'pause'
  | 'context_overflow'
  | 'error';

/** What an answer says, in no wire's words: what must be the same on both sides of a translation. */
export interface Answer {
  readonly text: string;
  /** The words of a refusal, where the wire has a place for them. */
  readonly refusal: string;
  /** Why there is no text, or no more of it. Wires that have a place for it show it. */
  readonly explanation: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  /** The word of its own wire. */
  readonly finish: string;
  readonly reason: Reason;
  /** Undefined where there is none. Reasoning is undefined where the wire does not say. */
  readonly usage:
    | {
        readonly input: number;
        readonly cacheRead: number;
        readonly output: number;
        readonly reasoning?: number | undefined;
      }
    | undefined;
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

/** Arguments as a value: an empty text is a call without any. What is no object is what wires of objects make of it. */
export const parseArguments = (text: string): unknown => {
  try {
    const value = JSON.parse(text === '' ? '{}' : text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value };
  } catch {
    return { _raw: text };
  }
};

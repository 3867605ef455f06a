/** Why a response ended, independent of any wire. */
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

/** The content of a response, independent of any wire. It must be the same on both sides of a translation. */
export interface Answer {
  readonly text: string;
  /** The text of a refusal, where the wire has one. */
  readonly refusal: string;
  /** Why there is no text, or no more of it, on wires that can show it. */
  readonly explanation: string;
  /** The visible text of the reasoning; white space is not compared. */
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  /** The finish reason as its wire names it. */
  readonly finish: string;
  readonly reason: Reason;
  /** Undefined without usage. Reasoning is undefined where the wire does not report it. */
  readonly usage:
    | {
        readonly input: number;
        readonly cacheRead: number;
        readonly output: number;
        readonly reasoning?: number | undefined;
      }
    | undefined;
}

/** The parsed data of every event of a recorded stream. It does not use the code under test. */
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

/** Arguments as a value. An empty text means no arguments; other values are converted as wires with objects do. */
export const parseArguments = (text: string): unknown => {
  try {
    const value = JSON.parse(text === '' ? '{}' : text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value };
  } catch {
    return { _raw: text };
  }
};

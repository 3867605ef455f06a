import type { JsonObject } from '../../api/index.ts';
import { isObject } from '../../api/codec.ts';

/** A tool call as it stands in a response, read without the codec. In a stream, the arguments can be incomplete. */
export interface RecordedCall {
  readonly name: string;
  readonly id?: string;
  readonly input: unknown;
}

/** A token count as it stands in a response. */
export interface RecordedCount {
  readonly name: string;
  readonly count: number;
  readonly side: 'input' | 'output' | 'any';
}

/** What stands in a response, found by the names that vendors give to such members. */
export interface RecordedContent {
  /** Texts, thoughts and fragments of arguments. */
  readonly texts: readonly string[];
  /** Characters of the texts, and of arguments that are sent by path. */
  readonly length: number;
  readonly calls: readonly RecordedCall[];
  readonly counts: readonly RecordedCount[];
  /** Why the answer ended, in the vendor's words. */
  readonly reasons: readonly string[];
}

/** Members with text of the answer, on any wire. */
const TEXT =
  /^(?:text|content|thinking|reasoning|reasoning_content|refusal|tool_plan|delta|partial_json|arguments|input)$/;
const BY_PATH = /^(?:jsonPath|stringValue)$/;
const REASON = /^(?:finish_?reason|stop_?reason|done_?reason)$/i;
/** Sources, probabilities, echoes of the request, and the steps of which counts are the sum. */
const ASIDE =
  /ground|citation|annotation|logprob|search_results|^(?:iterations|tools|instructions|metadata|prompt|error)$/i;
const COUNT = /token|_count$|Count$/;
/** Limits, estimates, kinds of content within a count, and predictions. */
const NO_COUNT = /^max|estimated|limit|budget|audio|image|video|text|prediction|^tokenCount$|^tokens?$/i;
const INPUT = /prompt|input|cache/i;
const OUTPUT = /completion|output|candidates|thought|reasoning|^eval/i;

const sideOf = (name: string): RecordedCount['side'] =>
  INPUT.test(name) ? 'input' : OUTPUT.test(name) ? 'output' : 'any';

/** A call has a name beside its arguments, or both within `function`. */
function readCall(object: Readonly<JsonObject>): RecordedCall | undefined {
  const inner = isObject(object['function']) ? object['function'] : object;
  const { name } = inner;
  const input = inner['arguments'] ?? inner['input'] ?? inner['args'];
  if (typeof name !== 'string' || name === '' || input === undefined) return undefined;
  const id = object['call_id'] ?? object['id'];
  return { name, input, ...(typeof id === 'string' && id !== '' ? { id } : {}) };
}

/** Reads bodies or frames of one response. Counts are those of the last frame that has them. */
export function readContent(values: readonly unknown[]): RecordedContent {
  const texts: string[] = [];
  const calls: RecordedCall[] = [];
  const reasons: string[] = [];
  const counts = new Map<string, RecordedCount>();
  let length = 0;
  const visit = (name: string, value: unknown): void => {
    if (typeof value === 'string' && TEXT.test(name)) texts.push(value);
    if (typeof value === 'string' && (TEXT.test(name) || BY_PATH.test(name))) length += value.length;
    if (typeof value === 'string' && REASON.test(name)) reasons.push(value);
    if (Number.isSafeInteger(value) && COUNT.test(name) && !NO_COUNT.test(name))
      counts.set(name, { name, count: value as number, side: sideOf(name) });
    if (Array.isArray(value)) for (const entry of value) visit(name, entry);
    else if (isObject(value) && !ASIDE.test(name)) {
      const call = readCall(value);
      if (call !== undefined) calls.push(call);
      for (const [key, child] of Object.entries(value)) visit(key, child);
    }
  };
  for (const value of values) visit('', value);
  return { texts, length, calls, counts: [...counts.values()], reasons };
}

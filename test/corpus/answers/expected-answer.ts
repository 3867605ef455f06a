import { isDeepStrictEqual } from 'node:util';
import type { Expectation } from '../../../core/testing/index.ts';
import type { Answer } from './answer.ts';

const INPUT = ['inputUncached', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'cacheWrite12h'] as const;

const usageOf = (usage: NonNullable<Expectation['usage']>): Required<NonNullable<Answer['usage']>> => ({
  input: INPUT.reduce((sum, name) => sum + (usage[name] ?? 0), 0),
  cacheRead: usage.cacheRead ?? 0,
  output: usage.output ?? 0,
  reasoning: usage.reasoning ?? 0,
});

const squash = (text: string): string => text.replaceAll(/\s/g, '');
const show = (got: unknown, recorded: unknown): string =>
  `${JSON.stringify(got)?.slice(0, 300)} for ${JSON.stringify(recorded)?.slice(0, 300)}`;

/** A call of a custom tool has a text; clients of most wires get it as the member `input`. */
const inputOf = ({ kind, input }: Readonly<Record<string, unknown>>): unknown =>
  kind === 'custom' ? { input } : input === '' ? {} : typeof input === 'string' ? { _raw: input } : input;

/** Where the expectation of a recording differs from what is read in the recording without the code under test. */
export function differenceOf({ choices = [], usage }: Expectation, recorded: Answer): string | undefined {
  const [{ parts, finish } = { parts: [] }] = choices;
  const textOf = (...types: readonly string[]): string =>
    parts.map((part) => (types.includes(String(part['type'])) ? String(part['text']) : '')).join('');
  const [text, recordedText] = [textOf('text', 'refusal'), recorded.text + recorded.refusal];
  if (text !== recordedText && text !== recordedText + recorded.explanation) return `text ${show(text, recordedText)}`;
  const reasoning = textOf('reasoning');
  if (squash(reasoning) !== squash(recorded.reasoning)) return `reasoning ${show(reasoning, recorded.reasoning)}`;
  const calls = parts.flatMap((part) =>
    part['type'] === 'tool-call' ? [{ name: part['name'], input: inputOf(part) }] : [],
  );
  if (!isDeepStrictEqual(calls, JSON.parse(JSON.stringify(recorded.calls))))
    return `calls ${show(calls, recorded.calls)}`;
  // A reason without its sequence is one that no other wire can show.
  const reason = finish?.reason === 'stop_sequence' && finish.sequence === undefined ? 'stop' : finish?.reason;
  if (recorded.reason !== reason) return `finish ${show(finish, recorded.reason)}`;
  if (recorded.usage === undefined) return undefined;
  const counted = usageOf(usage ?? {});
  const isSame = (['input', 'cacheRead', 'output', 'reasoning'] as const).every(
    (name) => (recorded.usage?.[name] ?? counted[name]) === counted[name],
  );
  return isSame ? undefined : `usage ${show(counted, recorded.usage)}`;
}

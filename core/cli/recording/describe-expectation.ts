import { isRecognised } from '../../testing/expectation.ts';
import type { Expectation, ExpectedUsage } from '../../testing/recording.ts';

const SHOWN = 60;

const shorten = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
const quote = (text: unknown): string => JSON.stringify(shorten(String(text)));

const INPUT = ['inputUncached', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'cacheWrite12h'] as const;

const describeUsage = (usage: ExpectedUsage | undefined): string => {
  if (usage === undefined) return 'no usage';
  const input = INPUT.reduce((sum, name) => sum + (usage[name] ?? 0), 0);
  return `${input} tokens of input, ${usage.output ?? 0} of output`;
};

/** What was read from a response, in one line, for the person who compares it with the response. */
export function describeExpectation(expected: Expectation): string {
  if (!isRecognised(expected)) return 'nothing is recognised';
  const { choices = [], text, vectors, dimensions, results = [], usage, error } = expected;
  const parts = choices.flatMap((choice) => [
    ...choice.parts.map(({ type, text, name }) => `${String(type)} ${quote(text ?? name ?? '')}`),
    ...(choice.finish === undefined ? [] : [choice.finish.reason]),
  ]);
  return [
    ...parts,
    ...(text === undefined ? [] : [`text ${quote(text)}`]),
    ...results.map((result) => shorten(JSON.stringify(result))),
    ...(vectors === undefined ? [] : [`${vectors.length} vectors of ${dimensions} numbers`]),
    ...(error === undefined ? [] : [`${error.failure}: ${quote(error.message)}`]),
    ...(error === undefined ? [describeUsage(usage)] : []),
  ].join(', ');
}

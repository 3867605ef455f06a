import type { GenerateRequest, Part, Reasoning } from '../../../core/api/index.ts';
import { lookUp } from '../../../core/api/codec.ts';
import { CHARACTERS_PER_TOKEN, cutText } from '../tokens.ts';

const thoughts = [
  'The user wants an answer. First I read the question again, then I look at what was said before,',
  'then I weigh what is known against what is asked, and at last I choose the plainest words for it.',
].flatMap((line) => line.split(' '));

/** Reasoning with the given number of words. */
const composeThought = (words: number): string =>
  Array.from({ length: words }, (_, index) => thoughts[index % thoughts.length] ?? '').join(' ');

const wordsOfEffort: Readonly<Record<string, number>> = {
  minimal: 5,
  low: 10,
  medium: 20,
  high: 40,
  xhigh: 60,
  max: 80,
};
const WORDS = 20;

const isThinking = (reasoning: Reasoning | undefined): reasoning is Reasoning =>
  reasoning !== undefined &&
  reasoning.effort !== 'none' &&
  (reasoning.effort !== undefined || reasoning.budget !== undefined);

/** The reasoning text, within its budget and the tokens of the whole response; empty when the request asks for none. */
export function composeReasoning({ reasoning, maxTokens = Number.POSITIVE_INFINITY }: GenerateRequest): string {
  if (!isThinking(reasoning)) return '';
  const { effort = '', budget = Number.POSITIVE_INFINITY } = reasoning;
  return cutText(
    composeThought(lookUp(wordsOfEffort, effort) ?? WORDS),
    CHARACTERS_PER_TOKEN * Math.min(budget, maxTokens),
  );
}

/** The reasoning with a proof to send back; the proof alone if the client has hidden the reasoning. */
export function composeThoughtPart({ reasoning }: GenerateRequest, text: string, digest: string): readonly Part[] {
  if (text === '') return [];
  const value = Buffer.from(`simulator:${digest.slice(0, 32)}`).toString('base64');
  const shown = reasoning?.show === false ? '' : text;
  return [{ type: 'reasoning', text: shown, proof: { origin: undefined, value } }];
}

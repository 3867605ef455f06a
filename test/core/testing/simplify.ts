import { inputTotal, type GenerateResponse, type Part } from '../../../core/api/index.ts';
import type { Proof } from '../../../core/api/codec.ts';
import { readSignature } from '../../../providers/google/generate-content/carried-reasoning.ts';
import { comparableResponse } from '../../../core/testing/index.ts';

/** Removes what a wire cannot express, before a comparison. */
const simplify =
  (change: (part: Part) => Part, reasons: Readonly<Record<string, string>>) => (response: GenerateResponse) =>
    comparableResponse({
      ...response,
      choices: response.choices.map(({ parts, finish }) => ({
        parts: parts.map(change),
        finish: { ...finish, reason: (reasons[finish.reason] ?? finish.reason) as typeof finish.reason },
      })),
    });

/** Chat completions has one finish reason for refusals and filters. */
export const simplifyChat = simplify((part) => part, { refusal: 'content_filter' });
/** Completions holds text only. */
export const simplifyCompletions = (response: GenerateResponse): unknown =>
  simplifyChat({
    ...response,
    choices: response.choices.map(({ parts, finish }) => {
      const texts = parts.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : ''));
      const text = texts.join('') || (finish.explanation ?? '');
      return { parts: text === '' ? [] : [{ type: 'text', text }], finish };
    }),
  });
/** Messages has no part for a refusal. */
export const simplifyMessages = simplify(
  (part) => (part.type === 'refusal' ? { type: 'text', text: part.text } : part),
  {},
);

/** A call carries the reasoning before it in its signature, which only the client's side reads. */
const ofGoogle = (part: Part): Part => {
  if (part.type === 'refusal') return { type: 'text', text: part.text };
  const carries = part.type === 'tool-call' && part.proof !== undefined && isCarrier(part.proof);
  return carries ? { ...part, proof: undefined } : part;
};
const isCarrier = ({ value }: Proof): boolean => readSignature(value).proof === undefined;

/** Google does not report cache writes. */
const withoutWrites = (response: GenerateResponse): GenerateResponse => {
  const { usage } = response;
  if (usage === undefined) return response;
  const inputUncached = inputTotal(usage) - usage.cacheRead;
  return { ...response, usage: { ...usage, inputUncached, cacheWrite5m: 0, cacheWrite1h: 0 } };
};

const simplifyGoogle = simplify(ofGoogle, { refusal: 'content_filter' });
/** Google has no part for a refusal. */
export const simplifyGenerateContent = (response: GenerateResponse): unknown => simplifyGoogle(withoutWrites(response));

const asText = simplify((part) => (part.type === 'refusal' ? { type: 'text', text: part.text } : part), {
  refusal: 'length',
  content_filter: 'length',
});
/** Interactions has one status for all responses that are not whole. */
export const simplifyInteractions = (response: GenerateResponse): unknown => asText(withoutWrites(response));

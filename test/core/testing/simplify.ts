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

const simplifyGoogle = simplify(ofGoogle, { refusal: 'content_filter' });
/** Google has no part for a refusal, and does not report cache writes. */
export const simplifyGenerateContent = (response: GenerateResponse): unknown => {
  const { usage } = response;
  return simplifyGoogle(
    usage === undefined
      ? response
      : {
          ...response,
          usage: { ...usage, inputUncached: inputTotal(usage) - usage.cacheRead, cacheWrite5m: 0, cacheWrite1h: 0 },
        },
  );
};

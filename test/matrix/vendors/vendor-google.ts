import { splitInHalf } from './vendor-chat.ts';
import type { Json, Tokens } from '../wires.ts';

/** A response of a generate-content vendor. */
export interface GoogleVendorAnswer {
  readonly parts: readonly Json[];
  /** Absent if the prompt was blocked: then there is no candidate. */
  readonly finish?: string;
  /** Other members of the candidate with the finish reason. */
  readonly candidate?: Json;
  readonly promptFeedback?: Json;
  /** The parts of each chunk, to replace those made from `parts`. */
  readonly chunks?: readonly (readonly Json[])[];
}

/** Counts of zero are omitted. */
export const googleUsage = ({ fresh, read, write, output, reasoning }: Tokens): Json => ({
  promptTokenCount: fresh + read + write,
  ...(read === 0 ? {} : { cachedContentTokenCount: read }),
  candidatesTokenCount: output - reasoning,
  ...(reasoning === 0 ? {} : { thoughtsTokenCount: reasoning }),
  totalTokenCount: fresh + read + write + output,
});

const head = { modelVersion: 'vendor-google', responseId: 'vendor-response' };
const contentOf = (parts: readonly Json[]): Json => (parts.length === 0 ? {} : { content: { role: 'model', parts } });
const endOf = ({ finish, candidate }: GoogleVendorAnswer, parts: readonly Json[]): readonly Json[] =>
  finish === undefined ? [] : [{ ...contentOf(parts), finishReason: finish, index: 0, ...candidate }];
const feedbackOf = ({ promptFeedback }: GoogleVendorAnswer): Json =>
  promptFeedback === undefined ? {} : { promptFeedback };
const listOf = (candidates: readonly Json[]): Json => (candidates.length === 0 ? {} : { candidates });

export const googleBody = (answer: GoogleVendorAnswer, tokens: Tokens): string =>
  JSON.stringify({
    ...listOf(endOf(answer, answer.parts)),
    ...feedbackOf(answer),
    usageMetadata: googleUsage(tokens),
    ...head,
  });

/** Texts are sent in two splitInHalf, calls whole. A signature is sent with the last half. */
const splitPart = (part: Json): readonly Json[] => {
  const { text, thoughtSignature: signature, ...others } = part;
  if (typeof text !== 'string') return [part];
  const pieces = splitInHalf(text);
  const signed = signature === undefined ? {} : { thoughtSignature: signature };
  return pieces.map((piece, index) => ({ ...others, text: piece, ...(index === pieces.length - 1 ? signed : {}) }));
};

const frame = (data: Json): string => `data: ${JSON.stringify({ ...data, ...head })}\r\n\r\n`;

export const googleFrames = (answer: GoogleVendorAnswer, tokens: Tokens): readonly string[] => {
  const { parts, finish, chunks = parts.flatMap(splitPart).map((part) => [part]) } = answer;
  const begun = { usageMetadata: googleUsage({ ...tokens, output: 0, reasoning: 0 }) };
  return [
    ...chunks.map((chunk) => frame({ candidates: [{ ...contentOf(chunk), index: 0 }], ...begun })),
    frame({
      ...listOf(endOf(answer, finish === 'STOP' ? [{ text: '' }] : [])),
      ...feedbackOf(answer),
      usageMetadata: googleUsage(tokens),
    }),
  ];
};

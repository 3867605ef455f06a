import type { JsonObject, ReasoningPart } from '../../../core/api/index.ts';
import { type Proof, readObjects, readText } from '../../../core/api/codec.ts';

/**
 * `reasoning_details`: reasoning with its proofs, in OpenRouter's dialect, which clients of this gateway use.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
export interface ReasoningDetail {
  /** Fragments of the same reasoning have the same key. */
  readonly key: string;
  readonly text: string;
  readonly redacted: boolean;
  readonly blob: string;
}

const readDetail = (value: JsonObject, position: number): ReasoningDetail => {
  const type = readText(value['type']);
  const index = typeof value['index'] === 'number' ? `${value['index']}` : `at ${position}`;
  if (type === 'reasoning.encrypted')
    return { key: `${type} ${index}`, text: '', redacted: true, blob: readText(value['data']) };
  const text = readText(type === 'reasoning.summary' ? value['summary'] : value['text']);
  return { key: `${type} ${index}`, text, redacted: false, blob: readText(value['signature']) };
};

/** The entries in order. */
export const readDetails = (value: unknown): readonly ReasoningDetail[] => readObjects(value).map(readDetail);

/**
 * Entries as parts. Neighbours with the same key are fragments of a stream that the client did not join: their texts
 * are joined, and the last proof counts.
 */
export function foldDetails(
  details: readonly ReasoningDetail[],
  proofOf: (blob: string) => Proof,
): readonly ReasoningPart[] {
  const merged: ReasoningDetail[] = [];
  for (const detail of details) {
    const last = merged.at(-1);
    if (last?.key === detail.key)
      merged[merged.length - 1] = {
        ...last,
        text: last.text + detail.text,
        blob: detail.blob === '' ? last.blob : detail.blob,
      };
    else merged.push(detail);
  }
  return merged
    .filter(({ text, blob }) => text !== '' || blob !== '')
    .map(({ text, redacted, blob }) => ({
      type: 'reasoning',
      text,
      ...(redacted ? { redacted } : {}),
      ...(blob === '' ? {} : { proof: redacted ? { ...proofOf(blob), redacted: true } : proofOf(blob) }),
    }));
}

/** The dialect's names for the formats of proofs, by family. */
const formats: Readonly<Record<string, string>> = {
  anthropic: 'anthropic-claude-v1',
  openai: 'openai-responses-v1',
  google: 'google-gemini-v1',
  xai: 'xai-responses-v1',
};
const formatOf = (proof: Proof | undefined): string => formats[proof?.origin?.family ?? ''] ?? 'unknown';

/** One entry, or in a stream one fragment of it. */
export function writeDetail(
  index: number,
  { text, redacted, proof }: { readonly text?: string; readonly redacted?: boolean; readonly proof?: Proof },
  write: (proof: Proof) => string,
): JsonObject {
  if (redacted === true)
    return {
      type: 'reasoning.encrypted',
      data: proof === undefined ? '' : write(proof),
      index,
      format: formatOf(proof),
    };
  return {
    type: 'reasoning.text',
    ...(text === undefined ? {} : { text }),
    ...(proof === undefined ? {} : { signature: write(proof), format: formatOf(proof) }),
    index,
  };
}

/** All reasoning of one message. */
export const writeDetails = (parts: readonly ReasoningPart[], write: (proof: Proof) => string): readonly JsonObject[] =>
  parts.map((part, index) => writeDetail(index, part, write));

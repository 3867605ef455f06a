import { isObject, type Citation, type JsonObject, type Lose } from '../../../../core/index.ts';
import { WIRE } from '../shape.ts';

/** A text that is written, and what it rests on. */
export interface CitedText {
  readonly text: string;
  readonly citations: readonly Citation[];
  /** Where the text begins: its part in a plain answer, the bytes of text before it in a stream. */
  readonly partIndex: number;
  readonly offset: number;
}

/** The wire counts in bytes of UTF-8, the canonical form in code points. */
const countBytes = (points: readonly string[], end: number | undefined): number => Buffer.byteLength((end === undefined ? points : points.slice(0, end)).join(''), 'utf8');

const encodeSegment = ({ text, partIndex, offset }: CitedText, { start = 0, end }: Citation): JsonObject => {
  const points = [...text];
  return {
    ...(partIndex === 0 ? {} : { partIndex }),
    startIndex: offset + countBytes(points, start),
    endIndex: offset + countBytes(points, end),
    text: points.slice(start, end).join(''),
  };
};

/** What this wire's own vendor cited: its source and its segment, as they were. */
const ownSupport = ({ vendor: { wire, value } }: Citation): { readonly chunk: JsonObject; readonly segment: JsonObject } | undefined =>
  wire === WIRE && isObject(value) && isObject(value['groundingChunk']) && isObject(value['segment']) ? { chunk: value['groundingChunk'], segment: value['segment'] } : undefined;

const webChunk = ({ url, title }: Citation): JsonObject | undefined => (url === undefined ? undefined : { web: { uri: url, ...(title === undefined ? {} : { title }) } });

/**
 * The sources of an answer, each once, and the stretches that rest on them.
 * https://ai.google.dev/api/generate-content#GroundingMetadata
 */
export const encodeGrounding = (texts: readonly CitedText[], lose: Lose): JsonObject => {
  const chunks = new Map<string, { readonly chunk: JsonObject; readonly index: number }>();
  const supports: JsonObject[] = [];
  for (const cited of texts) {
    for (const citation of cited.citations) {
      const own = ownSupport(citation);
      const chunk = own?.chunk ?? webChunk(citation);
      if (chunk === undefined) {
        lose('citations', 'dropped', 'generate-content names sources by their address, and a citation has none');
        continue;
      }
      const key = JSON.stringify(chunk);
      const known = chunks.get(key) ?? { chunk, index: chunks.size };
      chunks.set(key, known);
      supports.push({ segment: own?.segment ?? encodeSegment(cited, citation), groundingChunkIndices: [known.index] });
    }
  }
  if (supports.length === 0) return {};
  return { groundingMetadata: { groundingChunks: [...chunks.values()].map(({ chunk }) => chunk), groundingSupports: supports } };
};

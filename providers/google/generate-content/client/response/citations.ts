import type { Citation, JsonObject } from '../../../../../core/api/index.ts';
import { isObject, type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';

/** A text and its citations. */
export interface CitedText {
  readonly text: string;
  readonly citations: readonly Citation[];
  /** Where the text starts: the index of its part in a plain response, the bytes of text before it in a stream. */
  readonly partIndex: number;
  readonly offset: number;
}

/** The wire counts bytes of UTF-8, the canonical form code points. */
export const countBytes = (points: readonly string[], end: number | undefined): number =>
  Buffer.byteLength((end === undefined ? points : points.slice(0, end)).join(''), 'utf8');

const encodeSegment = ({ text, partIndex, offset }: CitedText, { start = 0, end }: Citation): JsonObject => {
  const points = [...text];
  return {
    ...(partIndex === 0 ? {} : { partIndex }),
    startIndex: offset + countBytes(points, start),
    endIndex: offset + countBytes(points, end),
    text: points.slice(start, end).join(''),
  };
};

/** The source and segment of a citation that this wire's vendor made. */
const ownSupport = ({
  vendor: { wire, value },
}: Citation): { readonly chunk: JsonObject; readonly segment: JsonObject } | undefined =>
  wire === WIRE && isObject(value) && isObject(value['groundingChunk']) && isObject(value['segment'])
    ? { chunk: value['groundingChunk'], segment: value['segment'] }
    : undefined;

/** A quotation that this wire's vendor reported. */
const ownQuotation = ({ vendor: { wire, value } }: Citation): JsonObject | undefined =>
  wire === WIRE && isObject(value) && typeof value['uri'] === 'string' ? value : undefined;

const webChunk = ({ url, title }: Citation): JsonObject | undefined =>
  url === undefined ? undefined : { web: omitUndefined({ uri: url, title }) };

interface Sources {
  /** Indices by the JSON of the chunk: each source is listed once. */
  readonly chunks: Map<string, number>;
  readonly supports: JsonObject[];
  readonly quotations: JsonObject[];
}

const addCitation = (
  { chunks, supports, quotations }: Sources,
  cited: CitedText,
  citation: Citation,
  lose: Lose,
): void => {
  const quotation = ownQuotation(citation);
  if (quotation !== undefined) {
    quotations.push(quotation);
    return;
  }
  const own = ownSupport(citation);
  const chunk = own?.chunk ?? webChunk(citation);
  if (chunk === undefined) {
    lose('citations', 'dropped', 'generate-content has no citation without a URL');
    return;
  }
  const source = JSON.stringify(chunk);
  const index = chunks.get(source) ?? chunks.size;
  chunks.set(source, index);
  supports.push({ segment: own?.segment ?? encodeSegment(cited, citation), groundingChunkIndices: [index] });
};

/**
 * Grounding metadata, with sources and the segments that they support, and citation metadata, with quotations.
 * https://ai.google.dev/api/generate-content#GroundingMetadata, …#citationmetadata
 */
export function encodeCitations(texts: readonly CitedText[], queries: readonly string[], lose: Lose): JsonObject {
  const sources: Sources = { chunks: new Map(), supports: [], quotations: [] };
  for (const cited of texts) for (const citation of cited.citations) addCitation(sources, cited, citation, lose);
  const { chunks, supports, quotations } = sources;
  return {
    ...(supports.length === 0 && queries.length === 0
      ? {}
      : {
          groundingMetadata: {
            ...(queries.length === 0 ? {} : { webSearchQueries: queries }),
            groundingChunks: [...chunks.keys()].map((source) => JSON.parse(source) as JsonObject),
            groundingSupports: supports,
          },
        }),
    ...(quotations.length === 0 ? {} : { citationMetadata: { citations: quotations } }),
  };
}

import type { Citation, JsonObject } from '../../../../../core/api/index.ts';
import { readList, readObject, readObjects, readText } from '../../../../../core/api/codec.ts';
import { countCodePoints } from '../../../../../core/api/internal.ts';
import { WIRE } from '../../shape.ts';

/** A citation and the index of its text among the texts of the candidate. */
export interface PlacedCitation {
  readonly text: number;
  readonly citation: Citation;
}

/** A range in bytes of UTF-8, as this wire counts. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The texts of a candidate, joined, and the offset at which each starts. */
interface Texts {
  readonly joined: Buffer;
  readonly starts: readonly number[];
}

const indexTexts = (texts: readonly string[]): Texts => {
  const bytes = texts.map((text) => Buffer.from(text, 'utf8'));
  let at = 0;
  const starts = bytes.map(({ length }) => (at += length) - length);
  return { joined: Buffer.concat(bytes), starts };
};

/** The wire counts bytes of UTF-8, the canonical form code points. */
export const countPoints = (bytes: Buffer): number => countCodePoints(bytes.toString('utf8'));

export const readIndex = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** Converts a byte range of the joined texts into code points of the text in which it starts. */
const locate = ({ joined, starts }: Texts, { start, end }: ByteRange) => {
  if (start >= joined.length) return undefined;
  const text = starts.findLastIndex((begin) => begin <= start);
  const over = starts[text + 1] ?? joined.length;
  const first = countPoints(joined.subarray(starts[text], start));
  return { text, start: first, end: first + countPoints(joined.subarray(start, Math.min(end, over))) };
};

/**
 * The range of a segment. Offsets count from the start of the response in streams, and from the start of one part in
 * plain responses. Some are wrong, so the text of the segment is compared.
 */
const findByteRange = ({ joined, starts }: Texts, segment: Readonly<JsonObject>): ByteRange | undefined => {
  const start = readIndex(segment['startIndex']) ?? 0;
  const end = readIndex(segment['endIndex']);
  if (end === undefined || end <= start) return undefined;
  const text = readText(segment['text']);
  const base =
    text === '' ? 0 : starts.find((offset) => joined.subarray(offset + start, offset + end).toString('utf8') === text);
  return base === undefined ? undefined : { start: base + start, end: base + end };
};

const place = (texts: Texts, segment: Readonly<JsonObject>, citation: Citation): PlacedCitation => {
  const range = findByteRange(texts, segment);
  const found = range === undefined ? undefined : locate(texts, range);
  if (found === undefined) return { text: texts.starts.length - 1, citation };
  return { text: found.text, citation: { ...citation, start: found.start, end: found.end } };
};

const describeSource = (source: Readonly<JsonObject>): Pick<Citation, 'url' | 'title'> => {
  const title = readText(source['title']);
  return { url: readText(source['uri']), ...(title === '' ? {} : { title }) };
};

/** https://ai.google.dev/api/generate-content#GroundingMetadata: each segment with the URLs that support it. */
const readGrounding = (metadata: Readonly<JsonObject>, texts: Texts): readonly PlacedCitation[] => {
  const chunks = readList(metadata['groundingChunks']);
  return readObjects(metadata['groundingSupports']).flatMap((support) => {
    const segment = readObject(support['segment']);
    return readList(support['groundingChunkIndices']).flatMap((index) => {
      const groundingChunk = readObject(typeof index === 'number' ? chunks[index] : undefined);
      const source = readObject(groundingChunk['web'] ?? groundingChunk['maps']);
      if (readText(source['uri']) === '') return [];
      return [
        place(texts, segment, {
          ...describeSource(source),
          vendor: { wire: WIRE, value: { groundingChunk, segment } },
        }),
      ];
    });
  });
};

/**
 * https://ai.google.dev/api/generate-content#CitationMetadata: quotations. Older responses call the list
 * `citationSources`.
 */
const readSources = (metadata: Readonly<JsonObject>, texts: Texts): readonly PlacedCitation[] =>
  readObjects(metadata['citations'] ?? metadata['citationSources']).flatMap((value) =>
    readText(value['uri']) === ''
      ? []
      : [place(texts, value, { ...describeSource(value), vendor: { wire: WIRE, value } })],
  );

/** The citations of a candidate's texts. */
export function readCitations(candidate: Readonly<JsonObject>, texts: readonly string[]): readonly PlacedCitation[] {
  const grounding = readObject(candidate['groundingMetadata']);
  const sources = readObject(candidate['citationMetadata']);
  if (texts.length === 0 || (grounding['groundingSupports'] === undefined && Object.keys(sources).length === 0))
    return [];
  const joined = indexTexts(texts);
  return [...readGrounding(grounding, joined), ...readSources(sources, joined)];
}

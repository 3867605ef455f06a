import type { Citation, JsonObject } from '../../../../core/index.ts';
import { readList, readObject, readObjects, readText, WIRE } from '../shape.ts';

/** A citation and the text that it stands on, by its place among the texts of the candidate. */
export interface PlacedCitation {
  readonly text: number;
  readonly citation: Citation;
}

/** A stretch in bytes of UTF-8, as this wire counts. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

const countPoints = (bytes: Buffer): number => [...bytes.toString('utf8')].length;

const readIndex = (value: unknown): number | undefined => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined);

/** Offsets into all texts one behind the other, as code points of the one where the stretch begins. */
const locate = (texts: readonly Buffer[], { start, end }: Stretch): { readonly text: number; readonly start: number; readonly end: number } | undefined => {
  let before = 0;
  for (const [text, bytes] of texts.entries()) {
    const from = start - before;
    if (from >= 0 && from < bytes.length) {
      const first = countPoints(bytes.subarray(0, from));
      return { text, start: first, end: first + countPoints(bytes.subarray(from, end - before)) };
    }
    before += bytes.length;
  }
  return undefined;
};

/**
 * Where a segment stands. Offsets count from the start of the answer in streams, from the start of one part in plain answers, and are sometimes
 * wrong: the segment's own words tell.
 */
const findStretch = (texts: readonly Buffer[], segment: Readonly<JsonObject>): Stretch | undefined => {
  const start = readIndex(segment['startIndex']) ?? 0;
  const end = readIndex(segment['endIndex']);
  if (end === undefined || end <= start) return undefined;
  const words = readText(segment['text']);
  const bases = [0, ...texts.map((_text, index) => texts.slice(0, index).reduce((sum, { length }) => sum + length, 0))];
  const joined = Buffer.concat(texts);
  const base = words === '' ? 0 : bases.find((offset) => joined.subarray(offset + start, offset + end).toString('utf8') === words);
  return base === undefined ? undefined : { start: base + start, end: base + end };
};

const place = (texts: readonly Buffer[], segment: Readonly<JsonObject>, citation: Citation): PlacedCitation => {
  const stretch = findStretch(texts, segment);
  const found = stretch === undefined ? undefined : locate(texts, stretch);
  if (found === undefined) return { text: texts.length - 1, citation };
  return { text: found.text, citation: { ...citation, start: found.start, end: found.end } };
};

const describeSource = (source: Readonly<JsonObject>): Pick<Citation, 'url' | 'title'> => {
  const title = readText(source['title']);
  return { url: readText(source['uri']), ...(title === '' ? {} : { title }) };
};

/** https://ai.google.dev/api/generate-content#GroundingMetadata: sources with an address, for each stretch that rests on them. */
const readGrounding = (metadata: Readonly<JsonObject>, texts: readonly Buffer[]): readonly PlacedCitation[] => {
  const chunks = readList(metadata['groundingChunks']);
  return readObjects(metadata['groundingSupports']).flatMap((support) => {
    const segment = readObject(support['segment']);
    return readList(support['groundingChunkIndices']).flatMap((index) => {
      const groundingChunk = readObject(typeof index === 'number' ? chunks[index] : undefined);
      const source = readObject(groundingChunk['web'] ?? groundingChunk['maps']);
      if (readText(source['uri']) === '') return [];
      return [place(texts, segment, { ...describeSource(source), vendor: { wire: WIRE, value: { groundingChunk, segment } } })];
    });
  });
};

/** https://ai.google.dev/api/generate-content#CitationMetadata: what the model quoted. Older answers call the list `citationSources`. */
const readSources = (metadata: Readonly<JsonObject>, texts: readonly Buffer[]): readonly PlacedCitation[] =>
  readObjects(metadata['citations'] ?? metadata['citationSources']).flatMap((value) =>
    readText(value['uri']) === '' ? [] : [place(texts, value, { ...describeSource(value), vendor: { wire: WIRE, value } })],
  );

/** What the texts of a candidate rest on. */
export const readCitations = (candidate: Readonly<JsonObject>, texts: readonly string[]): readonly PlacedCitation[] => {
  const grounding = readObject(candidate['groundingMetadata']);
  const sources = readObject(candidate['citationMetadata']);
  if (texts.length === 0 || (grounding['groundingSupports'] === undefined && Object.keys(sources).length === 0)) return [];
  const bytes = texts.map((text) => Buffer.from(text, 'utf8'));
  return [...readGrounding(grounding, bytes), ...readSources(sources, bytes)];
};

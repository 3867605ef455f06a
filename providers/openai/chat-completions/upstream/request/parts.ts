import type { CacheMark, JsonObject, Part } from '../../../../../core/api/index.ts';
import { placePart } from '../../../content-places.ts';
import { WIRE } from '../../shape.ts';
import { encodeMedia, type PartPlace } from './media.ts';

const openAiTtl: ReadonlySet<CacheMark['ttl']> = new Set(['30m', '12h']);

/**
 * OpenAI's breakpoints: https://platform.openai.com/docs/guides/prompt-caching. Marks of 5 m and 1 h came as
 * `cache_control` and are written as such for a client of this wire. Marks from other wires were converted to
 * breakpoints by a fit, where the target has those.
 */
const encodeCacheMark = (cache: CacheMark | undefined, { path, wire, lose }: PartPlace): JsonObject => {
  if (cache === undefined) return {};
  if (openAiTtl.has(cache.ttl)) return { prompt_cache_breakpoint: { mode: 'explicit', ttl: cache.ttl } };
  if (wire === WIRE)
    return { cache_control: cache.ttl === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' } };
  lose(`${path}.cache`, 'dropped', `this target has no cache mark of ${cache.ttl}`);
  return {};
};

const encodePart = (part: Part, place: PartPlace): JsonObject | undefined => {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...encodeCacheMark(part.cache, place) };
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'media':
      return { ...encodeMedia(part, place), ...encodeCacheMark(part.cache, place) };
    case 'opaque':
      if (part.wire === WIRE) return part.value as JsonObject;
      place.lose(placePart(part, place), 'dropped', `a block that exists only on ${part.wire}`);
      return undefined;
    default:
      return undefined;
  }
};

/** `content`: everything except reasoning, calls and results. A single plain text is written as a string. */
export function encodeContent(parts: readonly Part[], place: PartPlace): string | readonly JsonObject[] {
  const written = parts.flatMap((part): readonly JsonObject[] => {
    const encoded = encodePart(part, place);
    return encoded === undefined ? [] : [encoded];
  });
  const [first] = written;
  if (first === undefined) return '';
  const plain = written.length === 1 && first['type'] === 'text' && Object.keys(first).length === 2;
  return plain ? (first['text'] as string) : written;
}

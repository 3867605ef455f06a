import type { CacheMark, JsonObject, Part } from '../../../../../core/api/index.ts';
import { placePart } from '../../../content-places.ts';
import { WIRE } from '../../shape.ts';
import { encodeMedia, type PartContext } from './media.ts';

const openAiTtl: ReadonlySet<CacheMark['ttl']> = new Set(['30m', '12h']);

/**
 * `cache_control` of OpenRouter: https://openrouter.ai/docs/features/prompt-caching. Undefined for a lifetime of
 * OpenAI's breakpoints.
 */
export function encodeCacheControl({ ttl }: CacheMark): JsonObject | undefined {
  if (openAiTtl.has(ttl)) return undefined;
  return { cache_control: ttl === '1h' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' } };
}

/**
 * OpenAI's breakpoints: https://platform.openai.com/docs/guides/prompt-caching, or `cache_control`, by the lifetime. A
 * fit has converted marks from other wires to those of the target, and dropped them where it has none.
 */
const encodeCacheMark = (cache: CacheMark | undefined): JsonObject =>
  cache === undefined
    ? {}
    : (encodeCacheControl(cache) ?? { prompt_cache_breakpoint: { mode: 'explicit', ttl: cache.ttl } });

const encodePart = (part: Part, context: PartContext): JsonObject | undefined => {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...encodeCacheMark(part.cache) };
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'media':
      return { ...encodeMedia(part, context), ...encodeCacheMark(part.cache) };
    case 'opaque':
      if (part.wire === WIRE) return part.value as JsonObject;
      context.lose(placePart(part, context), 'dropped', `a block that exists only on ${part.wire}`);
      return undefined;
    default:
      return undefined;
  }
};

/** `content`: everything except reasoning, calls and results. A single plain text is written as a string. */
export function encodeContent(parts: readonly Part[], context: PartContext): string | readonly JsonObject[] {
  const written = parts.flatMap((part): readonly JsonObject[] => {
    const encoded = encodePart(part, context);
    return encoded === undefined ? [] : [encoded];
  });
  const [first] = written;
  if (first === undefined) return '';
  const plain = written.length === 1 && first['type'] === 'text' && Object.keys(first).length === 2;
  return plain ? (first['text'] as string) : written;
}

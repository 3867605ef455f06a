import {
  type CacheMark,
  type JsonObject,
  type Lose,
  type MediaPart,
  omitUndefined,
  type Part,
} from '../../../../../core/index.ts';
import { writeAudioFormat, writeMediaUrl } from '../../media.ts';
import { WIRE } from '../../shape.ts';

/** Where a part is written, and what may be said of it. */
export interface PartPlace {
  /** As losses name it: `messages[2]`. */
  readonly path: string;
  /** The wire of the client: its own dialect returns to it. */
  readonly wire: string;
  readonly lose: Lose;
}

const openAiTtl: ReadonlySet<CacheMark['ttl']> = new Set(['30m', '12h']);

/**
 * OpenAI's breakpoints, https://platform.openai.com/docs/guides/prompt-caching. Marks of 5 m and 1 h came as `cache_control` and go back as such
 * to the wire they came from; from other wires a fit has turned them into breakpoints where the target knows those.
 */
const encodeMark = (cache: CacheMark | undefined, { path, wire, lose }: PartPlace): JsonObject => {
  if (cache === undefined) return {};
  if (openAiTtl.has(cache.ttl)) return { prompt_cache_breakpoint: { mode: 'explicit', ttl: cache.ttl } };
  if (wire === WIRE)
    return { cache_control: cache.ttl === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' } };
  lose(`${path}.cache`, 'dropped', `this target has no cache mark of ${cache.ttl}`);
  return {};
};

const encodeFile = ({ media, name }: MediaPart, place: PartPlace): JsonObject => {
  if ('fileId' in media) return { type: 'file', file: { file_id: media.fileId } };
  if ('base64' in media)
    return { type: 'file', file: omitUndefined({ filename: name, file_data: writeMediaUrl(media) }) };
  if (place.wire === WIRE) return { type: 'file', file: omitUndefined({ filename: name, file_data: media.url }) };
  place.lose(
    `${place.path}.content`,
    'approximated',
    'a document by address is not possible here; the model is told the address',
  );
  return { type: 'text', text: `[document: ${media.url}]` };
};

const encodeMedia = (part: MediaPart, place: PartPlace): JsonObject => {
  const { media, detail } = part;
  const url = writeMediaUrl(media);
  if (url !== undefined && media.mediaType.startsWith('image/'))
    return { type: 'image_url', image_url: omitUndefined({ url, detail }) };
  if ('base64' in media && media.mediaType.startsWith('audio/')) {
    return { type: 'input_audio', input_audio: { data: media.base64, format: writeAudioFormat(media.mediaType) } };
  }
  return encodeFile(part, place);
};

const encodePart = (part: Part, place: PartPlace): JsonObject | undefined => {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...encodeMark(part.cache, place) };
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'media':
      return { ...encodeMedia(part, place), ...encodeMark(part.cache, place) };
    case 'opaque':
      if (part.wire === WIRE) return part.value as JsonObject;
      place.lose(`${place.path}.content`, 'dropped', `a block that only ${part.wire} knows`);
      return undefined;
    default:
      return undefined;
  }
};

/** The parts that stand in `content`: all but reasoning, calls and results. One plain text is written as a string. */
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

import type { CacheMark, JsonObject, MediaPart, Part } from '../../../../../core/api/index.ts';
import { isObject, type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { writeAudioFormat, writeMediaUrl } from '../../../chat-completions/media.ts';
import { placePart } from '../../../content-places.ts';
import { writeAnnotations } from '../../annotations.ts';
import { WIRE } from '../../shape.ts';

/** Where content is written, and how its losses are reported. */
export interface PartContext {
  /** The path in loss reports: `input[2]`. */
  readonly path: string;
  readonly lose: Lose;
  /** The parts of the turn or result. */
  readonly parts?: readonly Part[];
}

const ttls: ReadonlySet<CacheMark['ttl']> = new Set(['30m', '12h']);

/**
 * https://platform.openai.com/docs/guides/prompt-caching. Marks of other vendors were converted to these by a fit,
 * where the target has them.
 */
function encodeCacheMark({ cache }: { readonly cache?: CacheMark }, { path, lose }: PartContext): JsonObject {
  if (cache === undefined) return {};
  if (ttls.has(cache.ttl)) return { prompt_cache_breakpoint: { mode: 'explicit', ttl: cache.ttl } };
  lose(`${path}.cache`, 'dropped', `responses has no cache mark of ${cache.ttl}`);
  return {};
}

const encodeFile = ({ media, name, detail }: MediaPart): JsonObject => {
  if ('fileId' in media) return omitUndefined({ type: 'input_file', file_id: media.fileId, detail });
  if ('url' in media) return omitUndefined({ type: 'input_file', file_url: media.url, filename: name, detail });
  return omitUndefined({ type: 'input_file', filename: name, file_data: writeMediaUrl(media), detail });
};

/** Image, audio or file. An image requires a `detail`. */
function encodeMedia(part: MediaPart): JsonObject {
  const { media, detail = 'auto' } = part;
  if (media.mediaType.startsWith('image/')) {
    return {
      type: 'input_image',
      detail,
      ...('fileId' in media ? { file_id: media.fileId } : { image_url: writeMediaUrl(media) }),
    };
  }
  if ('base64' in media && media.mediaType.startsWith('audio/')) {
    return { type: 'input_audio', input_audio: { data: media.base64, format: writeAudioFormat(media.mediaType) } };
  }
  return encodeFile(part);
}

const encodeOutputText = (part: Extract<Part, { type: 'text' }>, { path, lose }: PartContext): JsonObject => {
  if (part.proof !== undefined) lose(`${path}.signature`, 'dropped', 'responses has no signature on texts');
  const annotations = writeAnnotations(part.citations ?? [], part.text, () =>
    lose(`${path}.citations`, 'dropped', 'responses has no citation without a URL'),
  );
  return { type: 'output_text', text: part.text, ...(annotations.length === 0 ? {} : { annotations }) };
};

const encodePart = (part: Part, role: string, context: PartContext): JsonObject | undefined => {
  switch (part.type) {
    case 'text':
      return {
        ...(role === 'assistant' ? encodeOutputText(part, context) : { type: 'input_text', text: part.text }),
        ...encodeCacheMark(part, context),
      };
    case 'refusal':
      return { type: 'refusal', refusal: part.text, ...encodeCacheMark(part, context) };
    case 'media':
      return { ...encodeMedia(part), ...encodeCacheMark(part, context) };
    case 'opaque':
      if (part.wire === WIRE && isObject(part.value)) return part.value;
      context.lose(placePart(part, context), 'dropped', `a block that exists only on ${part.wire}`);
      return undefined;
    default:
      return undefined;
  }
};

/** The content of a message or of a result. */
export const encodeContent = (parts: readonly Part[], role: string, context: PartContext): readonly JsonObject[] =>
  parts.flatMap((part): readonly JsonObject[] => {
    const encoded = encodePart(part, role, context);
    return encoded === undefined ? [] : [encoded];
  });

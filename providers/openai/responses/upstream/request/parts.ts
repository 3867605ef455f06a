import {
  type CacheMark,
  isObject,
  type JsonObject,
  type Lose,
  type MediaPart,
  omitUndefined,
  type Part,
} from '../../../../../core/index.ts';
import { writeAudioFormat, writeMediaUrl } from '../../../chat-completions/media.ts';
import { writeAnnotations } from '../../annotations.ts';
import { WIRE } from '../../shape.ts';

/** Where content is written, and what may be said of it. */
export interface ContentPlace {
  /** As losses name it: `input[2]`. */
  readonly path: string;
  readonly lose: Lose;
}

const ttls: ReadonlySet<CacheMark['ttl']> = new Set(['30m', '12h']);

/** https://platform.openai.com/docs/guides/prompt-caching: a fit has turned marks of other vendors into these where the target knows them. */
export function encodeMark({ cache }: { readonly cache?: CacheMark }, { path, lose }: ContentPlace): JsonObject {
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

/** An image needs a `detail` here. */
const encodeMedia = (part: MediaPart): JsonObject => {
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
};

const encodeSaid = (part: Extract<Part, { type: 'text' }>, { path, lose }: ContentPlace): JsonObject => {
  if (part.proof !== undefined) lose(`${path}.signature`, 'dropped', 'responses has no signature on texts');
  const annotations = writeAnnotations(part.citations ?? [], part.text, () =>
    lose(`${path}.citations`, 'dropped', 'a citation without an address has no place here'),
  );
  return { type: 'output_text', text: part.text, ...(annotations.length === 0 ? {} : { annotations }) };
};

const encodePart = (part: Part, role: string, place: ContentPlace): JsonObject | undefined => {
  switch (part.type) {
    case 'text':
      return {
        ...(role === 'assistant' ? encodeSaid(part, place) : { type: 'input_text', text: part.text }),
        ...encodeMark(part, place),
      };
    case 'refusal':
      return { type: 'refusal', refusal: part.text, ...encodeMark(part, place) };
    case 'media':
      return { ...encodeMedia(part), ...encodeMark(part, place) };
    case 'opaque':
      if (part.wire === WIRE && isObject(part.value)) return part.value;
      place.lose(`${place.path}.content`, 'dropped', `a block that only ${part.wire} knows`);
      return undefined;
    default:
      return undefined;
  }
};

/** The parts of one message, or of one result. */
export const encodeContent = (parts: readonly Part[], role: string, place: ContentPlace): readonly JsonObject[] =>
  parts.flatMap((part): readonly JsonObject[] => {
    const encoded = encodePart(part, role, place);
    return encoded === undefined ? [] : [encoded];
  });

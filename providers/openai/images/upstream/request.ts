import type { ImageRequest, JsonObject } from '../../../../core/api/index.ts';
import { type Lose, omitUndefined, type TargetProfile, writeExtraMembers } from '../../../../core/api/codec.ts';
import { unsupported } from '../../request-members.ts';
import { writeMediaUrl } from '../../chat-completions/media.ts';
import { EDITS_WIRE, PARTIAL_IMAGES, VARIATIONS_WIRE, WIRE, type ImagesWire } from '../shape.ts';

const encodeImage = ({ media }: ImageRequest['images'][number]): JsonObject =>
  'fileId' in media ? { file_id: media.fileId } : { image_url: writeMediaUrl(media) };

/** The files go with the form of the client: their fields mark where. */
const markUploaded = (uploaded: NonNullable<ImageRequest['uploaded']>): JsonObject =>
  Object.fromEntries(uploaded.map(({ field, ...file }) => [field, file]));

/** @throws GatewayError `unsupported_parameter` for images on the wire that has none, and without them elsewhere */
const encodeImages = (wire: ImagesWire, { images, uploaded }: ImageRequest, model: string): JsonObject => {
  if (wire !== WIRE && uploaded !== undefined) return markUploaded(uploaded);
  if (wire !== WIRE && images.length === 0)
    throw unsupported(
      'image',
      `${model} changes images here, and the request has none. Send an image, or choose a model that makes them.`,
    );
  if (wire === EDITS_WIRE) return { images: images.map(encodeImage) };
  if (images.length === 0) return {};
  throw unsupported(
    'images',
    `${model} makes images from a prompt here, and edits none. Leave out the images, or choose a model that edits.`,
  );
};

/** @throws GatewayError `unsupported_parameter` for variations, which have no prompt, on a wire that needs one */
const encodePrompt = (wire: ImagesWire, prompt: string, model: string, lose: Lose): string | undefined => {
  if (wire === VARIATIONS_WIRE) {
    if (prompt !== '') lose('prompt', 'dropped', 'variations of an image have none');
    return undefined;
  }
  if (prompt !== '') return prompt;
  throw unsupported(
    'image',
    `${model} makes no variations of an image here. Send a prompt to /v1/images/edits, or choose another model.`,
  );
};

/** The members that only this wire has. Partial images are those of a stream. */
const encodeExtra = (wire: ImagesWire, { stream, extra }: ImageRequest, lose: Lose): JsonObject => {
  const { [PARTIAL_IMAGES]: partial, ...members } = writeExtraMembers(extra, wire, lose);
  if (partial === undefined || stream) return omitUndefined({ ...members, [PARTIAL_IMAGES]: partial });
  if (extra.honoured?.includes(PARTIAL_IMAGES) !== true)
    lose(PARTIAL_IMAGES, 'dropped', 'the response is not streamed, so it has complete images only');
  return members;
};

const formats = { url: 'url', bytes: 'b64_json' } as const;

/** @throws GatewayError `unsupported_parameter` that names the member */
export const createRequestEncoder =
  (wire: ImagesWire) =>
  (request: ImageRequest, { model }: TargetProfile, lose: Lose) => {
    const { prompt, count, size, quality, format, delivery, stream, user } = request;
    const body = omitUndefined({
      model,
      prompt: encodePrompt(wire, prompt, model, lose),
      ...encodeImages(wire, request, model),
      n: count === 1 ? undefined : count,
      size,
      quality,
      output_format: format,
      response_format: delivery && formats[delivery],
      stream: stream ? true : undefined,
      user,
      ...encodeExtra(wire, request, lose),
    });
    return { body, headers: {} };
  };

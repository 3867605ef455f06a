import type { GatewayError, ImageResponse } from '../../../../core/api/index.ts';
import type { EventEncoder, WriteContext, WriteFrame } from '../../../../core/api/codec.ts';
import { describeError } from '../../chat-completions/client/response/error.ts';
import { EDITS_WIRE, type ImagesWire } from '../shape.ts';
import { writeUsage } from '../usage.ts';

/**
 * The images as events, one for each, without partial images. What a vendor does not say of an image, it has chosen.
 * Events have no address of an image. A vendor that sends one in place of the bytes has billed the image, so it is
 * passed on, under the name that it has in a plain response.
 * https://platform.openai.com/docs/api-reference/images-streaming
 */
export const createStreamWriter =
  (wire: ImagesWire) =>
  (response: ImageResponse, { created, lose }: Pick<WriteContext<'image'>, 'created' | 'lose'>, write: WriteFrame) => {
    const { images, size = 'auto', quality = 'auto', background = 'auto', format = 'png', usage } = response;
    const type = wire === EDITS_WIRE ? 'image_edit.completed' : 'image_generation.completed';
    images.forEach(({ media, revisedPrompt }, index) => {
      if ('url' in media) lose('b64_json', 'approximated', 'the provider sent the address of an image, not its bytes');
      if (revisedPrompt !== undefined) lose('revised_prompt', 'dropped', 'events do not have it');
      const event = {
        type,
        b64_json: 'base64' in media ? media.base64 : undefined,
        url: 'url' in media ? media.url : undefined,
        created_at: response.created ?? created,
        size,
        quality,
        background,
        output_format: format,
        usage: index === images.length - 1 ? writeUsage(usage) : undefined,
      };
      write(type, JSON.stringify(event));
    });
  };

/** Images are written as a whole. This writes the error of a stream that has none. */
export const encodeStream = (): EventEncoder => ({
  push: (event, write) => {
    if (event.type === 'error') writeError(event.error, write);
  },
});

/** https://platform.openai.com/docs/api-reference/images-streaming: as the vendor writes an error */
export const writeError = (error: GatewayError, write: WriteFrame): void =>
  write('error', JSON.stringify({ type: 'error', ...Object(describeError(error)) }));

import { hash } from 'node:crypto';
import type { ImageResponse } from '../../../core/api/index.ts';
import { noTokens } from '../../../core/api/codec.ts';
import { plainBytes } from '../stream.ts';
import { calculateTokens } from '../tokens.ts';
import { createContext, EVENTS, formatBody, PLAIN, writeEvent, type OperationHandler } from '../transport.ts';

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
/** As OpenAI's models use for an image of low quality. */
const TOKENS_PER_IMAGE = 272;

/** Makes images of one pixel. A stream has one partial image before each. */
export const imageHandler: OperationHandler<'image'> = {
  readText: ({ prompt }) => prompt,
  check: () => {},
  reply: (parsed, target, pacer) => {
    const { request, settings, text } = parsed;
    const tokens = calculateTokens(text.length);
    const output = settings.pinned?.output ?? request.count * TOKENS_PER_IMAGE;
    const response: ImageResponse = {
      images: Array.from({ length: request.count }, () => ({ media: { mediaType: 'image/png', base64: PIXEL } })),
      size: '1x1',
      quality: 'low',
      format: 'png',
      background: 'opaque',
      ...(settings.usage === false
        ? {}
        : {
            usage: {
              ...noTokens,
              inputUncached: settings.pinned?.inputUncached ?? tokens,
              output,
              outputImage: output,
              source: 'provider',
            },
          }),
    };
    const digest = hash('sha256', request.prompt, 'hex');
    const context = createContext(parsed, target, { digest, tokens });
    const body = target.side.encodeResponse(response, context);
    if (!request.stream) return { status: 200, headers: PLAIN, body: plainBytes(formatBody(body), settings, pacer) };
    const { data: _data, created, ...members } = Object(body) as Readonly<Record<string, unknown>>;
    const kind = request.images.length > 0 || request.uploaded !== undefined ? 'image_edit' : 'image_generation';
    const image = { b64_json: PIXEL, created_at: created };
    const { usage: _usage, ...shape } = members;
    const events =
      writeEvent(`${kind}.partial_image`, { ...image, ...shape, partial_image_index: 0 }) +
      writeEvent(`${kind}.completed`, { ...image, ...members }).repeat(request.count);
    return { status: 200, headers: EVENTS, body: plainBytes(Buffer.from(events), settings, pacer) };
  },
};

import { hash } from 'node:crypto';
import type { ImageResponse } from '../../../core/api/index.ts';
import { calculateTokens } from '../tokens.ts';
import { composeUsage, createContext, EVENTS, formatBody, writeEvent, type OperationHandler } from '../transport.ts';

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
/** As OpenAI's models use for an image of low quality. */
const TOKENS_PER_IMAGE = 272;

/** Makes images of one pixel. A stream has one partial image before each. */
export const imageHandler: OperationHandler<'image'> = {
  readText: ({ prompt }) => prompt,
  reply: (parsed, target) => {
    const { request, settings, text } = parsed;
    const tokens = calculateTokens(text.length);
    const output = settings.pinned?.output ?? request.count * TOKENS_PER_IMAGE;
    const response: ImageResponse = {
      images: Array.from({ length: request.count }, () => ({ media: { mediaType: 'image/png', base64: PIXEL } })),
      size: '1x1',
      quality: 'low',
      format: 'png',
      background: 'opaque',
      ...composeUsage(settings, tokens, { output, outputImage: output }),
    };
    const digest = hash('sha256', request.prompt, 'hex');
    const context = createContext(parsed, target, { digest, tokens });
    const body = target.side.encodeResponse(response, context);
    if (!request.stream) return { body: formatBody(body) };
    const { data: _data, created, ...members } = Object(body) as Readonly<Record<string, unknown>>;
    const kind = request.images.length > 0 || request.uploaded !== undefined ? 'image_edit' : 'image_generation';
    const image = { b64_json: PIXEL, created_at: created };
    const { usage: _usage, ...shape } = members;
    const events =
      writeEvent(`${kind}.partial_image`, { ...image, ...shape, partial_image_index: 0 }) +
      writeEvent(`${kind}.completed`, { ...image, ...members }).repeat(request.count);
    return { headers: EVENTS, body: Buffer.from(events) };
  },
};

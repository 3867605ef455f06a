import type { Capabilities, GenerateRequest, Part } from '../../../core/api/index.ts';
import {
  type AnyCodec,
  defineCodec,
  isObject,
  omitUndefined,
  readMembers,
  upstreamError,
  type WireTraits,
} from '../../../core/api/codec.ts';

const readPart = (line: unknown): Part => {
  const { text, image } = isObject(line) ? line : {};
  return typeof image === 'string'
    ? { type: 'media', media: { mediaType: 'image/png', base64: image } }
    : { type: 'text', text: String(text) };
};

/**
 * The field names of the wire, and the places of its turns: `{model, lines: [{text}], halts, most}`. Each line is a
 * turn of the user.
 */
export const slipsNames: WireTraits = {
  fieldNames: { conversation: 'lines', stop: 'halts', maxTokens: 'most' },
  places: ({ lines }) =>
    (Array.isArray(lines) ? lines : []).map((_line, index) => ({
      turn: `lines[${index}]`,
      parts: [`lines[${index}]`],
    })),
};

/**
 * A wire that the gateway does not have. Its upstream side writes the canonical request unchanged, so that a
 * test sees the result of the fits.
 */
export const createSlipsCodec = (traits: WireTraits, limits: Capabilities = {}): AnyCodec =>
  defineCodec<'generate'>({
    operation: 'generate',
    wire: 'slips',
    traits,
    client: {
      decodeRequest: ({ body: received }) => {
        const body = readMembers(received);
        const turns = (body.array('lines') ?? []).map((line) => ({ role: 'user', parts: [readPart(line)] }) as const);
        const stop = body.strings('halts');
        const maxTokens = body.number('most');
        const request: GenerateRequest = omitUndefined({
          wire: 'slips',
          turns,
          tools: [],
          choices: 1,
          stream: false,
          includeUsage: false,
          extra: { wire: 'slips', members: {} },
          stop,
          maxTokens,
        });
        return { model: body.requiredString('model'), request };
      },
      encodeResponse: ({ choices }) => ({ said: choices[0]?.parts }),
      encodeError: ({ status, message, param }) => ({ status, headers: {}, body: { problem: message, at: param } }),
    },
    upstream: {
      limits,
      encodeRequest: ({ extra: _rest, ...request }, { model }) => ({ body: { model, ...request }, headers: {} }),
      decodeResponse: () => ({
        choices: [{ parts: [{ type: 'text', text: 'Good day' }], finish: { reason: 'stop' } }],
      }),
      decodeError: (reply) => upstreamError('slips', reply),
    },
  });

import { GatewayError, type EmbedRequest, type EmbedResponse, type JsonObject } from '../../../../core/api/index.ts';
import type { Loss } from '../../../../core/api/codec.ts';
import {
  createLossList,
  createProfile,
  createReadContext,
  createWriteContext,
} from '../../../../core/testing/index.ts';
import { embedContentCodec } from '../../../../providers/google/embed-content/index.ts';

const { client: facing, upstream: calling } = embedContentCodec;
if (facing === undefined || calling?.native === undefined) throw new Error('the codec lacks a half');
export const client = facing;
export const upstream = calling;
export const native = calling.native;

export const inboundOf = (body: unknown) => ({
  raw: Buffer.from(JSON.stringify(body) ?? ''),
  body,
  headers: {},
  query: {},
  model: 'google/gemini-embedding-001',
});
export const decode = (body: unknown): EmbedRequest => client.decodeRequest(inboundOf(body)).request;

export const encode = (request: EmbedRequest): { readonly body: JsonObject; readonly losses: readonly Loss[] } => {
  const { losses, lose } = createLossList();
  const { body } = upstream.encodeRequest(
    request,
    { ...createProfile('embed-content'), model: 'gemini-embedding-001' },
    lose,
  );
  return { body: JSON.parse(JSON.stringify(body)) as JsonObject, losses };
};

export const read = (body: unknown): EmbedResponse => upstream.decodeResponse(body, createReadContext());
export const respond = (response: EmbedResponse, request: EmbedRequest): JsonObject =>
  JSON.parse(JSON.stringify(client.encodeResponse(response, createWriteContext<'embed'>(request)))) as JsonObject;

export const content = (...texts: readonly string[]) => ({ content: { parts: texts.map((text) => ({ text })) } });

/** The gateway error that a function throws. */
export const refusal = (run: () => unknown): GatewayError => {
  try {
    run();
  } catch (thrown) {
    if (GatewayError.is(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('nothing was refused');
};

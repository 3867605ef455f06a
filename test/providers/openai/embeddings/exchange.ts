import { GatewayError, type EmbedRequest, type EmbedResponse, type JsonObject } from '../../../../core/api/index.ts';
import type { Loss } from '../../../../core/api/codec.ts';
import {
  createLossList,
  createProfile,
  createReadContext,
  createWriteContext,
} from '../../../../core/testing/index.ts';
import { embeddingsCodec } from '../../../../providers/openai/embeddings/index.ts';

const { client: facing, upstream: calling } = embeddingsCodec;
if (facing === undefined || calling?.native === undefined) throw new Error('the codec lacks a half');
export const client = facing;
export const upstream = calling;
export const native = calling.native;

export const inboundOf = (body: unknown) => ({
  raw: Buffer.from(JSON.stringify(body) ?? ''),
  body,
  headers: {},
  query: {},
});
/** The canonical request of a body; the model is filled in. */
export const decode = (members: JsonObject): EmbedRequest =>
  client.decodeRequest(inboundOf({ model: 'openai/text-embedding-3-small', ...members })).request;

export const encode = (request: EmbedRequest): { readonly body: JsonObject; readonly losses: readonly Loss[] } => {
  const { losses, lose } = createLossList();
  const { body } = upstream.encodeRequest(request, createProfile('embeddings'), lose);
  return { body: JSON.parse(JSON.stringify(body)) as JsonObject, losses };
};

export const read = (body: unknown): EmbedResponse => upstream.decodeResponse(body, createReadContext());

export interface Written {
  readonly object: string;
  readonly data: readonly {
    readonly object: string;
    readonly index: number;
    readonly embedding: string | readonly number[];
  }[];
  readonly model: string;
  readonly usage: JsonObject;
}
export const respond = (response: EmbedResponse, encoding: EmbedRequest['encoding'] = 'float'): Written => {
  const request: EmbedRequest = {
    inputs: response.vectors.map(() => 'text'),
    encoding,
    extra: { wire: 'embeddings', members: {} },
  };
  return JSON.parse(JSON.stringify(client.encodeResponse(response, createWriteContext<'embed'>(request)))) as Written;
};

/** The gateway error that the function throws. */
export const catchError = (run: () => unknown): GatewayError => {
  try {
    run();
  } catch (thrown) {
    if (GatewayError.is(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('nothing was refused');
};

import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { GatewayError, type Operation } from '../api/index.ts';
import { isObject, type DecodedRequest, type Codec, type RequestOf, type ResponseOf } from '../api/codec.ts';
import { expectNone } from './check.ts';
import { createProfile, createReadContext, createWriteContext } from './contexts.ts';
import { mutate } from './laws/mutations.ts';
import type { RecordedRequest } from './recording.ts';

/** Decodes a recorded request, or another body in its place. @throws GatewayError from the codec */
export function decodeRequest<O extends Operation>(
  codec: Codec<O>,
  request: RecordedRequest,
  body: unknown = request.body,
): DecodedRequest<O> {
  if (codec.client === undefined) throw new Error(`${codec.wire} has no client side`);
  const { headers = {}, query = {}, model, stream } = request;
  const raw = Buffer.from(JSON.stringify(body) ?? '');
  return codec.client.decodeRequest(omitUndefined({ raw, body, headers, query, model, stream }));
}

/** Decodes a response of a vendor. @throws GatewayError from the codec */
export function decodeResponse<O extends Operation>(codec: Codec<O>, body: unknown): ResponseOf<O> {
  if (codec.upstream === undefined) throw new Error(`${codec.wire} has no upstream side`);
  return codec.upstream.decodeResponse(body, createReadContext());
}

/** The body of a response for a client. */
export function encodeResponse<O extends Operation>(
  codec: Codec<O>,
  response: ResponseOf<O>,
  request: RequestOf<O>,
): unknown {
  if (codec.client === undefined) throw new Error(`${codec.wire} has no client side`);
  return JSON.parse(JSON.stringify(codec.client.encodeResponse(response, createWriteContext<O>(request)))) as unknown;
}

/** Checks that unexpected values are accepted, or refused as a 400 with the member: never a TypeError or a 500. */
export function refusesJunk<O extends Operation>(codec: Codec<O>, recorded: RecordedRequest): void {
  const problems = mutate(recorded.body).flatMap(({ name, value }) => {
    try {
      const { request } = decodeRequest(codec, recorded, value);
      codec.upstream?.encodeRequest(request, createProfile(codec.wire), () => undefined);
      return [];
    } catch (thrown) {
      if (!GatewayError.is(thrown)) return [`${name}: ${String(thrown)}`];
      if (thrown.status !== 400 && thrown.status !== 404) return [`${name}: status ${thrown.status}`];
      return thrown.param === undefined && isObject(value)
        ? [`${name}: the error names no member: ${thrown.message}`]
        : [];
    }
  });
  expectNone(problems.slice(0, 20), `${problems.length} values are not refused properly`);
}

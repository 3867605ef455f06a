import type { Headers, JsonObject, Operation, WireName } from '../../canonical/wire.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import type { ExplainRequest } from '../../http/admin/explain.ts';
import type { Serving } from '../serving/serving.ts';

const HELLO = 'Hello';
const SAMPLE_CAP = 256;
/** A second of speech in 16 bits at 16 kHz. */
const SAMPLE_BYTES = 32_044;

export interface Sample {
  readonly body: JsonObject;
  readonly headers: Headers;
}

const ignore = (): void => {};

/** The smallest request of a wire, written by its own codec; undefined where the wire has no encoder. */
export function writeSample(
  { codec }: Pick<Serving, 'codec'>,
  { operation, wire }: { readonly operation: Operation; readonly wire: WireName },
  { model, stream = false }: ExplainRequest,
): Sample | undefined {
  const profile: TargetProfile = {
    provider: '',
    model,
    wire,
    origin: { provider: '', family: '' },
    capabilities: {},
    traits: codec(operation, wire)?.traits ?? {},
  };
  const extra = { wire, members: {} };
  if (operation === 'embed')
    return codec('embed', wire)?.upstream?.encodeRequest(
      { inputs: [HELLO], encoding: 'float', extra },
      profile,
      ignore,
    );
  if (operation === 'moderate')
    return codec('moderate', wire)?.upstream?.encodeRequest(
      { contents: [[{ type: 'text', text: HELLO }]], extra },
      profile,
      ignore,
    );
  if (operation === 'rerank')
    return codec('rerank', wire)?.upstream?.encodeRequest({ query: HELLO, documents: [HELLO], extra }, profile, ignore);
  if (operation === 'transcribe' || operation === 'translate')
    return codec(operation, wire)?.upstream?.encodeRequest(
      { audio: { bytes: SAMPLE_BYTES, seconds: 1 }, stream: false, extra },
      profile,
      ignore,
    );
  if (operation === 'speak')
    return codec('speak', wire)?.upstream?.encodeRequest({ text: HELLO, stream: false, extra }, profile, ignore);
  if (operation === 'image')
    return codec('image', wire)?.upstream?.encodeRequest(
      { prompt: HELLO, images: [], count: 1, stream, extra },
      profile,
      ignore,
    );
  const turns = [{ role: 'user', parts: [{ type: 'text', text: HELLO }] }] as const;
  const request = { wire, turns, tools: [], choices: 1, stream, includeUsage: false, extra };
  if (operation === 'count-tokens')
    return codec('count-tokens', wire)?.upstream?.encodeRequest({ ...request, stream: false }, profile, ignore);
  if (operation === 'compact')
    return codec('compact', wire)?.upstream?.encodeRequest({ ...request, stream: false }, profile, ignore);
  return codec('generate', wire)?.upstream?.encodeRequest({ ...request, maxTokens: SAMPLE_CAP }, profile, ignore);
}

import type { Headers, JsonObject, Operation, WireName } from '../../canonical/wire.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import type { ExplainRequest } from '../../http/admin/explain.ts';
import type { Serving } from '../serving/serving.ts';

const HELLO = 'Hello';
const SAMPLE_CAP = 256;

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
  const turns = [{ role: 'user', parts: [{ type: 'text', text: HELLO }] }] as const;
  const request = { wire, turns, tools: [], choices: 1, stream, includeUsage: false, extra };
  if (operation === 'count-tokens')
    return codec('count-tokens', wire)?.upstream?.encodeRequest({ ...request, stream: false }, profile, ignore);
  if (operation === 'compact')
    return codec('compact', wire)?.upstream?.encodeRequest({ ...request, stream: false }, profile, ignore);
  return codec('generate', wire)?.upstream?.encodeRequest({ ...request, maxTokens: SAMPLE_CAP }, profile, ignore);
}

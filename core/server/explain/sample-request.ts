import type { Operation, WireName } from '../../canonical/wire.ts';
import type { RequestOf } from '../../contracts/codec-context.ts';
import type { ExplainRequest } from '../../http/admin/explain.ts';
import type { Serving } from '../serving/serving.ts';

const HELLO = 'Hello';
const SAMPLE_CAP = 256;
/** A second of speech in 16 bits at 16 kHz. */
const SAMPLE_BYTES = 32_044;

const listSamples = (wire: WireName, stream: boolean): { readonly [O in Operation]: RequestOf<O> } => {
  const extra = { wire, members: {} };
  const turns = [{ role: 'user', parts: [{ type: 'text', text: HELLO }] }] as const;
  const plain = { wire, turns, tools: [], choices: 1, stream: false, includeUsage: false, extra };
  const speech = { audio: { bytes: SAMPLE_BYTES, seconds: 1 }, stream: false, extra };
  return {
    generate: { ...plain, stream, maxTokens: SAMPLE_CAP },
    'count-tokens': plain,
    compact: plain,
    embed: { inputs: [HELLO], encoding: 'float', extra },
    moderate: { contents: [[{ type: 'text', text: HELLO }]], extra },
    rerank: { query: HELLO, documents: [HELLO], extra },
    transcribe: speech,
    translate: speech,
    speak: { text: HELLO, stream: false, extra },
    image: { prompt: HELLO, images: [], count: 1, stream, extra },
  };
};

/** The smallest request of a wire, written by its own codec; undefined where the wire has no encoder. */
export function writeSample<O extends Operation>(
  { codec }: Pick<Serving, 'codec'>,
  { operation, wire }: { readonly operation: O; readonly wire: WireName },
  { model, stream = false }: ExplainRequest,
) {
  const { upstream, traits = {} } = codec(operation, wire) ?? {};
  const profile = { provider: '', model, wire, origin: { provider: '', family: '' }, capabilities: {}, traits };
  return upstream?.encodeRequest(listSamples(wire, stream)[operation], profile, () => {});
}

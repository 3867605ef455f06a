import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../canonical/json/members.ts';
import type { WireName } from '../canonical/wire.ts';
import { loadConfig, type LoadedConfig } from '../config/load.ts';
import type { TargetProfile } from '../contracts/codec-context.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { captureExchange, type Captured } from './recording/capture.ts';
import { completeCase, recordingCases, type RecordingCase } from './recording/cases.ts';
import { openSource, type RecordedCall, type RecordingSource, type SourceOptions } from './recording/source.ts';

export interface RecordOptions extends SourceOptions {
  readonly config: string;
  readonly out: string;
}

const encodeCase = (
  loaded: LoadedConfig,
  source: RecordingSource,
  wire: WireName,
  recordingCase: RecordingCase,
  stream: boolean,
): RecordedCall => {
  const { model = source.model } = recordingCase;
  const { upstream, traits = {} } = loaded.registry.codec('generate', wire) ?? {};
  const profile: TargetProfile = {
    provider: model,
    model,
    wire,
    origin: { provider: model, family: '' },
    capabilities: {},
    traits,
  };
  if (upstream === undefined) throw new GatewayError('internal_error', `The codec of ${wire} has no upstream side.`);
  const { body, headers } = upstream.encodeRequest(completeCase(recordingCase, wire, stream), profile, () => {});
  return { wire, model, body: Buffer.from(JSON.stringify(body)), headers, stream };
};

/**
 * A fixture in the form that the law kit reads. Model and stream are next to the body where the wire has them in the
 * path. Only the request headers of the wire are kept. A response body that is text is a stream.
 */
const describeFixture = (
  origin: string,
  call: RecordedCall,
  { path, request, status, headers, body }: Captured,
): object => ({
  origin,
  wire: call.wire,
  path,
  request: {
    headers: call.headers,
    ...(isObject(request) && 'model' in request ? {} : { model: call.model, stream: call.stream }),
    body: request,
  },
  response: { status, headers, ...(typeof body === 'string' ? { text: body } : { body }) },
});

/**
 * Records every case on every wire of a provider, plain and streamed, one file each. With a key in the environment the
 * vendor is called, else a local gateway; each fixture names its origin.
 */
export async function record({ config, out, ...options }: RecordOptions, builtIns: BuiltIns): Promise<number> {
  const loaded = await loadConfig(config, builtIns, process.env);
  const source = await openSource(loaded, options);
  await mkdir(out, { recursive: true });
  try {
    for (const wire of source.wires) {
      for (const recordingCase of recordingCases) {
        for (const stream of [false, true]) {
          const call = encodeCase(loaded, source, wire, recordingCase, stream);
          const captured = await captureExchange(await source.address(call));
          const file = join(out, `${wire}-${recordingCase.name}${stream ? '-stream' : ''}.json`);
          await writeFile(file, `${JSON.stringify(describeFixture(source.origin, call, captured), undefined, 2)}\n`);
          console.log(`${captured.status} ${file}`);
        }
      }
    }
  } finally {
    await source.close();
  }
  return 0;
}

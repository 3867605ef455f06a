import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Headers, WireName } from '../canonical/wire.ts';
import { loadConfig, type LoadedConfig } from '../config/load.ts';
import type { TargetProfile } from '../contracts/codec.ts';
import { GatewayError } from '../errors.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { captureExchange, type Captured } from './recording/capture.ts';
import { completeCase, recordingCases, type RecordingCase } from './recording/cases.ts';
import { openSource, type RecordingSource, type SourceOptions } from './recording/source.ts';

export interface RecordOptions extends SourceOptions {
  readonly config: string;
  readonly out: string;
}

const encodeCase = (loaded: LoadedConfig, { model }: RecordingSource, wire: WireName, recordingCase: RecordingCase, stream: boolean): { readonly body: Uint8Array; readonly headers: Headers } => {
  const profile: TargetProfile = { provider: model, model: recordingCase.model ?? model, wire, origin: { provider: model, family: '' }, capabilities: {} };
  const upstream = loaded.registry.codec('generate', wire)?.upstream;
  if (upstream === undefined) throw new GatewayError('internal_error', `${wire} has no upstream half.`);
  const { body, headers } = upstream.encodeRequest(completeCase(recordingCase, wire, stream), profile, () => {});
  return { body: Buffer.from(JSON.stringify(body)), headers };
};

/** A fixture as the law kit reads it. Of the request's headers only the wire's own are kept. An answer that is text is a stream. */
const describeFixture = (origin: string, wire: WireName, sent: Headers, { path, request, status, headers, body }: Captured): object => ({
  origin,
  wire,
  path,
  request: { headers: sent, body: request },
  response: { status, headers, ...(typeof body === 'string' ? { text: body } : { body }) },
});

/**
 * Records every case on every wire of a provider, plain and streamed, one fixture a file. With a key in the environment the vendor answers,
 * else a gateway of our own; each fixture says which.
 */
export const record = async ({ config, out, ...options }: RecordOptions, builtIns: BuiltIns): Promise<number> => {
  const loaded = await loadConfig(config, builtIns, process.env);
  const source = await openSource(loaded, options);
  await mkdir(out, { recursive: true });
  try {
    for (const wire of source.wires) {
      for (const recordingCase of recordingCases) {
        for (const stream of [false, true]) {
          const { body, headers } = encodeCase(loaded, source, wire, recordingCase, stream);
          const captured = await captureExchange(await source.address(wire, body, headers, stream));
          const file = join(out, `${wire}-${recordingCase.name}${stream ? '-stream' : ''}.json`);
          await writeFile(file, `${JSON.stringify(describeFixture(source.origin, wire, headers, captured), undefined, 2)}\n`);
          console.log(`${captured.status} ${file}`);
        }
      }
    }
  } finally {
    await source.close();
  }
  return 0;
};

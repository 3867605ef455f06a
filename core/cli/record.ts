import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../canonical/json/members.ts';
import type { Headers, WireName } from '../canonical/wire.ts';
import { loadConfig, type LoadedConfig } from '../config/load.ts';
import type { TargetProfile } from '../contracts/codec-context.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { systemClock } from '../services/clock.ts';
import { describeRecording } from '../testing/expectation.ts';
import type { Expectation, RecordedRequest, RecordedResponse } from '../testing/recording.ts';
import { MisuseError } from './command.ts';
import { captureExchange, type Captured } from './recording/capture.ts';
import { completeCase, completeEmbedCase, operationOf, recordingCases, type RecordingCase } from './recording/cases.ts';
import { describeExpectation } from './recording/describe-expectation.ts';
import { openSource, type RecordedCall, type SourceWire } from './recording/source.ts';

export interface RecordOptions {
  readonly config: string;
  readonly provider: string;
  readonly model: string;
  readonly out: string;
  /** Names the server in `origin`, with its version. Default: the provider. */
  readonly server?: string;
  /** The server gives the same answer each time: plain and streamed recordings of a request are paired by `case`. */
  readonly repeatable?: boolean;
  /** Default: all. */
  readonly cases?: readonly RecordingCase[];
}

const profileOf = (model: string, wire: WireName, traits: TargetProfile['traits'] = {}): TargetProfile => ({
  provider: model,
  model,
  wire,
  origin: { provider: model, family: '' },
  capabilities: {},
  traits,
});

function encodeCase(
  { registry }: LoadedConfig,
  { operation, wire }: SourceWire,
  model: string,
  recordingCase: RecordingCase,
  stream: boolean,
): RecordedCall {
  const encode = (): { readonly body: unknown; readonly headers: Headers } | undefined => {
    if ('inputs' in recordingCase)
      return registry
        .codec('embed', wire)
        ?.upstream?.encodeRequest(completeEmbedCase(recordingCase, wire), profileOf(model, wire), () => {});
    if ('contents' in recordingCase)
      return registry
        .codec('moderate', wire)
        ?.upstream?.encodeRequest(
          { contents: recordingCase.contents, extra: { wire, members: {} } },
          profileOf(model, wire),
          () => {},
        );
    if ('documents' in recordingCase) {
      const { query, documents } = recordingCase;
      return registry
        .codec('rerank', wire)
        ?.upstream?.encodeRequest({ query, documents, extra: { wire, members: {} } }, profileOf(model, wire), () => {});
    }
    if ('prompt' in recordingCase)
      return registry
        .codec('image', wire)
        ?.upstream?.encodeRequest(
          { prompt: recordingCase.prompt, images: [], count: 1, stream: false, extra: { wire, members: {} } },
          profileOf(model, wire),
          () => {},
        );
    const { upstream, traits } = registry.codec('generate', wire) ?? {};
    return upstream?.encodeRequest(completeCase(recordingCase, wire, stream), profileOf(model, wire, traits), () => {});
  };
  const encoded = encode();
  if (encoded === undefined) throw new GatewayError('internal_error', `The codec of ${wire} has no upstream side.`);
  return { operation, wire, model, body: Buffer.from(JSON.stringify(encoded.body)), headers: encoded.headers, stream };
}

/**
 * A fixture in the form that the law kit reads. Model and stream are next to the body where the wire has them in the
 * path. Only the request headers of the wire are kept. A response body that is text is a stream.
 */
const describeFixture = (
  call: RecordedCall,
  { path, request, status, headers, body }: Captured,
): { readonly path: string; readonly request: RecordedRequest; readonly response: RecordedResponse } => ({
  path,
  request: {
    headers: call.headers,
    ...(isObject(request) && 'model' in request ? {} : { model: call.model, stream: call.stream }),
    body: request,
  },
  response: { status, headers, ...(typeof body === 'string' ? { text: body } : { body }) },
});

/** What the codec of the wire reads in the response. */
const expectationOf = (
  { registry }: LoadedConfig,
  { operation, wire, framing = 'sse' }: SourceWire,
  fixture: { readonly response: RecordedResponse },
): Expectation | undefined => {
  const codec = registry.codecs.find((one) => one.operation === operation && one.wire === wire);
  return codec === undefined ? undefined : describeRecording(codec, fixture, registry.framing(framing));
};

const today = (): string => new Date(systemClock.now()).toISOString().slice(0, 10);

/** The cases with these names; all without names. @throws MisuseError */
export const findCases = (names: readonly string[] | undefined): readonly RecordingCase[] =>
  names?.map((name) => {
    const found = recordingCases.find((recordingCase) => recordingCase.name === name);
    if (found !== undefined) return found;
    const known = recordingCases.map((recordingCase) => recordingCase.name);
    throw new MisuseError(`There is no case "${name}". The cases are ${known.join(', ')}.`);
  }) ?? recordingCases;

/**
 * Records every case on every wire of a provider's server, plain and streamed, one file each. Each fixture names its
 * origin, and what the codec has read in the response, for a person to correct.
 */
export async function record(options: RecordOptions, builtIns: BuiltIns): Promise<number> {
  const { config, provider, model, out, server = `the provider ${provider}`, cases = recordingCases } = options;
  const loaded = await loadConfig(config, builtIns, process.env);
  const source = await openSource(loaded, provider, model);
  await mkdir(out, { recursive: true });
  const modelOf = (recordingCase: RecordingCase): string =>
    ('model' in recordingCase ? recordingCase.model : undefined) ?? model;
  const recordCase = async (wire: SourceWire, recordingCase: RecordingCase, stream: boolean): Promise<void> => {
    const call = encodeCase(loaded, wire, modelOf(recordingCase), recordingCase, stream);
    const captured = await captureExchange(await source.address(call));
    const identity = {
      origin: `recorded ${today()} from ${server}, model ${call.model}`,
      wire: call.wire,
      ...(options.repeatable === true ? { case: recordingCase.name } : {}),
    };
    const fixture = describeFixture(call, captured);
    const expected = expectationOf(loaded, wire, fixture);
    const file = join(out, `${call.wire}-${recordingCase.name}${stream ? '-stream' : ''}.json`);
    await writeFile(file, `${JSON.stringify({ ...identity, ...fixture, expected }, undefined, 2)}\n`);
    console.log(`${captured.status} ${file}: ${expected === undefined ? 'not read' : describeExpectation(expected)}`);
  };
  try {
    for (const wire of source.wires)
      for (const recordingCase of cases) {
        if (operationOf(recordingCase) !== wire.operation) continue;
        for (const stream of wire.operation === 'generate' ? [false, true] : [false])
          await recordCase(wire, recordingCase, stream);
      }
  } finally {
    await source.close();
  }
  console.log(
    "Compare 'expected' of each file with its response, and correct it: from now on the laws compare with it.",
  );
  return 0;
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../canonical/json/members.ts';
import { loadConfig, type LoadedConfig } from '../config/load.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { systemClock } from '../services/clock.ts';
import { describeRecording } from '../testing/expectation.ts';
import type { Expectation, RecordedRequest, RecordedResponse } from '../testing/recording.ts';
import { MisuseError } from './command.ts';
import { captureExchange, type Captured } from './recording/capture.ts';
import { recordingCases, type RecordingCase } from './recording/cases.ts';
import { describeExpectation } from './recording/describe-expectation.ts';
import { encodeCase } from './recording/encode-case.ts';
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

/**
 * A fixture in the form that the law kit reads. Model and stream are next to the body where the wire has them in the
 * path. Only the request headers of the wire are kept.
 */
const describeFixture = (
  call: RecordedCall,
  { path, request, response }: Captured,
): { readonly path: string; readonly request: RecordedRequest; readonly response: RecordedResponse } => ({
  path,
  request: {
    headers: call.headers,
    ...(isObject(request) && 'model' in request ? {} : { model: call.model, stream: call.stream }),
    body: request,
  },
  response,
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
export const findCases = (
  names: readonly string[] | undefined,
  all: readonly RecordingCase[] = recordingCases,
): readonly RecordingCase[] =>
  names?.map((name) => {
    const found = all.find((recordingCase) => recordingCase.name === name);
    if (found !== undefined) return found;
    const known = all.map((recordingCase) => recordingCase.name);
    const others = all === recordingCases ? '; with --audio, transcribe and translate too' : '';
    throw new MisuseError(`There is no case "${name}". The cases are ${known.join(', ')}${others}.`);
  }) ?? all;

/** A wire that cannot express a case is no reason to end. */
const encodeIfPossible = (...values: Parameters<typeof encodeCase>): RecordedCall | GatewayError => {
  try {
    return encodeCase(...values);
  } catch (thrown) {
    if (GatewayError.is(thrown)) return thrown;
    throw thrown;
  }
};

/**
 * Records every case on every wire of a provider's server, plain and streamed, one file each. Each fixture names its
 * origin, and what the codec has read in the response, for a person to correct.
 */
export async function record(options: RecordOptions, builtIns: BuiltIns): Promise<number> {
  const { config, provider, model, out, server = `the provider ${provider}`, cases = recordingCases } = options;
  const loaded = await loadConfig(config, builtIns, process.env);
  const source = await openSource(loaded, provider, model);
  await mkdir(out, { recursive: true });
  const recordCase = async (wire: SourceWire, recordingCase: RecordingCase, stream: boolean): Promise<void> => {
    const file = join(out, `${wire.wire}-${recordingCase.name}${stream ? '-stream' : ''}.json`);
    const call = encodeIfPossible(loaded, wire, model, recordingCase, stream);
    if (GatewayError.is(call)) return console.log(`Not recorded: ${file}: ${call.message}`);
    const captured = await captureExchange(await source.address(call), call.form);
    const identity = {
      origin: `recorded ${today()} from ${server}, model ${call.model}`,
      wire: call.wire,
      ...(options.repeatable === true ? { case: recordingCase.name } : {}),
    };
    const fixture = describeFixture(call, captured);
    const expected = expectationOf(loaded, wire, fixture);
    await writeFile(file, `${JSON.stringify({ ...identity, ...fixture, expected }, undefined, 2)}\n`);
    console.log(
      `${fixture.response.status} ${file}: ${expected === undefined ? 'not read' : describeExpectation(expected)}`,
    );
  };
  try {
    for (const wire of source.wires)
      for (const recordingCase of cases) {
        if (recordingCase.operation !== wire.operation) continue;
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

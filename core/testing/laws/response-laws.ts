import type { GenerateRequest, GenerateResponse, JsonObject, Part } from '../../api/index.ts';
import { type Codec, foldEvents, type Frame, unsealProof } from '../../api/codec.ts';
import { parseJson } from '../../framing/json.ts';
import { collectLaws, expectNone, expectSame, type Check } from '../check.ts';
import { createWriteContext } from '../contexts.ts';
import { decodeResponse, encodeResponse } from '../decode-request.ts';
import { describePlain } from '../expectation.ts';
import { expectRecorded } from './expectation-laws.ts';
import { expectReadOrRefused } from './mutations.ts';
import type { Recording } from '../recording.ts';
import { writeRequest } from './kept-members.ts';
import { sampleResponses } from '../sample-responses.ts';
import { sampleRequests } from '../samples.ts';
import { decodeEvents, encodeEvents, listEvents } from '../streams.ts';
import { checkUsage } from './usage-rules.ts';

/** Checks a stream as written to a client. Returns the problems. `includeUsage`: the client requested usage. */
export type CheckFrames = (frames: readonly Frame[], options: { readonly includeUsage?: boolean }) => readonly string[];

export interface ResponseLawOptions {
  /** Removes what the wire cannot express, before two responses are compared. */
  readonly simplify?: (response: GenerateResponse) => unknown;
  /** What clients of the wire require of a stream. Without it frames are only decoded again. */
  readonly checkFrames?: CheckFrames;
  /** Members with which a client of the wire requests everything there is. */
  readonly askForAll?: JsonObject;
}

/** The request of a response, for laws about the response only. */
export function askingFor(
  codec: Codec<'generate'>,
  { askForAll = {} }: ResponseLawOptions,
  stream: boolean,
  includeUsage = true,
): GenerateRequest {
  const [first] = sampleRequests(codec.wire);
  if (first === undefined) throw new Error('there is no sample request');
  return { ...first[1], logprobs: 1, stream, includeUsage, extra: { wire: codec.wire, members: askForAll } };
}

/** The responses that the wire can hold: where its requests have no log probabilities, nor have its responses. */
export function listSampleResponses(codec: Codec<'generate'>): typeof sampleResponses {
  const { losses } = writeRequest(codec, askingFor(codec, {}, false));
  const hasLogprobs = !losses.some(({ field }) => field === 'logprobs');
  return sampleResponses.filter(([name]) => hasLogprobs || name !== 'log probabilities');
}

const unsealed = (part: Part): Part =>
  (part.type === 'reasoning' || part.type === 'tool-call' || part.type === 'text') && part.proof !== undefined
    ? { ...part, proof: { origin: undefined, value: unsealProof(part.proof.value).value } }
    : part;

const comparablePart = (part: Part): Part => {
  const open = unsealed(part);
  return open.type === 'tool-call' && open.kind === 'function'
    ? { ...open, input: JSON.stringify(parseJson(open.input) ?? open.input) }
    : open;
};

/**
 * A response without what a second encoding can change: its id, vendor terms, the seal of its proofs, white space in
 * arguments.
 */
export function comparableResponse({ choices, usage }: GenerateResponse): unknown {
  const {
    raw: _raw,
    tier: _tier,
    units: _units,
    reportedCost: _reportedCost,
    region: _region,
    model: _model,
    further: _further,
    ...counts
  } = usage ?? { raw: undefined };
  const answers = choices.map(({ parts, finish: { reason } }) => ({ parts: parts.map(comparablePart), reason }));
  return JSON.parse(JSON.stringify({ answers, usage: counts })) as unknown;
}

/** Encoded for a client and decoded again, plain and streamed, a response is unchanged. */
export function survivesWriting(
  codec: Codec<'generate'>,
  response: GenerateResponse,
  options: ResponseLawOptions,
): void {
  const { simplify = comparableResponse } = options;
  const wanted = simplify(response);
  expectSame(
    simplify(decodeResponse(codec, encodeResponse(codec, response, askingFor(codec, options, false)))),
    wanted,
    'the plain response changed when it was written and read again',
  );
  if (codec.client?.encodeStream === undefined || codec.upstream?.decodeStream === undefined) return;
  const frames = encodeEvents(codec, listEvents(response), createWriteContext(askingFor(codec, options, true)));
  expectSame(
    simplify(foldEvents(decodeEvents(codec, frames))),
    wanted,
    'the streamed response differs from the plain one',
  );
}

const readUsageFlaws = ({ usage }: GenerateResponse): readonly string[] =>
  usage === undefined ? [] : checkUsage(usage);

export function responseLaws(
  codec: Codec<'generate'>,
  recordings: readonly Recording[],
  options: ResponseLawOptions = {},
): Check[] {
  const { checks, law } = collectLaws(codec.wire);
  const bothWays = codec.client !== undefined && codec.upstream !== undefined;
  if (bothWays)
    for (const [name, response] of listSampleResponses(codec))
      law(`a round trip preserves a response with ${name}`, () => survivesWriting(codec, response, options));
  if (codec.upstream === undefined) return checks;
  for (const recording of recordings) {
    const { name, response, expected } = recording;
    if (response?.body === undefined || response.status >= 400) continue;
    const { body } = response;
    law(`decodes the response of ${name} as expected`, () => {
      const decoded = describePlain(codec, response);
      expectRecorded(recording, decoded);
      if (decoded.error === undefined) expectNone(readUsageFlaws(decodeResponse(codec, body)), 'usage');
    });
    law(`refuses junk in the response of ${name}`, () =>
      expectReadOrRefused(body, (value) => readUsageFlaws(decodeResponse(codec, value))),
    );
    const isError = typeof expected === 'object' && expected.error !== undefined;
    if (bothWays && !isError)
      law(`a round trip preserves the response of ${name}`, () =>
        survivesWriting(codec, decodeResponse(codec, body), options),
      );
  }
  return checks;
}

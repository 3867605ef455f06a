import type { GenerateRequest } from '../../canonical/request.ts';
import type { GenerateResponse } from '../../canonical/response.ts';
import type { EventFilter } from '../../contracts/codec.ts';
import type { AttemptOf, Reply } from '../../contracts/attempt.ts';
import type { Framing, FrameWriter } from '../../contracts/framing.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { applyFits, type FittedRequest } from '../../fits/support/compose.ts';
import { describeField } from '../../fits/support/field-name.ts';
import { composeFilters } from '../../fits/support/filter.ts';
import { LARGE_BYTES, waitForLargeStep } from '../../services/large-steps.ts';
import type { Channel } from '../channel.ts';
import {
  createTranslation,
  fitContext,
  readContext,
  writeContext,
  writeRequest,
  type ClientWire,
  type Translation,
} from './translation.ts';
import { expectStream } from '../upstream/expect-stream.ts';
import { guardResponse } from './content-guard.ts';
import { callTogether, countCalls } from './fan-out.ts';
import { MAX_RESPONSE_BYTES } from '../upstream/collect.ts';
import { Feed } from '../feed.ts';
import { addDefaults } from '../request-defaults.ts';
import { countEarlyBytes, openStreamReply } from '../stream-reply.ts';
import { readResponse, writeResponse } from './plain.ts';
import { TranslatedRelay } from './relay.ts';
import { callUpstream, type CallContent, type UpstreamResponse } from '../upstream/call.ts';

const writerOf = (framing: Framing): FrameWriter => {
  if (framing.writer === undefined)
    throw new GatewayError('internal_error', `The framing ${framing.name} cannot be written to clients.`);
  return framing.writer;
};

const unstreamed = ({ profile: { wire } }: Channel<'generate'>): GatewayError =>
  new GatewayError('unsupported_parameter', `${wire} cannot be streamed here.`, { param: 'stream' });

type CreateFilter = () => EventFilter | undefined;

const openStream = async (
  translation: Translation,
  replies: readonly UpstreamResponse[],
  createFilter: CreateFilter,
): Promise<Reply> => {
  const { attempt, channel, client, stopwatch } = translation;
  const encoder = client.codec.encodeStream?.(writeContext(translation));
  const sources = replies.flatMap(() => {
    const decoder = channel.upstream.decodeStream?.(readContext(translation));
    return decoder === undefined ? [] : [{ decoder, filter: createFilter() }];
  });
  if (encoder === undefined) throw unstreamed(channel);
  const refusals = replies.map((reply) => expectStream(reply, channel)).filter((refusal) => refusal !== undefined);
  if (refusals.length > 0) await Promise.all(refusals);
  const guard = client.guards && guardResponse(client.guards, false);
  const relay = new TranslatedRelay({
    sources,
    encoder,
    writer: writerOf(client.framing),
    guard,
    inputTokens: client.context.inputEstimate,
  });
  const { framing } = channel;
  return openStreamReply({
    attempt,
    relay,
    stopwatch,
    feeds: replies.map((reply, source) => new Feed({ ...reply, framing, relay, source, stopwatch })),
    calls: replies.map(({ call }) => call),
    contentType: client.framing.contentType,
    lane: 'translated',
    maxEarlyBytes: countEarlyBytes(attempt, channel, replies.length),
  });
};

/** Applies the fits of the target. Where several calls are made, each one asks for a single choice. */
const fitRequest = (translation: Translation, calls: number): FittedRequest | Promise<FittedRequest> => {
  const {
    attempt: { request },
    channel,
    client,
    loseOfRequest,
  } = translation;
  if (calls === 1) return applyFits(channel.fits, request, channel.profile, fitContext(translation));
  loseOfRequest(
    describeField(client.traits, 'choices'),
    'injected',
    `the target gives one choice per call: it is called ${calls} times, and each call is charged`,
  );
  const single: GenerateRequest = { ...request, choices: 1 };
  return applyFits(channel.fits, single, channel.profile, fitContext(translation));
};

/** Makes several calls, each for one of the choices that the client wants. */
const sendSeveral = (
  translation: Translation,
  calls: number,
  content: CallContent,
  createFilter: CreateFilter,
): Promise<Reply> => {
  const { attempt, channel, stopwatch } = translation;
  const send = (signal: AbortSignal): Promise<UpstreamResponse> =>
    callUpstream({ ...attempt, signal }, channel, content, stopwatch);
  if (content.stream)
    return callTogether(calls, attempt.signal, send, (replies) => openStream(translation, replies, createFilter));
  const maxBytes = MAX_RESPONSE_BYTES / calls;
  const read = async (signal: AbortSignal): Promise<GenerateResponse> =>
    readResponse(translation, await send(signal), createFilter(), maxBytes);
  return callTogether(calls, attempt.signal, read, (responses) => writeResponse(translation, responses));
};

/** The translation of the request with the defaults of its model. */
const withDefaults = (translation: Translation): Translation => {
  const { attempt, channel, client, loseOfRequest } = translation;
  const defaulted = addDefaults(attempt.request, channel.defaults);
  if (defaulted === undefined) return translation;
  const { request, loseOfClient } = defaulted;
  return {
    ...translation,
    attempt: { ...attempt, request },
    loseOfRequest: loseOfClient(loseOfRequest, client.traits),
  };
};

/**
 * Codec to codec: canonical request, fits, the target's wire, and the response back, event by event. What cannot be
 * carried over is recorded as a loss.
 */
export async function sendTranslated(
  attempt: AttemptOf<'generate'>,
  channel: Channel<'generate'>,
  client: ClientWire,
): Promise<Reply> {
  // Checked before anything is sent: a response that cannot be decoded would still be charged.
  if (
    attempt.request.stream &&
    (channel.upstream.decodeStream === undefined || client.codec.encodeStream === undefined)
  )
    throw unstreamed(channel);
  const plain = createTranslation(attempt, channel, client);
  const translation = channel.defaults === undefined ? plain : withDefaults(plain);
  const calls = countCalls(attempt.request, channel.profile, client.traits);
  const fitted = fitRequest(translation, calls);
  const { request, replies: undo } = fitted instanceof Promise ? await fitted : fitted;
  // The fits and the encoder each read the whole request.
  if (attempt.exchange.inbound.raw.byteLength > LARGE_BYTES) await waitForLargeStep();
  const content = writeRequest(translation, request);
  const createFilter: CreateFilter = () => composeFilters(undo);
  if (calls > 1) return sendSeveral(translation, calls, content, createFilter);
  const response = await callUpstream(attempt, channel, content, translation.stopwatch);
  if (request.stream) return openStream(translation, [response], createFilter);
  return writeResponse(translation, [await readResponse(translation, response, createFilter(), MAX_RESPONSE_BYTES)]);
}

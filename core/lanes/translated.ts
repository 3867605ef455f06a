import type { Loss, Lose } from '../canonical/loss.ts';
import { foldEvents } from '../canonical/fold.ts';
import { unfoldResponse } from '../canonical/unfold.ts';
import type { GenerateEvent } from '../canonical/event.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import type { GenerateResponse } from '../canonical/response.ts';
import type { JsonObject } from '../canonical/wire.ts';
import type { ClientSide, EventFilter, Seen, WriteContext } from '../contracts/codec.ts';
import type { AttemptOf } from '../contracts/exchange.ts';
import type { Framing, FrameWriter } from '../contracts/framing.ts';
import type { Reply } from '../contracts/reply.ts';
import type { UpstreamReply } from '../contracts/provider.ts';
import { GatewayError } from '../errors.ts';
import { applyFits } from '../fits/compose.ts';
import { composeFilters } from '../fits/filter.ts';
import { parseJson } from '../framing/json.ts';
import type { Channel } from './channel.ts';
import { expectStream } from './expect-stream.ts';
import { createLossLedger } from './loss-ledger.ts';
import { createPlainReply } from './plain-reply.ts';
import { createStopwatch, type Stopwatch } from './stopwatch.ts';
import { openStreamReply } from './stream-reply.ts';
import { createTranslatedRelay } from './translated-relay.ts';
import { callUpstream, collectBody } from './upstream-call.ts';

export interface ClientHalf {
  readonly codec: ClientSide<'generate'>;
  readonly framing: Framing;
  /** Clock and randomness, lent to a codec that has none. */
  readonly context: Omit<WriteContext, 'request' | 'lose'>;
}

interface Crossing {
  readonly attempt: AttemptOf<'generate'>;
  readonly channel: Channel<'generate'>;
  readonly client: ClientHalf;
  readonly filter: EventFilter | undefined;
  readonly losses: readonly Loss[];
  readonly lose: Lose;
  readonly stopwatch: Stopwatch;
}

const assignEdits = ({ attempt, channel, lose }: Crossing, body: JsonObject): JsonObject => {
  const edits = channel.speech.edits?.(body, { stream: attempt.request.stream, headers: attempt.exchange.inbound.headers, lose }) ?? [];
  for (const { member, value } of edits) body[member] = value;
  return body;
};

const writeContext = ({ attempt, client, lose }: Crossing): WriteContext => ({ ...client.context, request: attempt.exchange.request, lose });
const readContext = ({ attempt, channel, lose }: Crossing) => ({ origin: channel.profile.origin, turn: attempt.request.turns.length, lose });

const writerOf = (framing: Framing): FrameWriter => {
  if (framing.writer === undefined) throw new GatewayError('internal_error', `The framing ${framing.name} cannot be written to clients.`);
  return framing.writer;
};

const openStream = async (crossing: Crossing, reply: UpstreamReply): Promise<Reply> => {
  const { attempt, channel, client, filter, losses, stopwatch } = crossing;
  const decoder = channel.upstream.decodeStream?.(readContext(crossing));
  const encoder = client.codec.encodeStream?.(writeContext(crossing));
  if (decoder === undefined || encoder === undefined) throw new GatewayError('unsupported_parameter', `${channel.profile.wire} cannot be streamed here.`, { param: 'stream' });
  await expectStream(reply, channel);
  const relay = createTranslatedRelay({ decoder, filter, encoder, writer: writerOf(client.framing) });
  return openStreamReply({ body: reply.body, framing: channel.framing, relay, contentType: client.framing.contentType, lane: 'translated', target: attempt.target, losses, stopwatch });
};

/** The inverses of the fits are written for streams; a plain answer takes the same way, event by event. */
const filterResponse = (response: GenerateResponse, filter: EventFilter | undefined): GenerateResponse => {
  if (filter === undefined) return response;
  const events: GenerateEvent[] = [];
  unfoldResponse(response, (event) => filter.push(event, (bent) => events.push(bent)));
  const folded = foldEvents(events);
  return { ...response, ...folded, choices: folded.choices.map((choice, index) => ({ ...response.choices[index], ...choice })) };
};

const charsOf = (response: GenerateResponse): number =>
  response.choices.reduce(
    (sum, { parts }) => sum + parts.reduce((chars, part) => chars + ('text' in part ? part.text.length : part.type === 'tool-call' ? part.input.length : 0), 0),
    0,
  );

const seenIn = (response: GenerateResponse): Seen => ({
  outputChars: charsOf(response),
  ...(response.usage === undefined ? {} : { usage: response.usage }),
  ...(response.model === undefined ? {} : { model: response.model }),
  ...(response.choices[0] === undefined ? {} : { finish: response.choices[0].finish }),
});

const readPlain = async (crossing: Crossing, reply: UpstreamReply): Promise<Reply> => {
  const { attempt, channel, client, filter, losses, stopwatch } = crossing;
  stopwatch.start();
  const bytes = await collectBody(reply.body).finally(stopwatch.stop);
  const body = parseJson(bytes.toString('utf8'));
  if (body === undefined) throw new GatewayError('upstream_bad_response', 'The provider answered with something that is not JSON.');
  const response = filterResponse(channel.upstream.decodeResponse(body, readContext(crossing)), filter);
  const answer = JSON.stringify(client.codec.encodeResponse(response, writeContext(crossing)));
  return createPlainReply({ bytes: answer, seen: seenIn(response), lane: 'translated', target: attempt.target, losses, waitedMs: stopwatch.elapsedMs });
};

const bendRequest = async (attempt: AttemptOf<'generate'>, channel: Channel<'generate'>, lose: Lose): Promise<{ request: GenerateRequest; filter: EventFilter | undefined }> => {
  const fitted = applyFits(channel.fits, attempt.request, channel.profile, { lose, signal: attempt.signal });
  const { request, replies } = fitted instanceof Promise ? await fitted : fitted;
  return { request, filter: composeFilters(replies) };
};

/** Codec to codec: canonical request, fits, the target's wire; and back, event by event. What is lost on the way is named. */
export const sendTranslated = async (attempt: AttemptOf<'generate'>, channel: Channel<'generate'>, client: ClientHalf): Promise<Reply> => {
  const { losses, lose } = createLossLedger();
  const { request, filter } = await bendRequest(attempt, channel, lose);
  const stopwatch = createStopwatch();
  const crossing: Crossing = { attempt, channel, client, filter, losses, lose, stopwatch };

  const encoded = channel.upstream.encodeRequest(request, channel.profile, lose);
  const body = Buffer.from(JSON.stringify(assignEdits(crossing, encoded.body)));
  const reply = await callUpstream(attempt, channel, { body, headers: encoded.headers, stream: request.stream }, stopwatch);
  return request.stream ? openStream(crossing, reply) : readPlain(crossing, reply);
};

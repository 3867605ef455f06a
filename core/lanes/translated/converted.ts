import { isObject } from '../../canonical/json/members.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { ImageRequest } from '../../canonical/operation/image.ts';
import type { FileBody } from '../../canonical/operation/speech.ts';
import type { TranscribeRequest } from '../../canonical/operation/transcription.ts';
import type { LoadedFile, Upload } from '../../canonical/operation/upload.ts';
import { weighText } from '../../canonical/text/text-weight.ts';
import { countCodePoints } from '../../canonical/text/code-points.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { Operation } from '../../canonical/wire.ts';
import type { ConversationOperation, RequestOf, ResponseOf } from '../../contracts/codec-context.ts';
import type { AttemptOf, Reply } from '../../contracts/attempt.ts';
import type { EndpointWire } from '../../contracts/provider.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { applyFits } from '../../fits/support/compose.ts';
import { describeField } from '../../fits/support/field-name.ts';
import { unsupportedParameter } from '../../fits/support/unsupported.ts';
import type { Channel } from '../channel.ts';
import { createLossLedger } from '../loss-ledger.ts';
import {
  createTranslation,
  fitContext,
  readContext,
  writeContext,
  writeRequest,
  type ClientWire,
  type Translation,
} from './translation.ts';
import { checkVectors, embedTogether } from './embed-together.ts';
import { createPlainReply, type PlainResponse } from '../plain-reply.ts';
import { collectBody, collectJson, MAX_RESPONSE_BYTES } from '../upstream/collect.ts';
import { isFile } from '../upstream/expect-stream.ts';
import { callUpstream } from '../upstream/call.ts';

/** Clients look up each document by its number. */
const checkRanks = (documents: readonly string[], results: readonly object[]): void => {
  const wrong = results.find((result) => !('index' in result && Number(result.index) < documents.length));
  if (wrong === undefined) return;
  throw new GatewayError('upstream_bad_response', 'The provider ranked a document that the request does not have.');
};

/** A vendor that bills tokens does not report how many characters or seconds they were, which limits count. */
const usageOf = (request: object, response: object): Usage | undefined => {
  const usage = 'usage' in response ? (response.usage as Usage | undefined) : undefined;
  if (usage === undefined) return usage;
  if ('audio' in request) {
    const { seconds } = (request as TranscribeRequest).audio;
    return { ...usage, units: { ...usage.units, seconds: usage.units?.seconds || seconds } };
  }
  if (!('text' in request) || typeof request.text !== 'string') return usage;
  return { ...usage, units: { characters: countCodePoints(request.text), ...usage.units } };
};

const isFileBody = (body: unknown): body is FileBody => isObject(body) && body['bytes'] instanceof Uint8Array;

const isStreamed = (request: object): boolean => 'stream' in request && request.stream === true;

/**
 * The request of a target without streams, whose response is written as one. Events have the bytes of an image, and a
 * server that does not stream can have its address in place of them.
 */
const asPlain = <O extends Operation>(request: RequestOf<O>, { streams }: EndpointWire): RequestOf<O> =>
  'count' in request && streams === false
    ? { ...request, stream: false, delivery: 'bytes' }
    : { ...request, stream: false };

type Body = Pick<PlainResponse, 'bytes' | 'contentType' | 'isStream'>;

/** The response as the client's wire writes it: JSON, a file, or the frames of a stream. */
const writeBody = <O extends Operation>(translation: Translation<O>, response: ResponseOf<O>): Body => {
  const { codec, framing } = translation.client;
  const context = writeContext(translation);
  if (isStreamed(context.request) && codec.encodeAsStream !== undefined && framing.writer !== undefined) {
    const { writer } = framing;
    let bytes = '';
    codec.encodeAsStream(response, context, (event, data) => {
      bytes += writer.frame(event, data, bytes === '');
    });
    return { bytes: bytes + writer.close(), contentType: framing.contentType, isStream: true };
  }
  const body = codec.encodeResponse(response, context);
  return isFileBody(body) ? body : { bytes: JSON.stringify(body) };
};

const convert = async <O extends Operation>(translation: Translation<O>, request: RequestOf<O>): Promise<Reply> => {
  const { attempt, channel, stopwatch } = translation;
  const reply = await callUpstream(attempt, channel, writeRequest(translation, request), stopwatch);
  const response = channel.upstream.decodeResponse(
    isFile(reply, 'audio')
      ? await collectBody(reply, MAX_RESPONSE_BYTES, stopwatch)
      : await collectJson(reply, stopwatch),
    readContext(translation, reply.headers),
  );
  const usage = usageOf(request, response);
  if (usage !== undefined) reply.call.usage = usage;
  if ('documents' in request && 'results' in response) checkRanks(request.documents, response.results);
  if ('vectors' in response && 'inputs' in request) checkVectors(request, response);
  const body = writeBody(translation, response);
  const seen = {
    outputChars: 'text' in response ? weighText(response.text) : 0,
    ...(usage === undefined ? {} : { usage }),
    ...('model' in response && response.model !== undefined ? { model: response.model } : {}),
  };
  return createPlainReply({
    ...body,
    seen,
    lane: 'translated',
    // Every wire writes an estimate for vectors without usage.
    ...('vectors' in response && usage === undefined ? { estimated: 'usage' } : {}),
    attempt,
    waitedMs: stopwatch.elapsedMs,
  });
};

/** The compiler cannot see through the type parameter which operation a request is of. */
const isEmbedding = (
  translation: Pick<Translation, never> & { readonly attempt: { readonly request: object } },
): translation is Translation<'embed'> => 'inputs' in translation.attempt.request;

/**
 * The files of a form in memory, for a wire that has no forms.
 * @throws GatewayError which concerns this target only: another can take the form as it is
 */
async function loadFields(upload: Upload, fields: readonly string[]): Promise<readonly LoadedFile[]> {
  try {
    return (await Promise.all(fields.map((field) => upload.load(field)))).flat();
  } catch (thrown) {
    const { code, message, retryAfterMs } = toGatewayError(thrown);
    throw new GatewayError(
      code,
      message,
      omitUndefined({ failure: 'unsuitable' as const, retryAfterMs, cause: thrown }),
    );
  }
}

const loadImages = async ({ uploaded = [], ...rest }: ImageRequest, upload: Upload): Promise<ImageRequest> => {
  const loaded = await loadFields(upload, [...new Set(uploaded.map(({ field }) => field))]);
  return { ...rest, images: loaded.map((media) => ({ type: 'media', media })) };
};

/** @throws GatewayError `unsupported_parameter` for a file that another target can take as it is */
const loadAudio = async (
  request: TranscribeRequest,
  upload: Upload,
  model: string,
  maxAudioBytes = Number.POSITIVE_INFINITY,
): Promise<TranscribeRequest> => {
  const { audio } = request;
  const { field = '' } = audio;
  if (audio.bytes > maxAudioBytes)
    throw unsupportedParameter(
      field,
      `${model} takes at most ${maxAudioBytes} bytes of audio, and '${field}' has ${audio.bytes}. ` +
        'Send a shorter or compressed recording, or choose another model.',
    );
  const [media] = await loadFields(upload, [field]);
  return { ...request, audio: omitUndefined({ ...audio, media }) };
};

/** The request as this target gets it: without its stream, and with its files where the wire has no forms. */
const prepare = async <O extends Operation>({ attempt, channel }: Translation<O>): Promise<RequestOf<O>> => {
  const { endpointWire, upstream, profile } = channel;
  const request = isStreamed(attempt.request) ? asPlain<O>(attempt.request, endpointWire) : attempt.request;
  const { upload } = attempt.exchange.inbound;
  if (upload === undefined || upstream.takesForms === true) return request;
  // The compiler cannot see through the type parameter that a request with these members is of such an operation.
  if ('uploaded' in request) return (await loadImages(request, upload)) as RequestOf<O>;
  if (!('audio' in request)) return request;
  return (await loadAudio(request, upload, profile.model, endpointWire.maxAudioBytes)) as RequestOf<O>;
};

/** Translates a request that is no conversation. Fits do not apply: they are rules for conversations. */
export async function sendConverted<O extends Exclude<Operation, ConversationOperation>>(
  attempt: AttemptOf<O>,
  channel: Channel<O>,
  client: ClientWire<O>,
): Promise<Reply> {
  const { request } = attempt;
  const [param] = ('media' in request ? request.media : undefined) ?? [];
  if (param !== undefined)
    throw unsupportedParameter(
      param,
      `The model ${channel.profile.model} reads only text over this wire, and '${param}' is not text. ` +
        `Leave it out, or choose a model of the vendor of this wire.`,
    );
  if (isStreamed(request) && client.codec.encodeAsStream === undefined)
    throw unsupportedParameter(
      describeField(client.traits, 'stream'),
      `${channel.profile.model} cannot be streamed over this wire. Leave it out.`,
    );
  const translation = createTranslation(attempt, channel, client);
  const { maxInputs } = channel.endpointWire;
  return maxInputs !== undefined && isEmbedding(translation) && translation.attempt.request.inputs.length > maxInputs
    ? embedTogether(translation, maxInputs)
    : convert(translation, await prepare(translation));
}

/**
 * Counts the tokens of a conversation, or compacts it, as it would be sent, with the fits applied. Their inverses are
 * for generated responses.
 */
export async function sendConversation<O extends 'count-tokens' | 'compact'>(
  attempt: AttemptOf<O>,
  channel: Channel<O>,
  client: ClientWire<O>,
): Promise<Reply> {
  const translation = createTranslation(attempt, channel, client);
  const { request } = await applyFits(channel.fits, attempt.request, channel.profile, fitContext(translation));
  return convert(translation, request);
}

/** Responds with the gateway's own estimate, marked by a header, for a target that cannot count tokens. */
export async function estimateCount(
  attempt: AttemptOf<'count-tokens'>,
  client: ClientWire<'count-tokens'>,
): Promise<Reply> {
  const { exchange } = attempt;
  const count = { inputTokens: exchange.estimate.inputTokens, estimated: true };
  const { lose } = createLossLedger(attempt.losses);
  const bytes = JSON.stringify(
    client.codec.encodeResponse(count, { ...client.context, request: exchange.request, lose }),
  );
  return createPlainReply({
    bytes,
    seen: { outputChars: 0 },
    lane: 'translated',
    estimated: 'input_tokens',
    attempt,
    waitedMs: 0,
  });
}

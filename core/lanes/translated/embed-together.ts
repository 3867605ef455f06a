import { estimateUsage, type Usage } from '../../canonical/usage.ts';
import type { EmbedRequest, EmbedResponse } from '../../canonical/operation/embedding.ts';
import type { Reply } from '../../contracts/attempt.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { unsupportedParameter } from '../../fits/support/unsupported.ts';
import { createPlainReply } from '../plain-reply.ts';
import { callUpstream } from '../upstream/call.ts';
import { collectJson, MAX_RESPONSE_BYTES } from '../upstream/collect.ts';
import { callTogether, MAX_CALLS } from './fan-out.ts';
import { describeSpent } from './merge-choices.ts';
import { readContext, writeContext, writeRequest, type Translation } from './translation.ts';

/** Most calls of one request, one after the other and at the same time. */
const MAX_EMBED_CALLS = 1_024;
const BYTES_PER_VALUE = 4;

interface Embedded {
  readonly response: EmbedResponse;
  /** As reported, otherwise the share of the estimate. */
  readonly usage: Usage;
}

/** @throws GatewayError `upstream_bad_response` unless there is one vector for each text */
export function checkVectors({ inputs }: EmbedRequest, { vectors }: EmbedResponse): void {
  if (vectors.length !== inputs.length)
    throw new GatewayError(
      'upstream_bad_response',
      `The provider returned ${vectors.length} vectors for ${inputs.length} inputs.`,
    );
}

/**
 * The parts of a request with at most so many texts each.
 * @throws GatewayError `unsupported_parameter` for more than {@link MAX_EMBED_CALLS}
 */
const split = (request: EmbedRequest, size: number, model: string): readonly EmbedRequest[] => {
  const { inputs } = request;
  const count = Math.ceil(inputs.length / size);
  if (count > MAX_EMBED_CALLS)
    throw unsupportedParameter(
      'input',
      `'input' has ${inputs.length} texts. ${model} embeds ${size} in each call, and a request makes at most ` +
        `${MAX_EMBED_CALLS} calls. Send at most ${MAX_EMBED_CALLS * size} texts at once.`,
    );
  return Array.from({ length: count }, (_, index) => ({
    ...request,
    inputs: inputs.slice(index * size, (index + 1) * size),
    begin: index * size,
  }));
};

const embedPart = async (
  translation: Translation<'embed'>,
  part: EmbedRequest,
  signal: AbortSignal,
): Promise<Embedded> => {
  const { attempt, channel, stopwatch } = translation;
  const { request, exchange } = attempt;
  const share = (exchange.estimate.inputTokens * part.inputs.length) / request.inputs.length;
  const estimated = estimateUsage(Math.ceil(share), 0);
  const content = { ...writeRequest(translation, part), usage: estimated };
  const reply = await callUpstream({ ...attempt, signal }, channel, content, stopwatch);
  const body = await collectJson(reply, stopwatch, undefined, MAX_RESPONSE_BYTES / MAX_CALLS);
  const response = channel.upstream.decodeResponse(body, readContext(translation, reply.headers));
  const { usage = estimated } = response;
  reply.call.usage = usage;
  checkVectors(part, response);
  return { response, usage };
};

const join = (embedded: readonly Embedded[]): EmbedResponse => {
  const vectors = embedded.flatMap(({ response }) => response.vectors);
  const values = vectors.reduce((sum, { length }) => sum + length, 0);
  if (values * BYTES_PER_VALUE > MAX_RESPONSE_BYTES)
    throw new GatewayError('upstream_bad_response', 'The vectors of the provider are longer than any model returns.');
  const [first] = embedded;
  return { ...first?.response, vectors, usage: describeSpent(embedded.map(({ usage }) => usage)).usage };
};

/** Embeds the texts of a request in several calls, for a target that takes fewer of them at once. */
export function embedTogether(translation: Translation<'embed'>, size: number): Promise<Reply> {
  const { attempt, channel, client, stopwatch } = translation;
  const parts = split(attempt.request, size, channel.profile.model);
  const call = (signal: AbortSignal, index: number): Promise<Embedded> => {
    const part = parts[index];
    if (part === undefined) throw new GatewayError('internal_error', 'A call has no texts.');
    return embedPart(translation, part, signal);
  };
  return callTogether(parts.length, attempt.signal, call, (embedded) => {
    const response = join(embedded);
    const isEstimated = embedded.some(({ usage }) => usage.source === 'estimated');
    return createPlainReply({
      bytes: JSON.stringify(client.codec.encodeResponse(response, writeContext(translation))),
      seen: {
        outputChars: 0,
        ...describeSpent(embedded.map(({ usage }) => usage)),
        ...(response.model === undefined ? {} : { model: response.model }),
      },
      lane: 'translated',
      ...(isEstimated ? { estimated: 'usage' } : {}),
      attempt,
      waitedMs: stopwatch.elapsedMs,
    });
  });
}

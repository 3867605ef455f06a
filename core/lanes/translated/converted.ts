import type { Operation } from '../../canonical/wire.ts';
import type { RequestOf } from '../../contracts/codec-context.ts';
import type { AttemptOf } from '../../contracts/attempt.ts';
import type { Reply } from '../../contracts/attempt.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { applyFits } from '../../fits/support/compose.ts';
import { unsupportedParameter } from '../../fits/support/unsupported.ts';
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
import { createPlainReply } from '../plain-reply.ts';
import { collectJson } from '../upstream/collect.ts';
import { callUpstream } from '../upstream/call.ts';

const convert = async <O extends Operation>(translation: Translation<O>, request: RequestOf<O>): Promise<Reply> => {
  const { attempt, channel, client, losses, stopwatch } = translation;
  const reply = await callUpstream(attempt, channel, writeRequest(translation, request), stopwatch);
  const response = channel.upstream.decodeResponse(
    await collectJson(reply, stopwatch),
    readContext(translation, reply.headers),
  );
  const usage = 'usage' in response ? response.usage : undefined;
  if (usage !== undefined) reply.call.usage = usage;
  if ('vectors' in response && 'inputs' in request && response.vectors.length !== request.inputs.length) {
    throw new GatewayError(
      'upstream_bad_response',
      `The provider returned ${response.vectors.length} vectors for ${request.inputs.length} inputs.`,
    );
  }
  const bytes = JSON.stringify(client.codec.encodeResponse(response, writeContext(translation)));
  const seen = {
    outputChars: 0,
    ...(usage === undefined ? {} : { usage }),
    ...('model' in response && response.model !== undefined ? { model: response.model } : {}),
  };
  return createPlainReply({
    bytes,
    seen,
    lane: 'translated',
    // Every wire writes an estimate for vectors without usage.
    ...('vectors' in response && usage === undefined ? { estimated: 'usage' } : {}),
    attempt,
    losses,
    waitedMs: stopwatch.elapsedMs,
  });
};

/** Translates an embedding request. Fits do not apply: they are rules for conversations. */
export async function sendEmbed(
  attempt: AttemptOf<'embed'>,
  channel: Channel<'embed'>,
  client: ClientWire<'embed'>,
): Promise<Reply> {
  const [param] = attempt.request.media ?? [];
  if (param !== undefined)
    throw unsupportedParameter(
      param,
      `The model ${channel.profile.model} can embed only text over this wire, and '${param}' is not text. ` +
        `Leave it out, or choose a model of the vendor of this wire.`,
    );
  return convert(createTranslation(attempt, channel, client), attempt.request);
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
  const bytes = JSON.stringify(
    client.codec.encodeResponse(count, { ...client.context, request: exchange.request, lose: () => {} }),
  );
  return createPlainReply({
    bytes,
    seen: { outputChars: 0 },
    lane: 'translated',
    estimated: 'input_tokens',
    attempt,
    losses: [],
    waitedMs: 0,
  });
}

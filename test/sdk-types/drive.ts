import type { EmbedRequest, GenerateRequest, Operation, Usage } from '../../core/api/index.ts';
import type { Codec, Frame, GenerateEvent, Lose, Loss, RequestOf, WriteContext } from '../../core/api/codec.ts';
import { estimateUsage } from '../../core/canonical/usage.ts';
import { createUsageWatch } from '../../core/exchange/usage-watch.ts';
import { GatewayError } from '../../core/errors/gateway-error.ts';
import { applyFits, coreFits, selectFits } from '../../core/fits/index.ts';
import {
  createLossList,
  createProfile,
  createReadContext,
  createTestRequest,
  createTestTarget,
  createWriteContext,
} from '../../core/testing/index.ts';
import { messagesCodec } from '../../providers/anthropic/messages/index.ts';
import { messagesCountCodec } from '../../providers/anthropic/messages/count-tokens.ts';
import { embedContentCodec } from '../../providers/google/embed-content/index.ts';
import { generateContentCountCodec } from '../../providers/google/generate-content/count-tokens.ts';
import { generateContentCodec } from '../../providers/google/generate-content/index.ts';
import { interactionsCodec } from '../../providers/google/interactions/index.ts';
import { chatCompletionsCodec } from '../../providers/openai/chat-completions/index.ts';
import { embeddingsCodec } from '../../providers/openai/embeddings/index.ts';
import { responsesCountCodec } from '../../providers/openai/responses/count-tokens.ts';
import { responsesCodec } from '../../providers/openai/responses/index.ts';
import { sampleRecord } from '../core/exchange/sample-exchange.ts';
import type { EmbedWire, Wire } from './wires.ts';

const codecs: Readonly<Record<Wire, Codec<'generate'>>> = {
  'chat-completions': chatCompletionsCodec,
  responses: responsesCodec,
  messages: messagesCodec,
  'generate-content': generateContentCodec,
  'interactions': interactionsCodec,
};
const counters: readonly Codec<'count-tokens'>[] = [messagesCountCodec, responsesCountCodec, generateContentCountCodec];
const embedders: readonly Codec<'embed'>[] = [embeddingsCodec, embedContentCodec];

const otherWires = (wire: Wire): readonly Codec<'generate'>[] =>
  Object.values(codecs).filter((codec) => codec.wire !== wire);

/** What came of a value on one way through the gateway. */
export interface Outcome {
  /** What was written, or the error. */
  readonly written: unknown;
  readonly losses: readonly Loss[];
  readonly refused: boolean;
}

const describe = (thrown: unknown): Outcome => {
  if (!GatewayError.is(thrown)) throw thrown;
  const { code, status, param, message, failure } = thrown;
  return { written: { code, status, param, message, failure }, losses: [], refused: true };
};

const attempt = (write: () => Outcome): Outcome => {
  try {
    return write();
  } catch (thrown) {
    return describe(thrown);
  }
};

/** A request of one client, adapted to a model with cache marks, and written on another wire. */
const sendRequest = <O extends 'generate' | 'count-tokens'>(
  client: Codec<O>,
  request: GenerateRequest,
  target: Codec<O>,
): Outcome => {
  const { losses, lose } = createLossList();
  const profile = createProfile(target.wire, { cacheMarks: ['5m', '1h'], ...target.upstream!.limits }, target.traits);
  const context = { lose, client: client.traits ?? {}, signal: new AbortController().signal };
  const fitted = applyFits(selectFits(coreFits, profile, target.operation), request, profile, context);
  if (fitted instanceof Promise) throw new Error('A fit waits for something.');
  return { written: target.upstream!.encodeRequest(fitted.request, profile, lose), losses, refused: false };
};

const sendEmbed = (_client: Codec<'embed'>, request: EmbedRequest, target: Codec<'embed'>): Outcome => {
  const { losses, lose } = createLossList();
  const profile = createProfile(target.wire, target.upstream!.limits);
  return { written: target.upstream!.encodeRequest(request, profile, lose), losses, refused: false };
};

/** Decodes a client's request, and writes it on each other wire of the operation. */
function driveOperation<O extends Operation>(
  all: readonly Codec<O>[],
  wire: string,
  body: unknown,
  send: (client: Codec<O>, request: RequestOf<O>, target: Codec<O>) => Outcome,
): readonly Outcome[] {
  const client = all.find((codec) => codec.wire === wire)!;
  const headers = { 'anthropic-version': '2023-06-01' };
  const inbound = { raw: Buffer.from(JSON.stringify(body)), body, headers, query: {}, model: 'model', stream: false };
  let request: RequestOf<O>;
  try {
    ({ request } = client.client!.decodeRequest(inbound));
  } catch (thrown) {
    return [describe(thrown)];
  }
  return all.filter((codec) => codec !== client).map((target) => attempt(() => send(client, request, target)));
}

export const driveRequest = (wire: Wire, body: unknown): readonly Outcome[] =>
  driveOperation<'generate'>(Object.values(codecs), wire, body, sendRequest);
export const driveCount = (wire: Wire, body: unknown): readonly Outcome[] =>
  driveOperation<'count-tokens'>(counters, wire, body, sendRequest);
export const driveEmbed = (wire: EmbedWire, body: unknown): readonly Outcome[] =>
  driveOperation<'embed'>(embedders, wire, body, sendEmbed);

const writerOf = ({ wire }: Codec<'generate'>, lose: Lose): WriteContext =>
  createWriteContext(createTestRequest({ wire, includeUsage: true, logprobs: 1 }), lose);

/** Without the vendor's own object, which no client gets. */
const shownUsage = (usage: Usage | undefined): object => ({ ...usage, raw: undefined });

/** Decodes an upstream's plain response, and writes it on each other wire. */
export const driveResponse = (wire: Wire, body: unknown): readonly Outcome[] =>
  otherWires(wire).map((client) =>
    attempt(() => {
      const { losses, lose } = createLossList();
      const response = codecs[wire].upstream!.decodeResponse(body, createReadContext(lose));
      const written = client.client!.encodeResponse(response, writerOf(client, lose));
      return { written: [shownUsage(response.usage), written], losses, refused: false };
    }),
  );

/** Decodes an upstream's stream, and writes it on each other wire. */
export const driveStream = (wire: Wire, frames: readonly Frame[]): readonly Outcome[] =>
  otherWires(wire).map((client) =>
    attempt(() => {
      const { losses, lose } = createLossList();
      const decoder = codecs[wire].upstream!.decodeStream!(createReadContext(lose));
      const encoder = client.client!.encodeStream!(writerOf(client, lose));
      const written: unknown[] = [];
      const keep = (event: GenerateEvent): void => {
        if (event.type === 'error') written.push(describe(event.error).written);
        if (event.type === 'usage') written.push(shownUsage(event.usage));
        encoder.push(event, (name, data) => void written.push([name, data]));
      };
      for (const frame of frames) decoder.push(frame, keep);
      decoder.end(keep);
      return { written, losses, refused: false };
    }),
  );

/** Decodes a failed response. */
export const driveError = (wire: Wire, status: number, body: unknown): readonly Outcome[] => [
  describe(codecs[wire].upstream!.decodeError({ status, headers: {}, body })),
];

/** The members of usage that the gateway does not know, as losses. */
export function driveUsage(wire: Wire, raw: unknown): readonly Outcome[] {
  const { losses, lose } = createLossList();
  const count = (_provider: string, path: string): void => lose(path, 'dropped', 'unknown usage');
  const watch = createUsageWatch(Object.values(codecs), { count });
  const target = createTestTarget('provider/model');
  const charge = { attempt: 0, target, usage: { ...estimateUsage(1, 1), raw }, cost: undefined };
  watch('generate', { attempts: [{ ...sampleRecord, wire }], charges: [charge] });
  return [{ written: undefined, losses, refused: false }];
}

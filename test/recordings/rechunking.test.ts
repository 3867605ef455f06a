import { expect } from 'chai';
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { jsonArray } from '../../core/framing/json-array.ts';
import { sse } from '../../core/framing/sse.ts';
import type { Codec, Framing, GenerateEvent, NativePlan } from '../../core/api/codec.ts';
import { NativeRelay } from '../../core/lanes/native/relay.ts';
import type { Relay } from '../../core/lanes/relay.ts';
import {
  comparableEvents,
  createProfile,
  createReadContext,
  decodeFrames,
  hazardousCuts,
  rechunk,
} from '../../core/testing/index.ts';
import { messagesCodec } from '../../providers/anthropic/messages/index.ts';
import { generateContentCodec } from '../../providers/google/generate-content/index.ts';
import { chatCompletionsCodec } from '../../providers/openai/chat-completions/index.ts';
import { responsesCodec } from '../../providers/openai/responses/index.ts';
import { callOf } from '../support/calls.ts';
import { textAnswer } from '../matrix/sample-bodies.ts';
import { framesOf } from '../matrix/vendors/vendors.ts';
import { wireNames, wires, type Wire } from '../matrix/wires.ts';
import { recordings } from './recordings.ts';

const RUNS = 10_000;

const codecs: Readonly<Record<Wire, Codec<'generate'>>> = {
  chat: chatCompletionsCodec,
  messages: messagesCodec,
  responses: responsesCodec,
  google: generateContentCodec,
};
const goldens: Readonly<Record<Wire, string>> = {
  chat: 'chat',
  messages: 'messages',
  responses: 'responses',
  google: 'generate-content',
};

interface Stream {
  readonly framing: Framing;
  readonly bytes: Uint8Array;
  /** Positions where decoders are most likely to break. */
  readonly hazards: readonly number[];
}
const streamOf = (text: string, framing: Framing = sse): Stream => {
  const bytes = Buffer.from(text);
  return { framing, bytes, hazards: hazardousCuts(bytes) };
};

const read = (path: string): string => readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8');
/** Streamed tool calls of each server. */
const recorded = (wire: Wire): readonly string[] =>
  recordings
    .filter((one) => one.wire === wireNames[wire] && one.name.endsWith('-tools-stream.json'))
    .flatMap(({ response }) => response?.text ?? []);
const asArray = (text: string): string => {
  const { writer } = jsonArray;
  const elements = decodeFrames([Buffer.from(text)]).filter(({ data }) => data !== '');
  return (
    elements.map(({ data }, index) => writer?.frame(undefined, data, index === 0) ?? '').join('') +
    (writer?.close() ?? '')
  );
};

/**
 * Thinking, text and calls; recorded calls; characters of four bytes and of several code points; every line ending, a
 * comment and a byte order mark.
 */
const streamsOf = (wire: Wire): readonly Stream[] => {
  const texts = [
    read(`golden/${goldens[wire]}.sse`),
    ...recorded(wire),
    framesOf(wire, textAnswer('Grüße, 日本! 😀👩‍👧 Adiós.')).join(''),
  ].map((text) => text.replaceAll('\r\n', '\n'));
  const events = texts.flatMap((text) =>
    ['\n', '\r\n', '\r'].map((lineEnd) => streamOf(`\uFEFF: hello\n\n${text}`.replaceAll('\n', lineEnd))),
  );
  return wire === 'google' ? [...events, ...texts.map((text) => streamOf(asArray(text), jsonArray))] : events;
};

const planOf = (wire: Wire): NativePlan => {
  const { client, upstream } = codecs[wire];
  const { body } = callOf(wire, 'model', { stream: true });
  const inbound = {
    raw: Buffer.from(body),
    body: JSON.parse(body) as unknown,
    headers: { 'anthropic-version': '2023-06-01' },
    query: {},
    model: 'model',
    stream: true,
  };
  return upstream!.native!(inbound, client!.decodeRequest(inbound).request, createProfile(wireNames[wire]))!;
};

/** The result of both lanes for a stream in these chunks: events, bytes for the client, and what the tap observed. */
const take = (
  { upstream }: Codec<'generate'>,
  plan: NativePlan,
  framing: Framing,
  chunks: readonly Uint8Array[],
): string => {
  const relay: Relay = new NativeRelay(plan.tap(), framing, framing);
  const decoder = upstream!.decodeStream!(createReadContext());
  const events: GenerateEvent[] = [];
  const keep = (event: GenerateEvent): void => void events.push(event);
  const sent: (string | Uint8Array)[] = [];
  for (const frame of decodeFrames(chunks, framing)) {
    decoder.push(frame, keep);
    relay.push(frame, 0);
    sent.push(relay.take() ?? '');
  }
  decoder.end(keep);
  relay.end(0);
  sent.push(relay.take() ?? '');
  const { state, seen } = relay;
  return [
    JSON.stringify(comparableEvents(events)),
    ...sent.map((piece) => Buffer.from(piece as string).toString('latin1')),
    '\n',
    JSON.stringify([seen, state]),
  ].join('');
};

describe('however the bytes of a stream are split', function () {
  this.timeout(120_000);
  for (const wire of wires) {
    it(`${wireNames[wire]} is decoded the same, and relayed the same by its tap`, () => {
      const [codec, plan] = [codecs[wire], planOf(wire)];
      const streams = streamsOf(wire).map((stream) => ({
        ...stream,
        whole: take(codec, plan, stream.framing, [stream.bytes]),
      }));
      for (const { whole } of streams) expect(whole).to.include('"response-end"').and.to.not.include('"type":"error"');
      fc.assert(
        // Every other cut is at a hazardous position.
        fc.property(
          fc.nat(streams.length - 1),
          fc.array(fc.nat(65_535), { minLength: 1, maxLength: 24 }),
          (index, places) => {
            const { framing, bytes, hazards, whole } = streams[index]!;
            const cuts = places.map((place) =>
              place % 2 === 0 ? (hazards[(place / 2) % hazards.length] ?? 0) : place % bytes.length,
            );
            expect(take(codec, plan, framing, rechunk(bytes, cuts))).to.equal(whole);
          },
        ),
        { numRuns: RUNS },
      );
    });
  }
});

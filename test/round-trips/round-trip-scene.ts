import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { answerJson, startUpstream, type UpstreamCall } from '../support/upstream.ts';
import { idOf, settingsAt } from '../matrix/catalog.ts';
import { wireNames, wires, type Json, type Mode, type Wire } from '../matrix/wires.ts';
import { wordsOf, type StepName } from './steps.ts';
import { objectTo, refusals, type Given } from './strict-vendor.ts';

/**
 * Models that reject a turn without its proofs: Gemini 3 requires a signature on calls, Claude 4.5 its thinking before
 * them.
 */
const models: Readonly<Record<Wire, string>> = {
  chat: 'gpt-5.1',
  messages: 'claude-sonnet-4-5',
  responses: 'gpt-5.1',
  google: 'gemini-3-pro-preview',
};
const REASONER = 'local/reasoner';

/** OpenAI itself has no proofs on chat, so this vendor is a server of another maker. */
export const modelOf = (wire: Wire): string => (wire === 'chat' ? REASONER : idOf(wire, models[wire]));

/** The client and its conversation. */
export interface Asked {
  readonly client: Wire;
  readonly mode: Mode;
  readonly given: readonly Given[];
}

export interface RoundTrips {
  readonly gateway: TestGateway;
  /** The vendor responds to the next call with this step, if the history before it is valid. */
  expectNext(wire: Wire, step: StepName, asked: Asked): void;
  /** The vendor responds to every request. */
  answerNext(wire: Wire, step: StepName, mode: Mode): void;
  /** The last request that the vendor received. */
  last(): UpstreamCall;
  /** The losses of the last exchange. */
  losses(count: number): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const answer = (response: ServerResponse, wire: Wire, step: StepName, mode: Mode): void =>
  void response
    .writeHead(200, { 'content-type': mode === 'plain' ? 'application/json' : 'text/event-stream' })
    .end(wordsOf(wire, step, mode));

export const startRoundTrips = async (): Promise<RoundTrips> => {
  const upstream = await startUpstream();
  const { providers, models: entries } = settingsAt(upstream.url, [models]) as {
    readonly providers: Json;
    readonly models: Json;
  };
  const gateway = await startTestGateway({
    providers: { ...providers, local: { use: 'openai-compatible', config: { baseUrl: `${upstream.url}/v1` } } },
    models: {
      ...entries,
      [REASONER]: { wires: wires.map((wire) => wireNames[wire]), targets: [{ provider: 'local', model: 'reasoner' }] },
    },
  });
  return {
    gateway,
    expectNext: (wire, step, { client, mode, given }) => {
      upstream.answer = (response, { body }) => {
        const objection = objectTo(wire, body, given, client === 'chat' || client === 'messages');
        if (objection !== undefined) answerJson(response, refusals[wire](objection), 400);
        else answer(response, wire, step, mode);
      };
    },
    answerNext: (wire, step, mode) => {
      upstream.answer = (response) => answer(response, wire, step, mode);
    },
    last: () => {
      const call = upstream.calls.at(-1);
      if (call === undefined) throw new Error('no vendor was called');
      return call;
    },
    losses: async (count) => {
      await gateway.settled(count);
      const [attempt] = (gateway.exchanges().at(-1)?.['attempts'] ?? []) as readonly Json[];
      return (attempt?.['losses'] ?? []) as readonly string[];
    },
    stop: async () => {
      await gateway.stop();
      await upstream.stop();
      expect(gateway.lines.filter(({ level, text }) => level === 'error' && text !== 'exchange')).to.deep.equal([]);
    },
  };
};

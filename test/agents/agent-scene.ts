import { expect } from 'chai';
import { idOf, settingsAt } from '../matrix/catalog.ts';
import { textOf, type VendorAnswers } from '../matrix/vendors/vendors.ts';
import { someTokens, type Json, type Wire } from '../matrix/wires.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { answerSse, startUpstream, type TestUpstream, type UpstreamCall } from '../support/upstream.ts';

/** A model behind each wire that reasons and calls tools. */
export const targets: Readonly<Record<Wire, string>> = {
  chat: 'gpt-5.1',
  messages: 'claude-sonnet-4-6',
  responses: 'gpt-5-codex',
  google: 'gemini-3-pro-preview',
};

/** The web search of the vendor of each wire. On chat, the model has none. */
export const searchAt: Readonly<Record<Wire, Json>> = {
  chat: {},
  messages: { type: 'web_search_20250305', name: 'web_search' },
  responses: { type: 'web_search' },
  google: { googleSearch: {} },
};

export interface AgentScene {
  readonly url: string;
  readonly gateway: TestGateway;
  readonly upstream: TestUpstream;
  /** The vendor of the wire responds with these streams, one per call. */
  script(...streams: readonly string[]): void;
  /** The one call that `work` made. */
  called(work: () => Promise<unknown>): Promise<UpstreamCall>;
  stop(): Promise<void>;
}

/** The vendor's stream of these events. */
export const streamOf = (wire: Wire, answers: VendorAnswers): string =>
  textOf(wire, 'streamed', answers, { ...someTokens, output: 90, reasoning: 60 });

/** A gateway that serves the model names built into agents with one model, over this wire. */
export const startAgentScene = async (wire: Wire, names: readonly string[]): Promise<AgentScene> => {
  const upstream = await startUpstream();
  const aliases = Object.fromEntries(names.map((name) => [name, idOf(wire, targets[wire])]));
  const gateway = await startTestGateway({ ...settingsAt(upstream.url, [targets]), aliases });
  return {
    url: gateway.url,
    gateway,
    upstream,
    script: (...streams) => {
      const left = [...streams];
      upstream.answer = (response) => answerSse(response, left.shift() ?? '');
    },
    called: async (work) => {
      upstream.calls.length = 0;
      await work();
      expect(upstream.calls).to.have.length(1);
      const [call] = upstream.calls;
      if (call === undefined) throw new Error('the provider was not called');
      return call;
    },
    stop: async () => {
      await gateway.stop();
      await upstream.stop();
      expect(gateway.lines.filter(({ level, text }) => level === 'error' && text !== 'exchange')).to.deep.equal([]);
    },
  };
};

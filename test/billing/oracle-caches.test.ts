import type { Scene } from '../support/scene.ts';
import { pairOf, wires, type Json, type Wire } from '../matrix/wires.ts';
import type { Usage } from '../../core/api/index.ts';
import { consult, startOracle } from './oracle.ts';
import { answer } from './scripted.ts';

/** The usage that a vendor reports, the canonical usage, and what clients see. */
interface Reading {
  readonly raw: Json;
  readonly usage: Partial<Usage>;
  readonly nano: bigint;
  /** Usage as clients of each wire see it. */
  readonly shown: Readonly<Record<Wire, Json>>;
}

const readings: Readonly<Record<Wire, Reading>> = {
  chat: {
    raw: {
      prompt_tokens: 1_000,
      completion_tokens: 80,
      total_tokens: 1_080,
      prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 150 },
      completion_tokens_details: { reasoning_tokens: 30 },
    },
    usage: { inputUncached: 250, cacheRead: 600, cacheWrite5m: 150, output: 80, reasoning: 30 },
    nano: 500_000n + 300_000n + 375_000n + 800_000n,
    shown: {
      chat: {
        prompt_tokens: 1_000,
        completion_tokens: 80,
        total_tokens: 1_080,
        prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 150 },
        completion_tokens_details: { reasoning_tokens: 30 },
      },
      messages: {
        input_tokens: 250,
        cache_creation_input_tokens: 150,
        cache_read_input_tokens: 600,
        output_tokens: 80,
      },
      responses: {
        input_tokens: 1_000,
        input_tokens_details: { cached_tokens: 600, cache_write_tokens: 150 },
        output_tokens: 80,
        output_tokens_details: { reasoning_tokens: 30 },
        total_tokens: 1_080,
      },
      google: {
        promptTokenCount: 1_000,
        cachedContentTokenCount: 600,
        candidatesTokenCount: 50,
        thoughtsTokenCount: 30,
        totalTokenCount: 1_080,
      },
    },
  },
  messages: {
    raw: {
      input_tokens: 40,
      cache_read_input_tokens: 700,
      cache_creation_input_tokens: 260,
      cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 60 },
      output_tokens: 90,
      output_tokens_details: { thinking_tokens: 20 },
    },
    usage: { inputUncached: 40, cacheRead: 700, cacheWrite5m: 200, cacheWrite1h: 60, output: 90, reasoning: 20 },
    nano: 80_000n + 350_000n + 500_000n + 240_000n + 900_000n,
    shown: {
      chat: {
        prompt_tokens: 1_000,
        completion_tokens: 90,
        total_tokens: 1_090,
        prompt_tokens_details: { cached_tokens: 700, cache_write_tokens: 260 },
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      messages: {
        input_tokens: 40,
        cache_creation_input_tokens: 260,
        cache_read_input_tokens: 700,
        output_tokens: 90,
        cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 60 },
      },
      responses: {
        input_tokens: 1_000,
        input_tokens_details: { cached_tokens: 700, cache_write_tokens: 260 },
        output_tokens: 90,
        output_tokens_details: { reasoning_tokens: 20 },
        total_tokens: 1_090,
      },
      google: {
        promptTokenCount: 1_000,
        cachedContentTokenCount: 700,
        candidatesTokenCount: 70,
        thoughtsTokenCount: 20,
        totalTokenCount: 1_090,
      },
    },
  },
  responses: {
    raw: {
      input_tokens: 900,
      input_tokens_details: {
        cached_tokens: 500,
        cache_write_tokens: 100,
        cache_write_tokens_details: { ttl_30m_tokens: 60, ttl_12h_tokens: 40 },
      },
      output_tokens: 70,
      output_tokens_details: { reasoning_tokens: 25 },
      total_tokens: 970,
    },
    usage: { inputUncached: 300, cacheRead: 500, cacheWrite5m: 60, cacheWrite12h: 40, output: 70, reasoning: 25 },
    nano: 600_000n + 250_000n + 150_000n + 160_000n + 700_000n,
    shown: {
      chat: {
        prompt_tokens: 900,
        completion_tokens: 70,
        total_tokens: 970,
        prompt_tokens_details: {
          cached_tokens: 500,
          cache_write_tokens: 100,
          cache_write_tokens_details: { ttl_30m_tokens: 60, ttl_12h_tokens: 40 },
        },
        completion_tokens_details: { reasoning_tokens: 25 },
      },
      messages: {
        input_tokens: 300,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 500,
        output_tokens: 70,
        cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 },
      },
      responses: {
        input_tokens: 900,
        output_tokens: 70,
        output_tokens_details: { reasoning_tokens: 25 },
        total_tokens: 970,
      },
      google: {
        promptTokenCount: 900,
        cachedContentTokenCount: 500,
        candidatesTokenCount: 45,
        thoughtsTokenCount: 25,
        totalTokenCount: 970,
      },
    },
  },
  google: {
    raw: {
      promptTokenCount: 800,
      cachedContentTokenCount: 300,
      toolUsePromptTokenCount: 50,
      candidatesTokenCount: 60,
      thoughtsTokenCount: 15,
      totalTokenCount: 925,
    },
    usage: { inputUncached: 550, cacheRead: 300, output: 75, reasoning: 15 },
    nano: 1_100_000n + 150_000n + 750_000n,
    shown: {
      chat: {
        prompt_tokens: 850,
        completion_tokens: 75,
        total_tokens: 925,
        prompt_tokens_details: { cached_tokens: 300, cache_write_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 15 },
      },
      messages: { input_tokens: 550, cache_creation_input_tokens: 0, cache_read_input_tokens: 300, output_tokens: 75 },
      responses: {
        input_tokens: 850,
        input_tokens_details: { cached_tokens: 300, cache_write_tokens: 0 },
        output_tokens: 75,
        output_tokens_details: { reasoning_tokens: 15 },
        total_tokens: 925,
      },
      google: {
        promptTokenCount: 800,
        cachedContentTokenCount: 300,
        candidatesTokenCount: 60,
        thoughtsTokenCount: 15,
        totalTokenCount: 925,
      },
    },
  },
};

describe('cached tokens from every vendor to every client wire', () => {
  let scene: Scene;
  before(async () => {
    scene = await startOracle();
  });
  after(() => scene.stop());

  for (const vendor of wires) {
    const { raw, usage, nano, shown } = readings[vendor];
    const base = { model: `plain/${vendor}`, answers: [answer({ usage: raw })], usage, nano, raw };
    for (const client of wires) {
      const name = pairOf(client, vendor);
      it(`bills the figures of ${name}, plain`, () => consult(scene, { ...base, name, client, shown: shown[client] }));
      it(`bills the figures of ${name}, streamed`, () =>
        consult(scene, {
          ...base,
          name,
          client,
          stream: true,
          ...(client === 'chat' ? { request: { stream_options: { include_usage: true } } } : {}),
          shown: shown[client],
        }));
    }
    it(`bills the figures of chat>${vendor}, streamed, for a client that did not request usage`, () =>
      consult(scene, { ...base, name: vendor, client: 'chat', stream: true, shown: null }));
  }
});

import { expect } from 'chai';
import { writeExplanation } from '../../../../core/cli/explain/format-explanation.ts';
import type { ExplainedTarget, Explanation } from '../../../../core/server/explain/explanation.ts';

const skipped: ExplainedTarget = {
  target: 'openai/gpt-4.1',
  wire: 'chat-completions',
  lane: 'native',
  why: 'client and target speak chat-completions',
  losses: [],
  credentials: [
    { credential: 'key-1', state: 'resting', reason: 'circuit open (overloaded)', until: '2026-11-21T07:05:11.201Z' },
  ],
  skipped: ['key-1: circuit open (overloaded), until 2026-11-21T07:05:11.201Z'],
  price: 'unknown',
};
const called: ExplainedTarget = {
  target: 'anthropic/claude',
  wire: 'messages',
  lane: 'translated',
  why: 'the client speaks chat-completions, the target messages',
  losses: [{ field: 'logit_bias', kind: 'dropped', detail: 'messages has no such member' }],
  credentials: [{ credential: 'key-1', state: 'ready' }],
  price: { input: 3, output: 15 },
  estimatedCost: 0.000_000_22,
  upstream: {
    method: 'POST',
    url: 'https://models.example/v1/messages',
    headers: { 'x-api-key': '***' },
    body: { picture: 'x'.repeat(5_000) },
  },
};
const explanation: Explanation = {
  key: { name: 'alice', organization: 'acme', project: 'web', origin: 'database', id: 'k1', models: ['openai/*'] },
  model: { id: 'house/talk', alias: 'fast' },
  route: {
    wire: 'chat-completions',
    operation: 'generate',
    stream: true,
    paths: ['/v1/chat/completions'],
    losses: 'warn',
  },
  request: { body: 'as given', estimate: { inputTokens: 12, outputTokens: 256, declared: false } },
  plugins: [
    {
      use: 'rate-limit',
      origin: 'built-in',
      phases: ['admit'],
      says: { store: 'redis', limits: [{ scope: 'key', unit: 'requests', amount: 60, models: [], remaining: 59 }] },
    },
    { use: 'guard', origin: 'guard@1.2.3', phases: ['admit', 'fits'], failed: 'it was not done after 80 ms' },
  ],
  targets: [called, skipped],
  notes: ['Something is not known here.'],
};

describe('an explanation as text', () => {
  it('shows key, model, route, request, plugins and targets in this order', () => {
    expect(writeExplanation(explanation).split('\n')).to.deep.equal([
      'key       alice of acme/web, from the database; may use openai/*',
      'model     house/talk (by its alias fast)',
      'route     /v1/chat/completions',
      '          wire chat-completions, operation generate, streamed; losses: warn',
      'request   as given: about 12 tokens in, perhaps 256 out',
      '',
      'plugins, in order',
      '  1. rate-limit  (built-in)  admit',
      '     store: redis',
      '     limits:',
      '       scope key, unit requests, amount 60, remaining 59',
      '  2. guard  (guard@1.2.3)  admit, fits',
      '     its explanation failed: it was not done after 80 ms',
      '',
      'targets, in the order in which they would be tried',
      '  1. anthropic/claude',
      '     lane: translated, the client speaks chat-completions, the target messages',
      '     loses: logit_bias is dropped: messages has no such member',
      '     credential: key-1, ready',
      '     costs: about $0.00000022',
      '     price: per million tokens input 3, output 15',
      '     sends:',
      '       POST https://models.example/v1/messages',
      '       x-api-key: ***',
      '',
      '       {',
      `         "picture": "${'x'.repeat(200)}… (5000 characters)"`,
      '       }',
      '',
      '  2. openai/gpt-4.1  (skipped)',
      '     skipped: key-1: circuit open (overloaded), until 2026-11-21T07:05:11.201Z',
      '     lane: native, client and target speak chat-completions',
      '     credential: key-1, resting (circuit open (overloaded)) until 2026-11-21T07:05:11.201Z',
      '     price: unknown',
      '',
      'note: Something is not known here.',
      '',
    ]);
  });

  it('the explanation notes that no target would be called', () => {
    expect(writeExplanation({ ...explanation, targets: [skipped] })).to.include(
      '\n\nNo target would be called: the request would be refused.\n',
    );
  });

  it('shows which tools can run at vendors, and what those of the request could use', () => {
    const hosted = [
      {
        tool: 'web_search',
        uses: 5,
        declared: false,
        unit: 'webSearches',
        inputTokens: 40_000,
        outputTokens: 0,
        imageTokens: 0,
      },
      {
        tool: 'advisor',
        uses: 1,
        declared: true,
        model: 'claude-opus-4-8',
        inputTokens: 12,
        outputTokens: 9,
        imageTokens: 0,
      },
      { tool: 'computer', uses: 2, declared: true, inputTokens: 0, outputTokens: 0, imageTokens: 0 },
    ] as const;
    const text = writeExplanation({
      ...explanation,
      hostedTools: {
        lists: [
          { level: 'the key acme/web/alice', allow: [] },
          { level: 'the route', allow: ['web_search', 'advisor'] },
        ],
        otherwise: 'drop',
      },
      request: { body: 'as given', estimate: { inputTokens: 12, outputTokens: 9, declared: true, hosted } },
    });
    expect(text).to.include(
      'tools     at vendors: the key acme/web/alice allows none; the route allows web_search, advisor; otherwise drop\n',
    );
    expect(text).to.include(
      '          runs at the vendor: perhaps 5 uses of web_search (webSearches and about 40000 tokens in, 0 out)\n' +
        '          runs at the vendor: at most 1 uses of advisor (about 12 tokens in, 9 out of claude-opus-4-8)\n' +
        '          runs at the vendor: at most 2 uses of computer\n',
    );
  });
});

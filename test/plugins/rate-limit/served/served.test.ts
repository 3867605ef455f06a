import { expect } from 'chai';
import { wires } from '../../../matrix/wires.ts';
import { readError } from '../../../support/http.ts';
import { CHAT, MESSAGES, modelIds } from '../../../support/scene.ts';
import { BOB, remainingOf, startServed, type Served, type ServedLimits } from './served.ts';

const dear = { [CHAT]: { targets: [{ provider: 'openai', model: 'gpt-4.1', price: { input: 1, output: 1_000 } }] } };

describe('rate-limit: a gateway with limits', () => {
  let served: Served;
  const begin = async (limits: ServedLimits): Promise<void> => {
    served = await startServed(limits);
  };
  afterEach(() => served.stop());

  it('admits exactly 50 of 200 simultaneous requests', async () => {
    await begin({ alice: [{ requests: 50, per: '1h' }] });
    const replies = await Promise.all(Array.from({ length: 200 }, () => served.ask('chat', CHAT)));
    const count = (status: number): number => replies.filter((reply) => reply.status === status).length;
    expect([count(200), count(429)]).to.deep.equal([50, 150]);
    expect(served.upstream.calls).to.have.length(50);
  });

  it('a request charges all scopes or none', async () => {
    await begin({ alice: [{ requests: 9, per: '1h' }], organization: [{ requests: 1, per: '1h' }] });
    await served.ask('chat', CHAT);
    for (let times = 0; times < 3; times += 1)
      expect(readError(await served.ask('chat', CHAT)).error.message).to.match(
        /^Rate limit exceeded: 1 request per 1h of the organization acme; try again in \d+s\.$/,
      );
    expect(readError(await served.ask('chat', CHAT, { key: BOB })).error.message).to.include('organization acme');
  });

  it('admits a small request after a large one that was refused', async () => {
    await begin({ alice: [{ tokens: 1_000, per: '1h' }] });
    served.upstream.answer = () => {};
    void served.ask('chat', CHAT, { more: { max_completion_tokens: 500 } }).catch(() => {});
    while (served.upstream.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const large = await served.ask('chat', CHAT, { more: { max_completion_tokens: 800 } });
    const small = served.ask('chat', CHAT, { more: { max_completion_tokens: 300 } });
    void small.catch(() => {});
    expect(large.status).to.equal(429);
    while (served.upstream.calls.length === 1) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  for (const client of wires) {
    it(`sends a client of ${client} its figures in the headers of its wire: plain, streamed and refused`, async () => {
      await begin({
        everyKey: [
          { requests: 2, per: '1h' },
          { tokens: 100_000, per: '1h' },
        ],
      });
      const replies = [
        await served.ask(client, modelIds[client]),
        await served.ask(client, modelIds[client], { stream: true }),
        await served.ask(client, modelIds[client]),
      ];
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 429]);
      const read = (name: string): readonly unknown[] => replies.map(({ headers }) => headers[name]);
      if (client === 'chat' || client === 'responses') {
        expect(read('x-ratelimit-limit-requests')).to.deep.equal(['2', '2', '2']);
        expect(read('x-ratelimit-remaining-requests')).to.deep.equal(['1', '0', '0']);
        expect(read('x-ratelimit-limit-tokens')).to.deep.equal(Array(3).fill('100000'));
        for (const reset of read('x-ratelimit-reset-requests')) expect(reset).to.match(/^1h|59m|6[01]m/);
      }
      if (client === 'messages') {
        expect(read('anthropic-ratelimit-requests-remaining')).to.deep.equal(['1', '0', '0']);
        for (const reset of read('anthropic-ratelimit-requests-reset'))
          expect(Date.parse(String(reset))).to.be.within(Date.now() + 3_500_000, Date.now() + 3_700_000);
      }
      const refusal = replies[2];
      expect(refusal?.headers).to.include({ 'retry-after': '60', 'x-koine-limit': 'key;requests;1h' });
      expect(refusal && readError(refusal).error).to.include({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
      for (const reply of replies.slice(0, 2))
        expect(reply.headers).to.not.have.any.keys('retry-after', 'x-koine-limit', 'x-koine-ratelimit-mode');
    });
  }

  it('logs a refusal once, with the limit that refused', async () => {
    await begin({ alice: [{ requests: 1, per: '1h' }] });
    await served.ask('chat', CHAT);
    await served.ask('chat', CHAT);
    await served.gateway.settled(2);
    expect(served.gateway.exchanges()[1]).to.include({
      status: 429,
      outcome: 'rate_limited',
      code: 'rate_limit_exceeded',
      key_alias: 'alice',
    });
    expect(served.gateway.exchanges()[1]?.['error_message']).to.include('1 request per 1h of the key alice');
    expect(served.gateway.lines.filter(({ text }) => text !== 'exchange' && text.includes('limit'))).to.deep.equal([]);
  });

  it('applies the limits of a key instead of the default for keys', async () => {
    await begin({ alice: [{ requests: 2, per: '1h' }], everyKey: [{ requests: 1, per: '1h' }] });
    const statuses: number[] = [];
    for (const key of [undefined, undefined, undefined, BOB, BOB])
      statuses.push((await served.ask('chat', CHAT, key === undefined ? {} : { key })).status);
    expect(statuses).to.deep.equal([200, 200, 429, 200, 429]);
  });

  it('counts by the id of the model, even if it is called by an alias', async () => {
    await begin({ alice: [{ requests: 1, per: '1h', models: ['openai/*'] }], settings: { aliases: { mine: CHAT } } });
    expect((await served.ask('chat', 'mine')).status).to.equal(200);
    expect((await served.ask('chat', CHAT)).status).to.equal(429);
    expect((await served.ask('chat', MESSAGES)).status).to.equal(200);
  });

  it('admits a request that only a shadow limit would refuse', async () => {
    await begin({ alice: [{ requests: 1, per: '1h', enforce: false }] });
    const replies = [await served.ask('chat', CHAT), await served.ask('chat', CHAT)];
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(Object.keys(replies[1]?.headers ?? {}).filter((name) => name.includes('ratelimit'))).to.deep.equal([]);
    expect(served.gateway.lines.filter(({ text }) => text.includes('shadow limit'))).to.have.length(1);
  });

  it('SDKs do not retry for a spent budget', async () => {
    await begin({ organization: [{ cost: 0.02, per: 'month' }], settings: { models: dear } });
    // Output for at most 0.015 USD, and in fact for 0.007.
    const more = { max_completion_tokens: 15 };
    expect((await served.ask('chat', CHAT, { more })).status).to.equal(200);
    await served.gateway.settled(1);
    const refused = await served.ask('chat', CHAT, { more });
    expect([refused.status, refused.headers['x-should-retry'], refused.headers['x-koine-limit']]).to.deep.equal([
      429,
      'false',
      'organization;cost;month',
    ]);
    expect(readError(refused).error.message).to.match(
      /^Rate limit exceeded: 0\.02 USD per month of the organization acme: 0\.012988 USD are left, and this request could use 0\.0150\d+ USD; the window ends \d{4}-\d\d-01T00:00:00Z\.$/,
    );
  });

  it('a spent budget states the seconds to the end of its window, and is a billing error for Claude Code', async () => {
    await begin({ organization: [{ cost: 0.02, per: 'month' }], settings: { models: dear } });
    await served.ask('chat', CHAT, { more: { max_completion_tokens: 15 } });
    await served.gateway.settled(1);
    const refused = await served.ask('messages', CHAT, { more: { max_tokens: 15 } });
    const { type, message } = readError(refused).error;
    expect([refused.status, type, refused.headers['x-should-retry']]).to.deep.equal([429, 'billing_error', 'false']);
    const [end = ''] = /\d{4}-\d\d-01T00:00:00Z/.exec(message) ?? [];
    const left = (Date.parse(end) - Date.now()) / 1_000;
    // A minute later than now at the most, however busy the machine is.
    expect(Number(refused.headers['retry-after'])).to.be.within(left, left + 60);
  });

  it('admits the first request of a key with a small limit if no cap was declared', async () => {
    await begin({ alice: [{ tokens: 500, per: '1h' }] });
    expect((await served.ask('chat', CHAT, { more: { max_completion_tokens: undefined } })).status).to.equal(200);
  });

  it('returns 400 instead of a permanent 429 for a request that never fits', async () => {
    await begin({ alice: [{ tokens: 500, per: '1h' }] });
    const reply = await served.ask('chat', CHAT, { more: { max_completion_tokens: 1_000 } });
    expect(reply.status).to.equal(400);
    expect(reply.headers).to.not.have.property('retry-after');
    expect(readError(reply).error).to.include({ type: 'invalid_request_error', param: null });
    expect(readError(reply).error.message).to.match(
      /^This request can never be admitted: the limit of 500 tokens per 1h of the key alice holds 500 at most/,
    );
    expect(
      remainingOf(await served.ask('chat', CHAT, { more: { max_completion_tokens: 10 } }), 'tokens'),
    ).to.be.greaterThan(400);
  });
});

import { expect } from 'chai';
import { join } from 'node:path';
import { KEY } from '../../../support/gateway.ts';
import { send, type HttpReply } from '../../../support/http.ts';
import { describeOnBoth } from '../../../support/servers/databases.ts';
import { CHAT, MESSAGES, sceneModels, startScene, type Scene } from '../../../support/scene.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import { answerJson } from '../../../support/upstream.ts';

const folder = createTemporaryFolder();
after(() => folder.remove());

interface Page {
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
  readonly searchedTo: string | null;
}
type Detail = Readonly<Record<string, unknown>>;

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const BOB = 'key-of-bob-0123456789abcdef';
const SECRET = 'sk-proj-0123456789abcdefghijklmnop';
const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4.1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop', logprobs: null }],
  usage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 },
};
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 20, output_tokens: 7 },
};

describeOnBoth('requests of the ledger in the admin API', (databases) => {
  let scene: Scene;
  const ask = (model: string, more: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...more }),
    });
  const read = (path: string): Promise<HttpReply> =>
    send(scene.gateway.gateway.admin.url, { method: 'GET', path, headers: {} });
  const find = async (query: string): Promise<Page> => {
    const reply = await read(`/admin/requests${query}`);
    expect(reply.status, reply.text).to.equal(200);
    return JSON.parse(reply.text) as Page;
  };
  const idOf = (reply: HttpReply): string => String(reply.headers['x-request-id']);
  /** Waits until the row of a request is there. */
  const detailOf = async (reply: HttpReply): Promise<Detail> => {
    let found: HttpReply | undefined;
    await until('the row is written', async () => {
      found = await read(`/admin/requests/${idOf(reply)}`);
      return found.status === 200 && (JSON.parse(found.text) as Detail)['state'] !== 'pending';
    });
    return JSON.parse(found?.text ?? '') as Detail;
  };

  before(async () => {
    scene = await startScene({
      store: { database: await databases.fresh() },
      models: {
        ...sceneModels,
        'house/two': {
          targets: [
            { provider: 'anthropic', model: 'busy', wire: 'messages' },
            { provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions', price: { input: 1, output: 2 } },
          ],
        },
      },
      organizations: {
        acme: {
          projects: { web: { keys: { alice: { key: KEY }, bob: { key: BOB, limits: [{ requests: 1, per: '1h' }] } } } },
        },
        other: { projects: { web: { keys: { alice: { key: 'other-alice-0123456789abcdef' } } } } },
      },
      plugins: [
        { use: 'auth' },
        { use: 'failover', config: { retries: 0, backoff: { base: '1ms', cap: '2ms' } } },
        { use: 'rate-limit' },
        {
          use: 'ledger',
          config: {
            spool: { path: join(folder.path, 'spool') },
            traceLink: 'https://traces.internal/trace/{traceId}',
          },
        },
      ],
    });
    scene.upstream.answer = (response, { path, body }) => {
      if (body['model'] === 'busy') {
        response.setHeader('request-id', 'req_of_the_first');
        return answerJson(response, { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }, 529);
      }
      if (body['model'] === 'gpt-4.1-mini') {
        response.setHeader('x-request-id', 'not an id: spaces');
        return answerJson(response, { error: { message: `Bad key ${SECRET}`, type: 'server_error' } }, 500);
      }
      response.setHeader(path.includes('messages') ? 'request-id' : 'x-request-id', 'req_of_the_vendor');
      return answerJson(response, path.includes('messages') ? message : completion);
    };
  });
  after(() => scene.stop());

  it('finds a failed request after hundreds of others, with its attempts and its message without secrets', async () => {
    const failed = await ask('openai/gpt-4.1-mini');
    expect(failed.status).to.equal(502);
    for (let time = 0; time < 210; time += 1) await ask('simulator/chat');
    await until('the failed request has left the latest ones', async () => {
      const { exchanges } = JSON.parse((await read('/admin/exchanges')).text) as {
        readonly exchanges: readonly Detail[];
      };
      return exchanges.length === 200 && exchanges.every(({ request_id: id }) => id !== idOf(failed));
    });
    const detail = await detailOf(failed);
    const { requests } = await find('?outcome=failure&key=acme/web/alice');
    expect(requests.map(({ id }) => id)).to.include(idOf(failed));
    expect(detail).to.include({
      state: 'settled',
      organization: 'acme',
      key: 'alice',
      model: 'openai/gpt-4.1-mini',
      provider: 'openai',
      status: 502,
      outcome: 'upstream_error',
      attempts: 1,
      stream: false,
      upstreamRequestId: null,
      cost: '0',
    });
    expect(detail['message']).to.be.a('string').that.does.not.include(SECRET);
    expect(detail['attemptTrail']).to.have.length(1);
    expect((detail['attemptTrail'] as readonly Detail[])[0]).to.include({
      provider: 'openai',
      model: 'gpt-4.1-mini',
      credential: 'key-1',
      status: 500,
      outcome: 'upstream_error',
    });
  });

  it('has the attempts of a failover, each with the id of the vendor, and the link to the trace', async () => {
    const reply = await ask(
      'house/two',
      { logit_bias: { 1: 2 } },
      { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, 'x-koine-user': 'ann', 'x-koine-tags': 'team=blue' },
    );
    expect(reply.status, reply.text).to.equal(200);
    const detail = await detailOf(reply);
    const trail = detail['attemptTrail'] as readonly Detail[];
    expect(
      trail.map((attempt) => [attempt['provider'], attempt['status'], attempt['code'], attempt['upstreamRequestId']]),
    ).to.deep.equal([
      ['anthropic', 529, 'overloaded', 'req_of_the_first'],
      ['openai', 200, null, 'req_of_the_vendor'],
    ]);
    expect(Number(trail[1]?.['startedMs'])).to.be.at.least(Number(trail[0]?.['startedMs']));
    expect(detail).to.deep.include({
      attempts: 2,
      target: 'openai/gpt-4.1',
      upstreamRequestId: 'req_of_the_vendor',
      traceId: TRACE,
      traceLink: `https://traces.internal/trace/${TRACE}`,
      user: 'ann',
      tags: { team: 'blue' },
      cost: '0.000034',
      losses: [],
      message: null,
      code: null,
    });
    expect(detail['charges']).to.have.length(1);
  });

  it('has what a translation lost, and the trace id of the gateway itself', async () => {
    const reply = await ask(MESSAGES, { logit_bias: { 1: 2 } });
    const detail = await detailOf(reply);
    expect((detail['losses'] as readonly Detail[]).map(({ path, kind }) => [path, kind])).to.deep.include([
      'logit_bias',
      'dropped',
    ]);
    expect(detail['traceId']).to.equal(idOf(reply).slice('req_'.length));
    expect(detail['upstreamRequestId']).to.equal('req_of_the_vendor');
    expect((detail['attemptTrail'] as readonly Detail[])[0]).to.include({
      provider: 'anthropic',
      status: 200,
      outcome: 'ok',
      upstreamRequestId: 'req_of_the_vendor',
    });
  });

  it('stores nothing extra for a plain success with one attempt', async () => {
    const reply = await ask(CHAT);
    const detail = await detailOf(reply);
    expect(detail).to.include({ upstreamRequestId: 'req_of_the_vendor', code: null, message: null });
  });

  it('finds requests that were refused: of an unknown key, of a limit, of an unknown model', async () => {
    const bob = { authorization: `Bearer ${BOB}` };
    const unknownKey = await ask(CHAT, {}, { authorization: 'Bearer not-a-key-0123456789' });
    const unknownModel = await ask('unknown/model');
    await ask(CHAT, {}, bob);
    const limited = await ask(CHAT, {}, bob);
    expect([unknownKey.status, unknownModel.status, limited.status]).to.deep.equal([401, 404, 429]);
    expect(await detailOf(unknownKey)).to.include({
      state: 'refused',
      key: null,
      outcome: 'auth',
      code: 'invalid_api_key',
    });
    expect(await detailOf(unknownModel)).to.include({
      state: 'refused',
      key: 'alice',
      model: null,
      code: 'model_not_found',
    });
    expect(await detailOf(limited)).to.include({ state: 'refused', key: 'bob', model: CHAT, outcome: 'rate_limited' });
    const idsOf = async (query: string) => (await find(query)).requests.map(({ id }) => id);
    expect(await idsOf('?outcome=limited&key=bob')).to.deep.equal([idOf(limited)]);
    expect(await idsOf('?status=401,404')).to.deep.equal([idOf(unknownModel), idOf(unknownKey)]);
    expect(await idsOf('?code=model_not_found')).to.deep.equal([idOf(unknownModel)]);
    expect(await idsOf('?organization=other')).to.deep.equal([]);
  });

  it('shows an open request as pending, and an unfinished page has a cursor', async () => {
    const { answer } = scene.upstream;
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.upstream.answer = async (response) => {
      await promise;
      answerJson(response, completion);
    };
    const open = ask(CHAT, { stream: false });
    await until('the request is listed as pending', async () => {
      const [first] = (await find('?limit=1')).requests;
      return first?.['state'] === 'pending' && first['outcome'] === null && first['cost'] === null;
    });
    const page = await find('?limit=2');
    expect(page.requests).to.have.length(2);
    const next = await find(`?limit=2&cursor=${page.next}`);
    expect(next.requests.map(({ id }) => id)).to.not.include.members(page.requests.map(({ id }) => id));
    resolve();
    await open;
    scene.upstream.answer = answer;
  });

  it('refuses parameters that are not valid, and names them', async () => {
    const refusals: readonly (readonly [query: string, param: string, text: RegExp])[] = [
      ['?modle=a', 'modle', /the parameters are from, to, organization/],
      ['?outcome=broken', 'outcome', /success, client_error, limited, failure/],
      ['?status=4xx', 'status', /429/],
      ['?limit=501', 'limit', /from 1 to 500/],
      ['?minCost=-1', 'minCost', /from 0/],
      ['?tag=team', 'tag', /team:blue/],
      ['?cursor=x', 'cursor', /next/],
      ['?from=yesterday', 'from', /2026-11-21/],
      ['?from=2026-11-22&to=2026-11-21', 'from', /before to/],
    ];
    for (const [query, param, text] of refusals) {
      const reply = await read(`/admin/requests${query}`);
      const { error } = JSON.parse(reply.text) as {
        readonly error: { readonly param: string; readonly message: string };
      };
      expect([reply.status, error.param], query).to.deep.equal([400, param]);
      expect(error.message).to.match(text);
    }
    const unknown = await read('/admin/requests/req_unknown');
    expect([unknown.status, unknown.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 404 && text.includes('x-request-id'),
    );
  });
});

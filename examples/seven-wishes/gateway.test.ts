import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { startTestGateway, type TestGateway } from 'koine-gateway/testing';
import OpenAI from 'openai';
import plugin from './index.ts';

const config = {
  models: { search: 'openai/gpt-4.1', web: 'anthropic/claude-sonnet-4-5' },
  policy: 'Be brief.',
  phrase: 'Project X',
};
const headers = { 'x-team': 'search' };
const messages = [{ role: 'user' as const, content: 'Hello' }];
const redacted = 'It is [redacted], again [redacted].';

let gateway: TestGateway;
let openai: OpenAI;
let anthropic: Anthropic;
before(async () => {
  gateway = await startTestGateway({ plugins: [{ use: 'ledger' }, { use: plugin, config }] });
  const { key: apiKey, url } = gateway;
  openai = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, defaultHeaders: headers });
  anthropic = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 });
});
beforeEach(() => {
  gateway.upstream.answer({ text: ['It is Pro', 'ject X, ', 'again Project', ' X.'] });
  gateway.upstream.requests.length = 0;
});
after(() => gateway.close());
test('refuses a request without a team in the wire of its client, plain and streamed', async () => {
  const refusal = { status: 400, message: /Set the header x-team to one of: search, web\./ };
  for (const stream of [false, true]) {
    const none = { headers: { 'x-team': null } };
    await assert.rejects(openai.chat.completions.create({ model: 'team', messages, stream }, none), refusal);
    await assert.rejects(anthropic.messages.create({ model: 'team', max_tokens: 50, messages, stream }), {
      ...refusal,
      type: 'invalid_request_error',
    });
  }
  assert.equal(gateway.upstream.requests.length, 0);
});

test('sends a plain request to the model of the team, with the policy, and redacts the response', async () => {
  const { data, response } = await openai.chat.completions.create({ model: 'team', messages }).withResponse();
  assert.equal(data.choices[0]?.message.content, redacted);
  assert.equal(response.headers.get('x-team'), 'search');
  assert.deepEqual(gateway.upstream.requests[0]?.body['messages'], [
    { role: 'system', content: 'Be brief.' },
    ...messages,
  ]);
  assert.equal(gateway.upstream.requests[0]?.body['model'], 'gpt-4.1');
});

test('does the same for a stream, and for a client of another wire', async () => {
  let text = '';
  for await (const { choices } of await openai.chat.completions.create({ model: 'team', messages, stream: true }))
    text += choices[0]?.delta.content ?? '';
  assert.equal(text, redacted);
  const web = { headers: { 'x-team': 'web' } };
  const stream = anthropic.messages.stream({ model: 'team', max_tokens: 50, messages }, web);
  assert.equal(await stream.finalText(), redacted);
  const [first, second] = gateway.upstream.requests;
  assert.deepEqual([first?.wire, second?.wire], ['chat-completions', 'messages']);
  assert.match(JSON.stringify(second?.body['system']), /Be brief\./);
});

test(
  'the access log, the ledger and a metric have the team, and an endpoint lists the teams',
  { timeout: 60_000 },
  async () => {
    const before = (await gateway.exchanges(0)).length;
    await openai.chat.completions.create({ model: 'team', messages });
    const line = (await gateway.exchanges(before + 1)).at(-1);
    assert.deepEqual(line?.['fields'], { 'seven-wishes.team': 'search' });
    assert.match(await gateway.metrics(), /^team_requests_total\{team="search"\} \d+$/m);
    const teams = await gateway.fetch('/v1/teams');
    assert.deepEqual(await teams.json(), { teams: ['search', 'web'] });
    // Rows are written in the background.
    const readUsage = async () => (await fetch(`${gateway.adminUrl}/admin/usage?by=tag:seven-wishes.team`)).text();
    while (!(await readUsage()).includes('"search"')) await setTimeout(50);
  },
);

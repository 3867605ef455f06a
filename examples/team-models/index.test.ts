import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from 'koine-gateway';
import {
  createTestDraft,
  createTestExchange,
  createTestRequest,
  createTestServices,
  startTestGateway,
} from 'koine-gateway/testing';
import plugin from './index.ts';

const options = { models: { search: 'acme/large' }, blocked: ['Project X'] };
const create = () => plugin.create(options, createTestServices());

const callerOf = (project: string): Caller => ({ organization: 'acme', project, key: 'alice', models: [] });
/** A request for a model, with one text. */
const draft = (project: string, model: string, text = 'Hello') =>
  createTestDraft({
    model,
    caller: callerOf(project),
    request: createTestRequest({ turns: [{ role: 'user', parts: [{ type: 'text', text }] }] }),
  });

test('gives each project its model, and leaves other models as they are', async () => {
  const { rewrite } = await create();
  assert.deepEqual(await rewrite?.(draft('search', 'team')), { model: 'acme/large' });
  assert.equal(await rewrite?.(draft('search', 'acme/small')), undefined);
});

test('refuses a project without a model', async () => {
  const { rewrite } = await create();
  assert.throws(() => rewrite?.(draft('web', 'team')), { status: 403, message: /The project web has no model/ });
});

test('refuses a prompt with a blocked word, whichever model it is for', async () => {
  const { rewrite } = await create();
  for (const model of ['team', 'acme/small'])
    assert.throws(() => rewrite?.(draft('search', model, 'What is project x?')), {
      status: 403,
      message: /"project x"/,
    });
});

test('tags the response with the project', async () => {
  const { admit } = await create();
  assert.deepEqual(await admit?.(createTestExchange({ caller: callerOf('search') })), {
    headers: { 'x-team': 'search' },
  });
});

test('a gateway with the plugin serves the model of the project', async () => {
  const gateway = await startTestGateway({
    models: { 'openai/large': { targets: [{ provider: 'openai', model: 'large' }] } },
    plugins: [{ use: plugin, config: { models: { test: 'openai/large' } } }],
  });
  try {
    gateway.upstream.answer({ text: 'Good day.' });
    const body = JSON.stringify({ model: 'team', messages: [{ role: 'user', content: 'Hello' }] });
    const response = await gateway.fetch('/v1/chat/completions', { method: 'POST', body });
    assert.equal(response.headers.get('x-team'), 'test');
    assert.match(await response.text(), /Good day\./);
    assert.equal(gateway.upstream.requests[0]?.body['model'], 'large');
  } finally {
    await gateway.close();
  }
});

test('reports a model that the configuration does not have', () => {
  const findings = plugin.check?.(options, { models: ['acme/small'] });
  assert.deepEqual(findings, [{ path: ['models', 'search'], message: 'Name one of the models: acme/small.' }]);
});

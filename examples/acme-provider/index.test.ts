import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestServices, startTestGateway, startTestUpstream } from 'koine-gateway/testing';
import provider from './index.ts';

const create = (apiKey: string) =>
  provider.create({ baseUrl: 'https://eu.acme.example/v1/', apiKey }, createTestServices());

test('sends a request with its key to the address of the settings', async () => {
  const { endpoint } = await create('secret-1');
  const [wire] = endpoint('one').wires;
  const signal = new AbortController().signal;
  const body = Buffer.from('{}');
  assert.deepEqual(
    await wire?.buildRequest({ model: 'one', stream: false, body, headers: {}, credential: 'key-1', signal }),
    {
      origin: 'https://eu.acme.example',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret-1' },
      body,
    },
  );
});

test('has no usable credential without a key, and says what to do', async () => {
  const { credentials } = await create('');
  assert.match(credentials[0]?.unavailable ?? '', /config\.apiKey/);
});

test('a gateway with the provider serves clients of another wire', async () => {
  const upstream = await startTestUpstream();
  const config = { baseUrl: `${upstream.url}/v1`, apiKey: 'secret-1' };
  const gateway = await startTestGateway({ upstream, providers: { [provider.name]: { use: provider, config } } });
  try {
    upstream.answer({ text: 'Good day.' });
    const messages = [{ role: 'user', content: 'Hello' }];
    const body = JSON.stringify({ model: 'acme/one', max_tokens: 50, messages });
    const headers = { 'anthropic-version': '2023-06-01' };
    const response = await gateway.fetch('/v1/messages', { method: 'POST', headers, body });
    assert.match(await response.text(), /"text":"Good day\."/);
    assert.equal(upstream.requests[0]?.path, '/v1/chat/completions');
    assert.equal(upstream.requests[0]?.headers['authorization'], 'Bearer secret-1');
  } finally {
    await gateway.close();
  }
});

test('a gateway with the provider speaks', async () => {
  const upstream = await startTestUpstream();
  const config = { baseUrl: `${upstream.url}/v1`, apiKey: 'secret-1' };
  const gateway = await startTestGateway({ upstream, providers: { [provider.name]: { use: provider, config } } });
  try {
    upstream.answer({ headers: { 'content-type': 'audio/mpeg' }, body: Buffer.from('ID3 Good day.') });
    const body = JSON.stringify({ model: 'acme/voice', voice: 'anna', input: 'Good day.' });
    const response = await gateway.fetch('/v1/audio/speech', { method: 'POST', body });
    assert.equal(response.headers.get('content-type'), 'audio/mpeg');
    assert.equal(await response.text(), 'ID3 Good day.');
    assert.equal(upstream.requests[0]?.path, '/v1/audio/speech');
  } finally {
    await gateway.close();
  }
});

test('each price has the page that it comes from', () => {
  for (const { page, seen } of provider.prices ?? []) {
    assert.match(page, /^https:/);
    assert.match(seen, /^\d{4}-\d{2}-\d{2}$/);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestServices } from 'koine-gateway/testing';
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

test('each price has the page that it comes from', () => {
  for (const { page, seen } of provider.prices ?? []) {
    assert.match(page, /^https:/);
    assert.match(seen, /^\d{4}-\d{2}-\d{2}$/);
  }
});

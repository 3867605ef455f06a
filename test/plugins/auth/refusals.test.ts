import { inspect } from 'node:util';
import { expect } from 'chai';
import { GatewayError, type KeyDirectory, type KeyRecord } from '../../../core/api/index.ts';
import { describeAccessError } from '../../../core/api/internal.ts';
import { alice, createAuth, createHead, createKnownKeys, createRecord, digestOf, now, settle } from './auth-setup.ts';

const secret = 'koine_canary_of_this_test';
const head = createHead({ authorization: `Bearer ${secret}` });
const findNow = (record: KeyRecord | undefined): KeyDirectory => ({ find: () => record });
const findLater = (record: KeyRecord | undefined): KeyDirectory => ({ find: async () => record });

describe('a refused key', () => {
  const wrongDigest = digestOf('another key');
  const refused: Readonly<Record<string, KeyRecord | undefined>> = {
    'an unknown key': undefined,
    'a disabled key': createRecord(secret, { disabled: true }),
    'a key that expired': createRecord(secret, { expiresAt: now - 1 }),
    'a key that expires now': createRecord(secret, { expiresAt: now }),
    'a key for which the directory returned another key': createRecord(secret, { digest: wrongDigest }),
    'a key whose digest differs in its last bit': createRecord(secret, {
      digest: digestOf(secret).map((byte, index) => (index === 31 ? byte ^ 1 : byte)),
    }),
    'a key with a truncated digest': createRecord(secret, { digest: digestOf(secret).slice(0, 31) }),
    'a key without a digest': createRecord(secret, { digest: new Uint8Array(0) }),
  };

  for (const [title, record] of Object.entries(refused)) {
    for (const [when, find] of [
      ['synchronously', findNow],
      ['asynchronously', findLater],
    ] as const) {
      it(`refuses ${title}, found ${when}, with the same response as every other wrong key`, async () => {
        const { identify } = await createAuth(find(record));
        const error = await settle(() => identify(head));
        if (!GatewayError.is(error)) throw new Error('not refused');
        expect(error.status).to.equal(401);
        expect(describeAccessError(error)).to.deep.equal({
          message: 'Invalid API key',
          type: 'invalid_request_error',
          code: 'invalid_api_key',
        });
        expect([error.param, error.retryAfterMs, error.limits, error.cause]).to.deep.equal([
          undefined,
          undefined,
          undefined,
          undefined,
        ]);
      });
    }
  }

  it('accepts a valid key with and without an expiry', async () => {
    for (const record of [createRecord(secret), createRecord(secret, { expiresAt: now + 1 })]) {
      const { identify } = await createAuth(findNow(record));
      expect(identify(head)).to.equal(alice);
      const later = await createAuth(findLater(record));
      expect(await later.identify(head)).to.equal(alice);
    }
  });

  it('refuses the digest of a valid key, presented in its stored form', async () => {
    const { identify } = await createAuth(createKnownKeys({ alice: createRecord(secret) }));
    const digest = Buffer.from(digestOf(secret));
    for (const form of [digest.toString('hex'), digest.toString('base64'), digest.toString('latin1')]) {
      expect(await settle(() => identify(createHead({ 'x-api-key': form })))).to.include({ code: 'invalid_api_key' });
    }
  });

  it('refuses a text that shares a long prefix with a valid key', async () => {
    const start = 'k'.repeat(400);
    const keys = createKnownKeys({
      one: createRecord(`${start}1`),
      two: createRecord(`${start}2`, { disabled: true }),
    });
    const { identify } = await createAuth(keys);
    expect(identify(createHead({ 'x-api-key': `${start}1` }))).to.equal(alice);
    for (const text of [`${start}2`, `${start}3`, start])
      expect(await settle(() => identify(createHead({ 'x-api-key': text })))).to.include({ code: 'invalid_api_key' });
  });

  it('writes no refused key to the log or to the error', async () => {
    for (const keys of [
      findNow(undefined),
      findLater(undefined),
      findNow(createRecord(secret, { disabled: true })),
      findNow(createRecord(secret)),
    ]) {
      const { identify, logged } = await createAuth(keys);
      const result = await settle(() => identify(head));
      expect(inspect([result, logged], { depth: 9, showHidden: true })).to.not.include('canary');
    }
  });
});

describe('a directory that is down', () => {
  const failure = new GatewayError('KOINE_STORE_FAILED', 'disk I/O error');
  const failing: Readonly<Record<string, KeyDirectory>> = {
    'it throws': {
      find: () => {
        throw failure;
      },
    },
    'it rejects': { find: () => Promise.reject(failure) },
  };

  for (const [title, keys] of Object.entries(failing)) {
    it(`returns 503 and never 401 when the directory is down: ${title}`, async () => {
      const { identify, logged } = await createAuth(keys);
      const error = await settle(() => identify(head));
      if (!GatewayError.is(error)) throw new Error('not refused');
      expect(error.status).to.equal(503);
      expect(describeAccessError(error)).to.deep.equal({
        message: 'Auth service temporarily unavailable',
        type: 'server_error',
        code: 'service_unavailable',
      });
      expect(error.cause).to.equal(failure);
      expect(inspect([error, logged], { depth: 9, showHidden: true })).to.not.include('canary');
    });

    it(`returns 401 without a key even when the directory is down: ${title}`, async () => {
      const { identify } = await createAuth(keys);
      expect(await settle(() => identify(createHead({})))).to.include({ code: 'invalid_api_key' });
    });
  }
});

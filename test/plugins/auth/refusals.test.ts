import { inspect } from 'node:util';
import { expect } from 'chai';
import { describeAccessError, GatewayError, type KeyDirectory, type KeyRecord } from '../../../core/index.ts';
import { alice, createAuth, createHead, createKnownKeys, createRecord, digestOf, now, settle } from './auth-setup.ts';

const secret = 'koine_canary_of_this_test';
const head = createHead({ authorization: `Bearer ${secret}` });
const answerWith = (record: KeyRecord | undefined): KeyDirectory => ({ find: () => record });
const answerLater = (record: KeyRecord | undefined): KeyDirectory => ({ find: async () => record });

describe('auth: who is refused', () => {
  const wrongDigest = digestOf('another key');
  const refused: Readonly<Record<string, KeyRecord | undefined>> = {
    'an unknown key': undefined,
    'a disabled key': createRecord(secret, { disabled: true }),
    'a key that expired': createRecord(secret, { expiresAt: now - 1 }),
    'a key that expires now': createRecord(secret, { expiresAt: now }),
    'a key that the directory took for another, of a digest as long': createRecord(secret, { digest: wrongDigest }),
    'a key whose digest differs in its last bit': createRecord(secret, {
      digest: digestOf(secret).map((byte, index) => (index === 31 ? byte ^ 1 : byte)),
    }),
    'a key whose digest is cut': createRecord(secret, { digest: digestOf(secret).slice(0, 31) }),
    'a key without a digest': createRecord(secret, { digest: new Uint8Array(0) }),
  };

  for (const [title, record] of Object.entries(refused)) {
    for (const [when, answer] of [
      ['at once', answerWith],
      ['later', answerLater],
    ] as const) {
      it(`is ${title}, told ${when}, in the words that all get`, async () => {
        const { identify } = await createAuth(answer(record));
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

  it('is nobody whose key is good, with or without an expiry to come', async () => {
    for (const record of [createRecord(secret), createRecord(secret, { expiresAt: now + 1 })]) {
      const { identify } = await createAuth(answerWith(record));
      expect(identify(head)).to.equal(alice);
      const later = await createAuth(answerLater(record));
      expect(await later.identify(head)).to.equal(alice);
    }
  });

  it('is whoever presents the stored form of a key', async () => {
    const { identify } = await createAuth(createKnownKeys({ alice: createRecord(secret) }));
    const digest = Buffer.from(digestOf(secret));
    for (const form of [digest.toString('hex'), digest.toString('base64'), digest.toString('latin1')]) {
      expect(await settle(() => identify(createHead({ 'x-api-key': form })))).to.include({ code: 'invalid_api_key' });
    }
  });

  it('is who shares a long beginning with a good key', async () => {
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

  it('leaves no trace of the key in the log or in the error', async () => {
    for (const keys of [
      answerWith(undefined),
      answerLater(undefined),
      answerWith(createRecord(secret, { disabled: true })),
      answerWith(createRecord(secret)),
    ]) {
      const { identify, logged } = await createAuth(keys);
      const result = await settle(() => identify(head));
      expect(inspect([result, logged], { depth: 9, showHidden: true })).to.not.include('canary');
    }
  });
});

describe('auth: when the directory cannot be asked', () => {
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
    it(`answers 503 and never 401 where ${title}`, async () => {
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

    it(`still answers 401 without a key where ${title}`, async () => {
      const { identify } = await createAuth(keys);
      expect(await settle(() => identify(createHead({})))).to.include({ code: 'invalid_api_key' });
    });
  }
});

import { expect } from 'chai';
import { createKey } from '../../core/tenancy/key-format.ts';
import { KEY } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { until } from '../support/until.ts';
import { startKoine, type KoineProcess } from './koine-process.ts';

const ADMIN = 'q7Zp"mXw2\\Lr9TbV4sKd8Yc1Nf6Hj3G';
const PROVIDER = 'Mistral7keyWithoutAnyPrefix0042';
const DATABASE_PASSWORD = 'pW%2Fd-of-the-webhook';

/** Secrets that a person may paste into the wrong field, by kind. */
const secrets: Readonly<Record<string, string>> = {
  'a key of a vendor': 'sk-proj-AbCdEfGh0123456789',
  'a key of another vendor': 'AIzaSyA0123456789abcdefghij',
  'a key of this gateway': createKey().text,
  'a key of the configuration': KEY,
  'the admin token': ADMIN,
  'a credential of a provider': PROVIDER,
  'a password of an address': DATABASE_PASSWORD,
  'the same password, decoded': decodeURIComponent(DATABASE_PASSWORD),
};

const settings = {
  server: { workers: 2 },
  admin: { port: 0, token: ADMIN },
  providers: { simulator: { use: 'simulator' }, spare: { use: 'openai', config: { apiKey: PROVIDER } } },
  models: {
    'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] },
    'spare/chat': { targets: [{ provider: 'spare', model: 'gpt-4.1' }] },
  },
  plugins: [
    { use: 'auth', config: { failures: false, remote: { url: `http://user:${DATABASE_PASSWORD}@127.0.0.1:9/keys` } } },
  ],
  accessLog: { start: true },
};

describe('a secret in the wrong field of a request', () => {
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine(settings);
  });
  after(() => koine.end());

  const headers = { 'authorization': `Bearer ${KEY}`, 'content-type': 'application/json' };
  const ask = (model: string, more: Readonly<Record<string, string>> = {}, body: object = {}) =>
    send(koine.url, {
      path: '/v1/messages',
      headers: { ...headers, 'anthropic-version': '2023-06-01', ...more },
      body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], ...body }),
    });
  /** The log and the recent exchanges of all requests so far. */
  const read = async (requests: number): Promise<string> => {
    const lines = () => koine.lines().filter(({ message }) => message === 'exchange');
    await until(`${requests} requests are in the log`, () => lines().length >= requests);
    const shown = async () =>
      (
        await send(koine.adminUrl, {
          method: 'GET',
          path: '/admin/exchanges',
          headers: { authorization: `Bearer ${ADMIN}` },
        })
      ).text;
    let exchanges = await shown();
    for (let tries = 0; tries < 800 && exchanges.split('"request_id"').length - 1 < requests; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      exchanges = await shown();
    }
    return JSON.stringify(koine.lines()) + exchanges;
  };

  it('does not show a secret in a wrong field in the log, in the recent exchanges or in a response', async () => {
    const answers: string[] = [];
    let requests = 0;
    for (const secret of Object.values(secrets)) {
      const visible = secret.replaceAll(/[^\w-]/g, '');
      answers.push((await ask(secret)).text);
      answers.push((await ask('simulator/chat', { 'user-agent': `curl/8 ${secret}`, 'x-request-id': visible })).text);
      answers.push(
        (
          await ask('simulator/chat', {
            'user-agent': `${'x'.repeat(120)} ${secret}`,
            'referer': `http://a/?key=${secret}`,
          })
        ).text,
      );
      answers.push((await ask('spare/chat', {}, { [secret]: 1 })).text);
      answers.push(
        (await send(koine.url, { method: 'GET', path: `/v1/models/${encodeURIComponent(secret)}`, headers })).text,
      );
      answers.push(
        (await send(koine.url, { method: 'GET', path: `/nowhere/${encodeURIComponent(secret)}`, headers })).text,
      );
      requests += 4;
    }
    const written = (await read(requests)) + answers.join('\n');
    for (const [kind, secret] of Object.entries(secrets)) {
      for (const form of [secret, JSON.stringify(secret).slice(1, -1), secret.slice(0, 12)])
        expect(written.includes(form), `${kind}: ${form}`).to.equal(false);
    }
    expect(written)
      .to.contain('"model_requested":"[redacted]"')
      .and.contain('curl/8 [redacted]')
      .and.contain('"client_request_id":"[redacted]"');
  });

  it('leaves names that only resemble a secret unmasked', async () => {
    const agent = 'AsyncOpenAI/Python 1.99.0 (task-force; risk_level-high; X11; Linux x86_64)';
    await ask('simulator/task-force-model', { 'user-agent': agent, 'x-request-id': 'disk-usage-0123456789' });
    await until('it is in the log', () =>
      koine.lines().some((line) => line['ua'] === agent && line['message'] === 'exchange'),
    );
    const line = koine.lines().find(({ ua, message }) => ua === agent && message === 'exchange');
    expect(line).to.include({
      model_requested: 'simulator/task-force-model',
      client_request_id: 'disk-usage-0123456789',
    });
  });
});

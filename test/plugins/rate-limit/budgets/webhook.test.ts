import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchService } from '../../../../core/services/network/fetch.ts';
import rateLimit from '../../../../plugins/rate-limit/index.ts';
import { Webhook, signWebhook } from '../../../../plugins/rate-limit/budgets/webhook.ts';
import { until } from '../../../support/until.ts';
import { createTestLog, type LogLine } from '../../../../core/testing/index.ts';
import { defaults } from '../setup.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NOW = 1_614_265_330_500;

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('rate-limit: the webhook', () => {
  let server: Server;
  let url: string;
  let webhook: Webhook;
  let got: Got[];
  let results: string[];
  let lines: LogLine[];
  /** The status of each response, in order; 0 means no response. The last one repeats. */
  let answers: (number | readonly [status: number, location: string])[];

  beforeEach(async () => {
    [got, results, answers] = [[], [], [204]];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        got.push({ headers: request.headers, body });
        const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 204;
        const [status, location] = typeof answer === 'number' ? [answer] : answer;
        if (status > 0) response.writeHead(status, location === undefined ? {} : { location }).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const log = createTestLog();
    ({ lines } = log);
    webhook = new Webhook({
      fetch: fetchService,
      clock: { now: () => NOW },
      log,
      count: (result) => results.push(result),
      retries: [20, 40],
    });
  });
  afterEach(async () => {
    await webhook.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const send = (id = 'event-1'): void =>
    webhook.send({ url, secret: SECRET, timeout: '200ms' }, id, '{"event":"budget.threshold"}');

  it('signs webhook events by Standard Webhooks', () => {
    // The example of the libraries of Standard Webhooks.
    const signed = signWebhook(SECRET, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330_000, '{"test": 2432232314}');
    expect(signed).to.deep.equal({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
    const text = createHmac('sha256', 'plain words as a key').update('a.1.b').digest('base64');
    expect(signWebhook('plain words as a key', 'a', 1_000, 'b')['webhook-signature']).to.equal(`v1,${text}`);
  });

  it('accepts a webhook time-out between a tenth of a second and a minute', () => {
    const check = (timeout: string) =>
      rateLimit.check?.({ ...defaults, webhook: { url, secret: SECRET, timeout } }, { models: [] }) ?? [];
    expect(['99ms', '61s'].map((timeout) => check(timeout).map(({ path, message }) => [path, message]))).to.deep.equal([
      [[['webhook'], 'webhook.timeout is 99ms; write a length of time between 100ms and 1m.']],
      [[['webhook'], 'webhook.timeout is 61s; write a length of time between 100ms and 1m.']],
    ]);
    expect([...check('100ms'), ...check('1m')]).to.deep.equal([]);
  });

  it('sends a webhook event once if it is accepted', async () => {
    send();
    await until('it was sent', () => results.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(got.map(({ body }) => body)).to.deep.equal(['{"event":"budget.threshold"}']);
    expect(got[0]?.headers).to.include({
      'content-type': 'application/json',
      ...signWebhook(SECRET, 'event-1', NOW, '{"event":"budget.threshold"}'),
    });
    expect([results, lines]).to.deep.equal([['sent'], []]);
  });

  it('sends a webhook event again, with the same id, until it is accepted', async () => {
    answers = [500, 0, 204];
    send();
    await until('it was accepted', () => results.includes('sent'));
    expect(results).to.deep.equal(['failed', 'failed', 'sent']);
    expect(got.map(({ headers }) => headers['webhook-id'])).to.deep.equal(['event-1', 'event-1', 'event-1']);
    expect(lines.map(({ fields }) => fields['reason'])).to.match(
      /^it responded with status 500,The request to http:\/\/127\.0\.0\.1:\d+ failed/,
    );
  });

  it('drops and logs a webhook event that is never accepted, without the secret', async () => {
    answers = [500];
    send();
    await until('it was dropped', () => results.includes('dropped'));
    expect(results).to.deep.equal(['failed', 'failed', 'failed', 'dropped']);
    expect(lines.at(-1)?.text).to.equal('the webhook did not accept an event: it is dropped');
    expect(lines.at(-1)?.fields).to.deep.include({ id: 'event-1', tries: 3, body: '{"event":"budget.threshold"}' });
    expect(JSON.stringify(lines)).not.to.include(SECRET);
  });

  it('the webhook does not follow redirects', async () => {
    answers = [[302, `${url}/elsewhere`], 204];
    send();
    await until('it was accepted', () => results.includes('sent'));
    expect(results).to.deep.equal(['failed', 'sent']);
  });

  it('keeps at most a thousand events for a webhook receiver that does not respond', async () => {
    answers = [0];
    for (let count = 0; count < 1_001; count += 1) send(`event-${count}`);
    expect(results).to.deep.equal(['dropped']);
    expect(lines[0]?.fields).to.include({ id: 'event-1000', waiting: 1_000 });
  });

  it('waits a short time for running events at shutdown, and logs those that are lost', async () => {
    answers = [204, 500];
    send('good');
    await webhook.close();
    expect(results).to.deep.equal(['sent']);
  });
});

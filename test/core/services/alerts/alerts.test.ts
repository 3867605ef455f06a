import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { createTestLog, type LogLine } from '../../../../core/testing/index.ts';
import type { Alert, Redis } from '../../../../core/contracts/services.ts';
import { Alerts } from '../../../../core/services/alerts/alerts.ts';
import type { AlertsConfig } from '../../../../core/services/alerts/alerts-config.ts';
import { signWebhook } from '../../../../core/services/alerts/webhook.ts';
import { fetchService } from '../../../../core/services/network/fetch.ts';
import { createTestServices } from '../../../../core/testing/services.ts';
import {
  startMailReceiver,
  startWebhookReceiver,
  type MailReceiver,
  type WebhookReceiver,
} from '../../../support/servers/receivers.ts';
import { until } from '../../../support/until.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PASSWORD = 'a password of the mail server';
const NOW = 1_614_265_330_500;

const alertOf = (key: string, more: Partial<Alert> = {}): Alert => ({
  event: 'mine.full',
  text: 'the disk is full',
  key,
  onceFor: 60_000,
  fields: { path: '/data', window: { start: 'now' }, problems: ['one', 'two'] },
  ...more,
});

describe('alerts', () => {
  let receiver: WebhookReceiver;
  let mail: MailReceiver;
  let lines: LogLine[];
  let results: string[];
  let clock: { at: number };
  const opened: Alerts[] = [];

  beforeEach(async () => {
    clock = { at: NOW };
    receiver = await startWebhookReceiver(SECRET);
    mail = await startMailReceiver({ user: 'koine', password: PASSWORD });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
    await Promise.all([receiver.stop(), mail.stop()]);
  });
  const webhook = (): NonNullable<AlertsConfig['webhook']> => ({
    url: receiver.url,
    secret: SECRET,
    timeout: 30_000,
    perHour: 10_000,
  });
  const email = (): NonNullable<AlertsConfig['email']> => ({
    host: '127.0.0.1',
    port: mail.port,
    encryption: 'none',
    user: 'koine',
    password: PASSWORD,
    from: 'koine@example.com',
    to: ['one@example.com', 'two@example.com'],
    timeout: 10_000,
    perHour: 10_000,
  });
  const open = (config: AlertsConfig, redis?: Redis): Alerts => {
    const log = createTestLog();
    ({ lines } = log);
    const own: string[] = [];
    results = own;
    const alerts = new Alerts({
      redis,
      fetch: fetchService,
      clock: { now: () => clock.at, monotonic: () => clock.at },
      log,
      metrics: {
        ...createTestServices().metrics,
        counter: () => ({ bind: (labels) => () => void own.push(labels.join(' ')) }),
      },
      retries: [20, 40],
    });
    alerts.adopt(config);
    opened.push(alerts);
    return alerts;
  };
  const done = (count: number): Promise<void> => until('it was sent or dropped', () => results.length >= count);

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

  it('sends an alert to the log, the webhook and by e-mail, once for its key, until its time is over', async () => {
    const alerts = open({ webhook: webhook(), email: email() });
    expect([await alerts.raise(alertOf('a')), await alerts.raise(alertOf('a'))]).to.deep.equal([true, false]);
    await done(2);
    expect(results.toSorted()).to.deep.equal(['email sent', 'webhook sent']);
    const { id, host, ...event } = JSON.parse(receiver.events[0]?.body ?? '') as Record<string, unknown>;
    expect(id)
      .to.equal(receiver.events[0]?.id)
      .and.to.match(/^[0-9a-f-]{36}$/);
    expect(host).to.be.a('string').and.not.to.equal('');
    const { fields } = alertOf('a');
    expect(event).to.deep.equal({ event: 'mine.full', at: '2021-02-25T15:02:10.500Z', ...fields });
    expect(lines.map(({ text, fields: { event: logged } }) => [text, logged])).to.deep.equal([
      ['the disk is full', 'mine.full'],
    ]);
    const [{ text = '', ...envelope } = {}] = mail.mails;
    expect(envelope).to.deep.equal({
      user: 'koine',
      isEncrypted: false,
      from: 'koine@example.com',
      to: ['one@example.com', 'two@example.com'],
    });
    expect(text)
      .to.include('Subject: [koine] the disk is full\r\n')
      .and.to.include(`<${String(id)}@example.com>`);
    expect(text).to.include('path: /data\r\nwindow:\r\n  start: now\r\nproblems:\r\n  - one\r\n  - two');
    clock.at += 60_000;
    expect(await alerts.raise(alertOf('a'))).to.equal(true);
  });

  it('claims an alert in Redis for all gateways, and sends its own while Redis does not respond', async () => {
    const claims: unknown[] = [];
    let answer = async (): Promise<unknown> => 'OK';
    const script: Redis['script'] = () => (keys, args) => (claims.push([...keys, ...args]), answer());
    const alerts = open({}, { script, ping: async () => {}, client: undefined });
    expect(await alerts.raise(alertOf('a'))).to.equal(true);
    answer = async () => null;
    expect(await alerts.raise(alertOf('b'))).to.equal(false);
    answer = () => Promise.reject(new Error('down'));
    expect(await alerts.raise(alertOf('c'))).to.equal(true);
    expect(claims).to.have.length(3);
    expect(claims[0]).to.match(/^koine:\{alerts\}:[0-9a-f]{64},60000$/);
    expect(lines).to.have.length(2);
  });

  it('sends no more alerts than the rate of a channel, and all of them to the log', async () => {
    const alerts = open({ webhook: { ...webhook(), perHour: 2 } });
    for (const key of ['a', 'b', 'c', 'd']) await alerts.raise(alertOf(key));
    await done(4);
    expect(results.toSorted()).to.deep.equal([
      'webhook sent',
      'webhook sent',
      'webhook suppressed',
      'webhook suppressed',
    ]);
    expect(lines.filter(({ text }) => text === 'the disk is full')).to.have.length(4);
    expect(lines.filter(({ text }) => text.includes('rate of this channel'))).to.have.length(2);
    clock.at += 1_800_000;
    for (const key of ['e', 'f']) await alerts.raise(alertOf(key));
    await done(6);
    expect(results.filter((result) => result === 'webhook sent')).to.have.length(3);
  });

  it('an alert has no secret: those of texts and fields are redacted', async () => {
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
    const alerts = open({ webhook: webhook(), email: email() });
    await alerts.raise(alertOf('a', { text: `refused: ${key}`, fields: { reason: `the key ${key}` } }));
    await done(2);
    expect([receiver.events, mail.mails].map(({ length }) => length)).to.deep.equal([1, 1]);
    expect(JSON.stringify([receiver.events, mail.mails, lines])).not.to.include('abcdefghijklmnop');
  });

  it('sends an alert again, with the same id, until it is accepted', async () => {
    receiver.answers = [500, 0, 204];
    await open({ webhook: { ...webhook(), timeout: 3_000 } }).raise(alertOf('a'));
    await done(3);
    expect(results).to.deep.equal(['webhook failed', 'webhook failed', 'webhook sent']);
    expect(new Set(receiver.events.map(({ id }) => id)).size).to.equal(1);
    expect(lines.slice(1).map(({ fields }) => fields['reason'])).to.match(
      /^it responded with status 500,The request to http:\/\/127\.0\.0\.1:\d+ failed/,
    );
  });

  it('drops and logs an alert that is never accepted, follows no redirect, and shows no secret', async () => {
    receiver.answers = [302];
    const wrong = { ...email(), password: 'a wrong password of 26 bytes' };
    await open({ webhook: webhook(), email: wrong }).raise(alertOf('a'));
    await done(8);
    expect(results.filter((result) => result.endsWith('dropped')).toSorted()).to.deep.equal([
      'email dropped',
      'webhook dropped',
    ]);
    expect(mail.mails).to.deep.equal([]);
    const dropped = lines.filter(({ text }) => text === 'an alert was not accepted: it is dropped');
    expect(dropped.map(({ fields: { channel, attempts } }) => [channel, attempts])).to.have.deep.members([
      ['webhook', 3],
      ['email', 3],
    ]);
    expect(JSON.stringify(lines)).not.to.include(SECRET);
  });

  it('keeps at most a thousand alerts for a receiver that does not respond', async () => {
    receiver.answers = [0];
    const alerts = open({ webhook: webhook() });
    for (let count = 0; count < 1_001; count += 1) await alerts.raise(alertOf(String(count)));
    expect(results).to.deep.equal(['webhook dropped']);
    expect(lines.at(-1)?.fields).to.include({ waiting: 1_000 });
  });

  it('waits a short time for running alerts at shutdown', async () => {
    const alerts = open({ webhook: webhook() });
    await alerts.raise(alertOf('a'));
    await until('it has come', () => receiver.events.length > 0);
    await alerts.close();
    expect(results).to.deep.equal(['webhook sent']);
  });
});

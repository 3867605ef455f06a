import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority, hasOpenssl } from '../support/certificates.ts';
import { goodHeaders, send } from '../support/http.ts';
import {
  startMailReceiver,
  startWebhookReceiver,
  type MailReceiver,
  type WebhookReceiver,
} from '../support/servers/receivers.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { startKoine, type KoineProcess } from './koine-process.ts';

const SECRET = 'the secret of this webhook';
const PASSWORD = 'the password of this mail server';

interface Received {
  readonly event: string;
  readonly host: string;
  readonly provider?: string;
  readonly target?: string;
  readonly problems?: readonly string[];
}

describe('alerts of a gateway', function suite() {
  this.timeout(120_000);
  const folder = createTemporaryFolder();
  let webhook: WebhookReceiver;
  let mail: MailReceiver;
  let koine: KoineProcess;

  before(async function start() {
    if (!hasOpenssl()) this.skip();
    const authority = createAuthority(folder.path);
    webhook = await startWebhookReceiver(SECRET);
    mail = await startMailReceiver({ user: 'koine', password: PASSWORD }, authority.issue('localhost'));
    const down = { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: 'http://127.0.0.1:9/v1' } };
    const price = { input: 1, output: 1 };
    koine = await startKoine(
      {
        server: { workers: 1 },
        alerts: {
          webhook: { url: webhook.url, secret: '${HOOK}' },
          email: {
            host: 'localhost',
            port: mail.port,
            user: 'koine',
            password: '${MAIL}',
            from: 'koine@example.com',
            to: ['operators@example.com'],
          },
        },
        providers: { simulator: { use: 'simulator' }, down },
        models: {
          'simulator/chat': { targets: [{ provider: 'simulator', model: 'new' }] },
          'simulator/free': { unpriced: 'allow', targets: [{ provider: 'simulator', model: 'free' }] },
          'down/m': { price, targets: [{ provider: 'down', model: 'm' }] },
        },
        plugins: [{ use: 'auth' }, { use: 'failover' }],
      },
      { HOOK: SECRET, MAIL: PASSWORD, NODE_EXTRA_CA_CERTS: join(folder.path, 'ca.pem') },
    );
  });
  after(async () => {
    await koine?.end();
    await Promise.all([webhook?.stop(), mail?.stop()]);
    folder.remove();
  });
  const ask = async (model: string): Promise<number> => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] });
    return (await send(koine.url, { path: '/v1/chat/completions', headers: goodHeaders, body })).status;
  };
  const received = (event: string): readonly Received[] =>
    webhook.events.map(({ body }) => JSON.parse(body) as Received).filter((each) => each.event === event);

  it('an outage, a model without a price and a failed reload are one alert each, by webhook and by e-mail', async () => {
    for (let times = 0; times < 3; times += 1)
      expect([await ask('simulator/chat'), await ask('simulator/free')]).to.deep.equal([200, 200]);
    await until('the provider is down', async () => (await ask('down/m'), received('circuit.opened').length > 0));
    for (let times = 0; times < 20; times += 1) expect(await ask('down/m')).to.be.at.least(500);
    writeFileSync(koine.file, 'models: { "down/m": { targets: nothing } }\n');
    for (let times = 0; times < 2; times += 1) {
      koine.signal('SIGHUP');
      await until('it failed', () => received('reload.failed').length > 0);
    }
    await until('all are sent', () => webhook.events.length >= 3 && mail.mails.length >= 3);
    expect(received('model.unpriced').map(({ target }) => target)).to.deep.equal(['simulator/new']);
    expect(received('circuit.opened').map(({ provider }) => provider)).to.deep.equal(['down']);
    expect(received('reload.failed')[0]?.problems?.[0]).to.match(/gateway\.yaml:1:\d+ error/);
    expect(mail.mails).to.have.length(3);
    for (const { user, isEncrypted, to, text } of mail.mails) {
      expect([user, isEncrypted, to]).to.deep.equal(['koine', true, ['operators@example.com']]);
      expect(text).to.match(/^Subject: \[koine\] /m);
    }
    for (const output of [koine.stderr(), JSON.stringify([koine.lines(), webhook.events, mail.mails])])
      for (const secret of [SECRET, PASSWORD, 'upstream-secret']) expect(output).not.to.include(secret);
  });
});

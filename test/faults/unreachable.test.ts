import { expect } from 'chai';
import type { Resolve } from '../../core/services/network/checked-lookup.ts';
import { createUndiciTransport } from '../../core/dispatch/undici-transport.ts';
import { measure } from '../core/dispatch/raw-upstream.ts';
import { catchRejection } from '../core/exchange/catch-error.ts';
import { findFreePort } from '../../core/server/primary/free-port.ts';
import { exchangesOf, holdInvariants, lastAttempts } from './checks/invariants.ts';
import { modelOf, settingsAt } from './models.ts';
import { startFaultScene, type FaultScene } from './scene.ts';
import type { Security } from './upstream/certificates.ts';

/** Fails every call as unreachable; nothing is sent. */
const expectUnreachable = async (scene: FaultScene, code: string, failure: string): Promise<string> => {
  const reply = await scene.call('chat', modelOf('chat'), true);
  expect(reply.status, reply.text).to.equal(502);
  await holdInvariants(scene);
  const line = exchangesOf(scene).at(-1);
  expect(line).to.include({ code, outcome: 'upstream_error' }).and.to.not.have.property('tokens_in');
  expect(lastAttempts(scene)[0]).to.include({ failure, status: 0 });
  expect(scene.upstream.requests).to.deep.equal([]);
  return String(line?.['error_message']);
};

describe('row 1: a provider that cannot be reached', () => {
  let scene: FaultScene;
  afterEach(async () => {
    await holdInvariants(scene);
    await scene.stop();
  });

  for (const scheme of ['http', 'https'] as const) {
    it(`returns a 502 without internal details if the port is closed, over ${scheme}`, async () => {
      const port = await findFreePort({ host: '127.0.0.1', port: 0 });
      scene = await startFaultScene({ settings: () => settingsAt(`${scheme}://127.0.0.1:${port}`) });
      expect(await expectUnreachable(scene, 'upstream_unreachable', 'transient')).to.include('ECONNREFUSED');
      expect(JSON.stringify(scene.replies)).to.not.include(String(port));
    });

    it(`returns a 502 without internal details if the name does not exist, over ${scheme}`, async () => {
      scene = await startFaultScene({ settings: () => settingsAt(`${scheme}://name.invalid`) });
      expect(await expectUnreachable(scene, 'upstream_unreachable', 'transient')).to.match(/ENOTFOUND|EAI_AGAIN/);
    });
  }
});

describe('row 1: a failing name service', () => {
  const request = {
    origin: 'http://provider.test',
    path: '/v1',
    headers: { authorization: 'canary' },
    body: Buffer.from('{}'),
  };
  const none = new AbortController().signal;
  const fail =
    (code: string): Resolve =>
    (_name, _options, callback) =>
      callback(Object.assign(new Error(`queryA ${code} provider.test`), { code }), []);

  for (const code of ['EAI_AGAIN', 'EAI_FAIL', 'ESERVFAIL', 'ENOTFOUND', 'ETIMEDOUT']) {
    it(`a name service that fails with ${code} makes the provider unreachable, and the next call queries it again`, async () => {
      let asked = 0;
      const resolve: Resolve = (...question) => {
        asked += 1;
        fail(code)(...question);
      };
      const transport = createUndiciTransport({ connect: 2_000, resolve });
      for (const times of [1, 2]) {
        expect(await catchRejection(transport.send(request, none))).to.include({
          code: 'upstream_unreachable',
          failure: 'transient',
        });
        expect(asked).to.equal(times);
      }
      await transport.close();
    });
  }

  it('a silent name service makes the provider unreachable within the connect time-out', async () => {
    const open = (connect: number) => createUndiciTransport({ connect, resolve: () => {} });
    const [patient, transport] = [open(60_000), open(300)];
    let isWaiting = true;
    const waiting = catchRejection(patient.send(request, none)).finally(() => (isWaiting = false));
    const pending = transport.send(request, none);
    pending.catch(() => {});
    expect(await measure(pending)).to.be.at.least(250);
    expect(await catchRejection(pending)).to.include({ code: 'upstream_unreachable' });
    expect(isWaiting, 'with a longer time-out it goes on').to.equal(true);
    await Promise.all([patient.close(), transport.close()]);
    await waiting;
  });
});

describe('row 2: a provider with unacceptable TLS', () => {
  const cases: readonly (readonly [security: Security, says: RegExp])[] = [
    ['expired', /CERT_HAS_EXPIRED/],
    ['other-host', /ALTNAME_INVALID/],
    ['self-signed', /SELF_SIGNED/],
    ['old', /PROTOCOL|VERSION/i],
    ['plain', /SSL|TLS/],
  ];
  let scene: FaultScene;
  afterEach(async () => {
    await holdInvariants(scene);
    // The gateway does not fall back to plain text: it has sent a handshake (RFC 8446, 5.1).
    for (const greeting of scene.upstream.greetings) expect(greeting[0]).to.equal(0x16);
    await scene.stop();
  });

  for (const [security, says] of cases) {
    it(`a provider with unacceptable TLS gets no request and causes its own error (${security})`, async () => {
      scene = await startFaultScene({ security });
      expect(await expectUnreachable(scene, 'upstream_tls', 'credential')).to.match(says);
      expect(scene.upstream.lines).to.have.length(1);
    });
  }

  it('gives up in time on a TLS handshake that gets no response', async () => {
    const hurried = (url: string) => {
      const settings = settingsAt(url) as { readonly providers: Readonly<Record<string, object>> };
      return {
        ...settings,
        providers: Object.fromEntries(
          Object.entries(settings.providers).map(([name, provider]) => [
            name,
            { ...provider, timeouts: { connect: '500ms' } },
          ]),
        ),
      };
    };
    scene = await startFaultScene({ security: 'stalled', settings: hurried });
    await expectUnreachable(scene, 'upstream_unreachable', 'transient');
    expect(scene.upstream.greetings).to.have.length(1);
  });
});

import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { openEntra } from '../../../../providers/identity/entra/tokens.ts';
import { redactKnown } from '../../../../core/canonical/text/known-secrets.ts';
import type { EntraSettings } from '../../../../providers/identity/entra/settings.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import { systemClock } from '../../../../core/services/clock.ts';
import { createTestLog } from '../../../../core/testing/log.ts';
import { hasOpenssl } from '../../../support/certificates.ts';
import { fakeToken, startIdentityServer, type IdentityServer } from '../../../support/identity-server.ts';

const SCOPE = 'https://vendor.example/.default';
const SECRET = 'entra-secret-0123456789';
const app = { tenantId: 'acme.example', clientId: 'app-1' } as const;

describe('tokens of Microsoft Entra ID', () => {
  const folder = mkdtempSync(join(tmpdir(), 'koine-entra-'));
  let identity: IdentityServer;
  let log: ReturnType<typeof createTestLog>;
  let closers: (() => void)[];

  before(async () => {
    identity = await startIdentityServer();
  });
  beforeEach(() => {
    identity.calls.length = 0;
    identity.answer = identity.handOut;
    log = createTestLog();
    closers = [];
  });
  afterEach(() => closers.forEach((close) => close()));
  after(async () => {
    await identity.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (settings: EntraSettings, environment: Record<string, string> = {}) =>
    openEntra(
      settings,
      SCOPE,
      {
        clock: systemClock,
        log,
        folder,
        shared: (_key, create, dispose) => {
          const value = create();
          closers.push(() => void dispose?.(value));
          return value;
        },
      },
      environment,
    );
  const tokenOf = async (settings: EntraSettings, environment = {}): Promise<string | undefined> => {
    const identified = open(settings, environment);
    await identified.credential.ready?.();
    return identified.token;
  };
  const withSecret = (): EntraSettings => ({
    identity: 'client-secret',
    ...app,
    clientSecret: SECRET,
    authority: `${identity.url}/`,
  });
  const failureOf = async (settings: EntraSettings, environment = {}): Promise<GatewayError> => {
    try {
      await tokenOf(settings, environment);
    } catch (error) {
      if (GatewayError.is(error)) return error;
      throw error;
    }
    throw new Error('a token was handed out');
  };

  it('an app with a secret requests a token once, for the scope of the vendor', async () => {
    const app = open(withSecret());
    expect(app.token).to.equal(undefined);
    await Promise.all([app.credential.ready?.(), app.credential.ready?.()]);
    expect(app.token).to.equal(fakeToken('token-1'));
    expect(app.credential.ready?.()).to.equal(undefined);
    expect(identity.calls).to.have.length(1);
    const [call] = identity.calls;
    expect([call?.method, call?.url.pathname]).to.deep.equal(['POST', '/acme.example/oauth2/v2.0/token']);
    expect(call?.headers['content-type']).to.equal('application/x-www-form-urlencoded');
    expect(Object.fromEntries(call?.form ?? [])).to.deep.equal({
      grant_type: 'client_credentials',
      client_id: 'app-1',
      scope: SCOPE,
      client_secret: SECRET,
    });
  });

  it('a token is redacted in logs', async () => {
    await tokenOf(withSecret());
    expect(redactKnown(`refused: ${fakeToken('token-1')}`)).to.equal('refused: [redacted]');
  });

  it('an app with a certificate signs an assertion that its certificate verifies', async function () {
    if (!hasOpenssl() && process.env['CI'] !== 'true') this.skip();
    const made = spawnSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=app', '-keyout', 'k', '-out', 'c'],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(made.status, made.stderr).to.equal(0);
    const certificate = new X509Certificate(readFileSync(join(folder, 'c')));
    const parts = ['k', 'c'].map((name) => readFileSync(join(folder, name), 'utf8'));
    for (const order of [parts, parts.toReversed()]) {
      writeFileSync(join(folder, 'app.pem'), order.join(''));
      identity.calls.length = 0;
      await tokenOf({ identity: 'certificate', ...app, certificate: './app.pem', authority: identity.url });
      const form = identity.calls[0]?.form;
      const assertion = form?.get('client_assertion') ?? '';
      expect(form?.get('client_assertion_type')).to.equal('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
      expect(form?.has('client_secret')).to.equal(false);
      const { payload } = await jwtVerify(assertion, certificate.publicKey, {
        issuer: 'app-1',
        subject: 'app-1',
        audience: `${identity.url}/acme.example/oauth2/v2.0/token`,
        algorithms: ['PS256'],
        maxTokenAge: '5m',
      });
      expect(payload.jti).to.match(/^[0-9a-f-]{36}$/);
      const thumbprint = Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
      expect(decodeProtectedHeader(assertion)).to.deep.equal({ 'alg': 'PS256', 'typ': 'JWT', 'x5t#S256': thumbprint });
    }
  });

  it('a workload exchanges the token in its file, which can change, with the settings of its environment', async () => {
    const file = join(folder, 'federated');
    const environment = {
      AZURE_TENANT_ID: 'pods.example',
      AZURE_CLIENT_ID: 'pod-1',
      AZURE_FEDERATED_TOKEN_FILE: file,
      AZURE_AUTHORITY_HOST: identity.url,
    };
    for (const assertion of ['assertion-one', 'assertion-two']) {
      writeFileSync(file, `${assertion}\n`);
      await tokenOf({ identity: 'workload' }, environment);
    }
    expect(identity.calls.map(({ url }) => url.pathname)).to.deep.equal(
      Array(2).fill('/pods.example/oauth2/v2.0/token'),
    );
    expect(identity.calls.map(({ form }) => [form.get('client_id'), form.get('client_assertion')])).to.deep.equal([
      ['pod-1', 'assertion-one'],
      ['pod-1', 'assertion-two'],
    ]);
  });

  it('a managed identity requests its token from the App Service, with the secret of the service', async () => {
    const endsAt = Math.floor(Date.now() / 1_000) + 86_000;
    identity.answer = () => ({ status: 200, body: { access_token: fakeToken('app'), expires_on: String(endsAt) } });
    const environment = { IDENTITY_ENDPOINT: `${identity.url}/msi/token`, IDENTITY_HEADER: 'header-secret' };
    expect(await tokenOf({ identity: 'managed', clientId: 'user-1' }, environment)).to.equal(fakeToken('app'));
    const [call] = identity.calls;
    expect([call?.method, call?.url.pathname]).to.deep.equal(['GET', '/msi/token']);
    expect(Object.fromEntries(call?.url.searchParams ?? [])).to.deep.equal({
      'api-version': '2019-08-01',
      'resource': 'https://vendor.example',
      'client_id': 'user-1',
    });
    expect(call?.headers['x-identity-header']).to.equal('header-secret');
  });

  it('a managed identity of a machine requests its token from the metadata service', async () => {
    identity.answer = () => ({ status: 200, body: { access_token: fakeToken('vm'), expires_in: '86399' } });
    const environment = { AZURE_POD_IDENTITY_AUTHORITY_HOST: identity.url };
    expect(await tokenOf({ identity: 'managed' }, environment)).to.equal(fakeToken('vm'));
    const [call] = identity.calls;
    expect(call?.url.pathname).to.equal('/metadata/identity/oauth2/token');
    expect(Object.fromEntries(call?.url.searchParams ?? [])).to.deep.equal({
      'api-version': '2018-02-01',
      'resource': 'https://vendor.example',
    });
    expect(call?.headers).to.include({ metadata: 'true' });
  });

  it('a refusal names what the identity provider said, and neither the secret nor ids of the request', async () => {
    identity.answer = () => ({
      status: 401,
      body: {
        error: 'invalid_client',
        error_description: `AADSTS7000215: Invalid client secret provided: Bearer ${SECRET}. Trace ID: 1234 Timestamp: now`,
        error_codes: [7_000_215],
      },
    });
    const { code, failure, exposed, message } = await failureOf(withSecret());
    expect({ code, failure, exposed }).to.deep.equal({
      code: 'upstream_credential',
      failure: 'credential',
      exposed: false,
    });
    expect(message).to.contain('(401): invalid_client: AADSTS7000215: Invalid client secret provided');
    expect(message).not.to.contain('Trace ID');
    expect(message + JSON.stringify(log.lines)).not.to.contain(SECRET);
    expect(JSON.stringify(log.lines)).to.contain('client-secret identity at Microsoft Entra ID could not be loaded');
  });

  for (const status of [404, 410, 429, 500, 503])
    it(`a ${status} of the identity provider is an outage, not a wrong credential`, async () => {
      identity.answer = () => ({ status, body: 'busy' });
      expect((await failureOf(withSecret())).failure).to.equal('transient');
    });

  it('a response without a token, or without its end, is an outage', async () => {
    for (const body of [{}, 'text', { access_token: fakeToken('x') }, { expires_in: 5 }]) {
      identity.answer = () => ({ status: 200, body });
      expect((await failureOf(withSecret())).failure).to.equal('transient');
    }
  });

  it('an identity provider that cannot be reached is an outage whose message names its origin only', async () => {
    const error = await failureOf({ ...withSecret(), authority: 'http://127.0.0.1:1' });
    expect([error.code, error.failure]).to.deep.equal(['upstream_unreachable', 'transient']);
    expect(error.message).to.contain('http://127.0.0.1:1').and.not.to.contain('acme.example');
  });

  it('a file that cannot be read is a failure of the credential that names the file', async () => {
    const settings = { identity: 'workload', ...app, assertionFile: './absent', authority: identity.url } as const;
    const error = await failureOf(settings);
    expect([error.code, error.failure]).to.deep.equal(['upstream_credential', 'credential']);
    expect(error.message).to.contain(join(folder, 'absent'));
  });
});

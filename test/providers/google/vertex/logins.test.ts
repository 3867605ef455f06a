import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { GatewayError, type UpstreamRequest } from '../../../../core/api/index.ts';
import { redactKnown } from '../../../../core/canonical/text/known-secrets.ts';
import { createTestLog, createTestServices } from '../../../../core/testing/index.ts';
import anthropic from '../../../../providers/anthropic/index.ts';
import { createVertex } from '../../../../providers/google/vertex/index.ts';
import type { VertexOptions } from '../../../../providers/google/vertex/schema.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import {
  authorizedUser,
  email,
  externalAccount,
  privatePem,
  refreshToken,
  serviceAccount,
  startTokenServer,
  subjectToken,
  type TokenServer,
} from './token-server.ts';

const HOUR = 3_600_000;
const variables = ['GOOGLE_APPLICATION_CREDENTIALS', 'CLOUDSDK_CONFIG', 'GCE_METADATA_HOST'] as const;

describe('the credentials of vertex', () => {
  let server: TokenServer;
  let folder: ReturnType<typeof createTemporaryFolder>;
  let now: number;
  let log: ReturnType<typeof createTestLog>;
  const disposals: (() => unknown)[] = [];
  const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));

  beforeEach(async () => {
    server = await startTokenServer();
    folder = createTemporaryFolder();
    now = 1_800_000_000_000;
    log = createTestLog();
    for (const name of variables) delete process.env[name];
    process.env['CLOUDSDK_CONFIG'] = folder.path;
  });
  afterEach(async () => {
    for (const dispose of disposals.splice(0)) await dispose();
    for (const name of variables) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    await server.stop();
    folder.remove();
  });

  const open = async (options: VertexOptions, model = 'gemini-2.5-flash') => {
    const provider = await createVertex(anthropic).create(
      options,
      createTestServices({
        log,
        clock: { now: () => now, monotonic: () => now },
        folder: folder.path,
        shared: (_key, create, dispose) => {
          const value = create();
          disposals.push(() => dispose?.(value));
          return value;
        },
      }),
    );
    const [wire] = provider.endpoint(model).wires;
    if (wire === undefined) throw new Error('has no wire');
    const [credential] = provider.credentials;
    return async (): Promise<UpstreamRequest> => {
      await credential?.ready?.();
      return await wire.buildRequest({
        model,
        stream: false,
        body: Buffer.from('{}'),
        headers: {},
        credential: credential?.id ?? '',
        signal: new AbortController().signal,
      });
    };
  };
  const inline = (account: object): VertexOptions => ({ credentials: JSON.stringify(account) });
  const tokenOf = ({ headers }: UpstreamRequest): unknown => headers['authorization'];
  const errorOf = async (call: () => Promise<unknown>): Promise<GatewayError> => {
    try {
      await call();
    } catch (thrown) {
      if (GatewayError.is(thrown)) return thrown;
      throw thrown;
    }
    throw new Error('was accepted');
  };

  it('a service account signs an assertion, which is exchanged for one token for all calls', async () => {
    const call = await open(inline(serviceAccount(server)));
    const requests = await Promise.all([call(), call(), call()]);
    expect(requests.map(tokenOf)).to.deep.equal(Array.from({ length: 3 }, () => 'Bearer ya29.made-up-1'));
    expect(tokenOf(await call())).to.equal('Bearer ya29.made-up-1');
    expect(server.refusals).to.deep.equal([]);
    expect(server.grants).to.deep.equal(['urn:ietf:params:oauth:grant-type:jwt-bearer']);
  });

  it('the project of a service account is used where none is configured', async () => {
    expect((await (await open(inline(serviceAccount(server))))()).path).to.contain('/projects/made-up-project/');
    const named = await open({ ...inline(serviceAccount(server)), project: 'other' });
    expect((await named()).path).to.contain('/projects/other/');
  });

  it('a token is requested again when it has ended, by the clock of the gateway', async () => {
    const call = await open(inline(serviceAccount(server)));
    await call();
    now += HOUR - 60_000;
    expect(tokenOf(await call())).to.equal('Bearer ya29.made-up-1');
    now += 120_000;
    expect(tokenOf(await call())).to.equal('Bearer ya29.made-up-2');
  });

  it('an access token is redacted in logs', async () => {
    await (
      await open(inline(serviceAccount(server)))
    )();
    expect(redactKnown('refused: ya29.made-up-1')).to.equal('refused: [redacted]');
  });

  it('a file of credentials is read again for each token, so that its key can rotate', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const pem = other.export({ type: 'pkcs8', format: 'pem' }).toString();
    writeFileSync(join(folder.path, 'account.json'), JSON.stringify(serviceAccount(server, pem)));
    const call = await open({ credentials: 'account.json' });
    const refused = await errorOf(call);
    expect(refused).to.include({ code: 'upstream_credential', failure: 'credential' });
    expect(refused.message).to.contain('invalid_grant: Invalid JWT Signature.');
    writeFileSync(join(folder.path, 'account.json'), JSON.stringify(serviceAccount(server)));
    now += 60_000;
    expect(tokenOf(await call())).to.equal('Bearer ya29.made-up-1');
  });

  it('a user is authorized by a refresh token, and another project pays', async () => {
    const call = await open({ ...inline(authorizedUser(server)), project: 'p' });
    const { headers } = await call();
    expect(headers).to.include({
      'authorization': 'Bearer ya29.made-up-1',
      'x-goog-user-project': 'paying-project',
    });
    expect(server.grants).to.deep.equal(['refresh_token']);
  });

  it('a workload exchanges the token of its cluster', async () => {
    const file = join(folder.path, 'cluster-token');
    writeFileSync(file, subjectToken);
    const call = await open({ ...inline(externalAccount(server, file)), project: 'p' });
    expect(tokenOf(await call())).to.equal('Bearer ya29.made-up-1');
    expect(server.refusals).to.deep.equal([]);
  });

  it('a machine without credentials gets its token from the metadata server', async () => {
    process.env['GCE_METADATA_HOST'] = new URL(server.url).host;
    const call = await open({ project: 'p' });
    expect(tokenOf(await call())).to.equal('Bearer ya29.made-up-1');
    expect(server.grants).to.deep.equal(['metadata']);
  });

  it('GOOGLE_APPLICATION_CREDENTIALS comes before the file of gcloud, and that before the metadata server', async () => {
    process.env['GCE_METADATA_HOST'] = new URL(server.url).host;
    writeFileSync(join(folder.path, 'application_default_credentials.json'), JSON.stringify(authorizedUser(server)));
    await (
      await open({ project: 'p' })
    )();
    writeFileSync(join(folder.path, 'named.json'), JSON.stringify(serviceAccount(server)));
    process.env['GOOGLE_APPLICATION_CREDENTIALS'] = join(folder.path, 'named.json');
    await (
      await open({ project: 'p' })
    )();
    expect(server.grants).to.deep.equal(['refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer']);
  });

  it('the error for credentials of another type names those that can be used', async () => {
    expect((await errorOf(await open(inline({ type: 'impersonated_service_account' })))).message).to.equal(
      'The Google credentials have the type "impersonated_service_account". ' +
        "Use credentials of the type 'service_account', 'authorized_user' or 'external_account'.",
    );
  });

  it('an outage of the token server is no fault of the credentials', async () => {
    server.failure = { status: 503, body: { error: 'unavailable' } };
    expect(await errorOf(await open(inline(serviceAccount(server))))).to.include({
      code: 'upstream_unreachable',
      failure: 'transient',
    });
    await server.stop();
    expect(await errorOf(await open(inline(serviceAccount(server))))).to.include({ code: 'upstream_unreachable' });
  });

  it('credentials that cannot be used are explained', async () => {
    const cases: readonly (readonly [VertexOptions, RegExp])[] = [
      [{ credentials: 'missing.json' }, /cannot be read.*missing\.json.*config\.credentials/],
      [inline({ type: 'gdch_service_account' }), /"gdch_service_account".*'service_account'/],
      [inline({ type: 'service_account', client_email: email }), /private_key/],
      [{ ...inline(authorizedUser(server)), project: '' }, /config\.project/],
    ];
    for (const [options, message] of cases) expect((await errorOf(await open(options))).message).to.match(message);
  });

  it('neither a log nor an error has a secret', async () => {
    server.failure = { status: 401, body: { error: 'unauthorized_client', error_description: 'No.' } };
    const errors = [];
    for (const account of [serviceAccount(server), authorizedUser(server)]) {
      const error = await errorOf(await open({ ...inline(account), project: 'p' }));
      errors.push(error.message, error.stack, JSON.stringify(error), String(error.cause));
    }
    const shown = JSON.stringify([errors, log.lines]);
    expect(log.lines.map(({ level }) => level)).to.contain('warn');
    for (const secret of [refreshToken, 'client-secret-1', privatePem.slice(60, 100), 'assertion'])
      expect(shown).not.to.contain(secret);
  });
});

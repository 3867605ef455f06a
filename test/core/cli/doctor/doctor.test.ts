import { writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAuthority, hasOpenssl } from '../../../support/certificates.ts';
import { startConnectProxy } from '../../../support/connect-proxy.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import type { TestUpstream } from '../../../support/upstream.ts';
import { runHere } from '../run-here.ts';
import { createServedFolder, type ServedFolder } from '../served-folder.ts';
import { BAD, GOOD, startVendors } from './vendors.ts';

interface Credential {
  readonly credential: string;
  readonly status: string;
  readonly check?: string;
  readonly model?: string;
  readonly models?: object;
  readonly limits?: readonly object[];
  readonly reason?: string;
  readonly failure?: {
    readonly code: string;
    readonly class: string;
    readonly message: string;
    readonly advice: string;
  };
}
interface Report {
  readonly ok: boolean;
  readonly providers: readonly { readonly provider: string; readonly credentials: readonly Credential[] }[];
}

describe('koine doctor', () => {
  let vendors: TestUpstream;
  let folder: ServedFolder;
  before(async () => {
    vendors = await startVendors();
    folder = createServedFolder();
  });
  after(async () => {
    folder.remove();
    await vendors.stop();
  });

  const target = (provider: string, model: string) => ({ targets: [{ provider, model }] });
  const run = async (
    providers: object,
    models: object,
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly report: Report; readonly out: string }> => {
    folder.change({ providers, models, aliases: {} });
    const { code, out, err } = await folder.run('doctor', '--format', 'json', ...args);
    expect(err).to.equal('');
    expect(out).not.to.include(GOOD).and.not.include(BAD);
    return { code, out, report: JSON.parse(out) as Report };
  };
  /** The only credential of the only provider. */
  const examine = async (
    provider: object,
    ...args: readonly string[]
  ): Promise<Credential & { code: number | null }> => {
    const { code, report } = await run(
      { tested: provider },
      { 'tested/gpt-4.1': target('tested', 'gpt-4.1') },
      ...args,
    );
    const [credential = { credential: '', status: 'absent' }] = report.providers[0]?.credentials ?? [];
    return { ...credential, code };
  };
  const openAi = (config: object = {}) => ({
    use: 'openai',
    config: { apiKey: GOOD, baseUrl: `${vendors.url}/openai/v1`, ...config },
  });

  it('reports each credential of each provider, with the models of the configuration that it may use', async () => {
    const { code, report } = await run(
      {
        openai: openAi({ apiKeys: [BAD] }),
        anthropic: { use: 'anthropic', config: { apiKey: GOOD, baseUrl: `${vendors.url}/anthropic` } },
        google: { use: 'google', config: { apiKey: GOOD, baseUrl: `${vendors.url}/google` } },
      },
      {
        'openai/gpt-4.1': target('openai', 'gpt-4.1'),
        'openai/gpt-8': target('openai', 'gpt-8'),
        'anthropic/claude-haiku-4-5': target('anthropic', 'claude-haiku-4-5'),
        'google/gemini-9-flash': target('google', 'gemini-9-flash'),
      },
    );
    expect([code, report.ok]).to.deep.equal([1, false]);
    const [openai, anthropic, google] = report.providers;
    expect(openai?.credentials.map(({ credential, status }) => [credential, status])).to.deep.equal([
      ['key-1', 'works'],
      ['key-2', 'failed'],
    ]);
    expect(openai?.credentials[0]?.models).to.deep.equal({
      listed: 6,
      available: ['gpt-4.1'],
      missing: ['gpt-8'],
      ending: [{ name: 'gpt-4.1', ends: '2027-03-31' }],
    });
    expect(openai?.credentials[1]?.failure).to.deep.include({ code: 'upstream_credential', class: 'credential' });
    expect(openai?.credentials[1]?.failure?.message).to.equal('Incorrect API key provided: [redacted].');
    // The list has the version with its date only, on the second page.
    expect(anthropic?.credentials[0]?.models).to.deep.include({ listed: 3, available: ['claude-haiku-4-5'] });
    expect(google?.credentials[0]?.models).to.deep.include({ listed: 2, available: ['gemini-9-flash'] });
  });

  it('reports a bad key by the code of the vendor, whatever its status', async () => {
    const google = { use: 'google', config: { apiKey: BAD, baseUrl: `${vendors.url}/google` } };
    const { code, status, failure } = await examine(google);
    expect([code, status, failure?.class]).to.deep.equal([1, 'failed', 'credential']);
    expect(failure?.advice).to.include('Check that it is complete, active');
  });

  it('masks settings of the provider that a vendor repeats', async () => {
    const config = { baseUrl: `${vendors.url}/echo/v1`, headers: { 'x-team': 'canary team' } };
    const { status, failure } = await examine({ use: 'openai-compatible', config });
    expect([status, failure?.message]).to.deep.equal(['failed', 'Unknown team ***.']);
  });

  it('generates only with --generate, and reports the rate limits of the vendor', async () => {
    vendors.calls.length = 0;
    expect(await examine(openAi())).to.deep.include({ code: 0, status: 'works', check: 'models', limits: [] });
    expect(vendors.calls.map(({ method }) => method)).to.deep.equal(['GET']);
    const generated = await examine(openAi(), '--generate');
    expect(generated).to.deep.include({ code: 0, status: 'works', check: 'generation', model: 'gpt-4.1' });
    expect(generated.limits).to.deep.equal([{ unit: 'requests', limit: 500, remaining: 499 }]);
    expect(generated.models).to.deep.include({ listed: 6 });
    expect(vendors.calls.at(-1)?.body).to.deep.include({ model: 'gpt-4.1', max_completion_tokens: 16 });
  });

  it('a provider without a key is a finding only if it is named', async () => {
    const providers = { openai: openAi({ apiKey: '' }) };
    const { code, report } = await run(providers, {});
    expect([code, report.providers[0]?.credentials[0]?.status]).to.deep.equal([0, 'unset']);
    expect((await run(providers, {}, 'openai')).code).to.equal(1);
  });

  it('the simulator works without a call to a vendor', async () => {
    const { code, status, check } = await examine({ use: 'simulator' });
    expect([code, status, check]).to.deep.equal([0, 'works', 'generation']);
  });

  it('a refused list leaves a credential unchecked, and --generate checks it', async () => {
    for (const [path, status] of [
      ['keyless', 403],
      ['none', 404],
    ] as const) {
      const compatible = { use: 'openai-compatible', config: { baseUrl: `${vendors.url}/${path}/v1`, apiKey: GOOD } };
      const { code, status: found, reason } = await examine(compatible);
      expect([code, found]).to.deep.equal([0, 'unchecked']);
      expect(reason).to.include(`refuses the list of models (${status}). --generate`);
      expect(await examine(compatible, '--generate')).to.deep.include({
        code: 1,
        status: 'failed',
        check: 'generation',
      });
    }
  });

  describe('explains failures of the network', () => {
    const explain = async (provider: object, ...args: readonly string[]): Promise<string> => {
      const { code, status, failure } = await examine(provider, ...args);
      expect([code, status]).to.deep.equal([1, 'failed']);
      return `${failure?.code}: ${failure?.message} ${failure?.advice}`;
    };

    it('explains a name without an address', async () => {
      // The name is reserved and cannot resolve (RFC 2606).
      const text = await explain(openAi({ baseUrl: 'http://vendor.invalid/v1' }));
      expect(text).to.match(/^upstream_unreachable: .*vendor\.invalid.*Check the host/);
    });

    it('explains a port where nothing listens, and names ignored proxy variables', async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      const refused = { baseUrl: `http://127.0.0.1:${port}/v1` };
      expect(await explain(openAi(refused))).to.match(/^upstream_unreachable: .*ECONNREFUSED.*No program listens/);
      const path = createTemporaryFolder();
      const settings = { server: { port: 0 }, providers: { tested: openAi(refused) } };
      writeFileSync(join(path.path, 'gateway.yaml'), JSON.stringify(settings));
      const env = { HTTPS_PROXY: 'http://user:canary-password@127.0.0.1:1' };
      const { out } = await runHere(['doctor'], { cwd: path.path, env });
      expect(out).to.include('HTTPS_PROXY of the environment are ignored').and.not.include('canary-password');
      path.remove();
    });

    it('explains a server that does not respond', async () => {
      const slow = openAi({ baseUrl: `${vendors.url}/slow` });
      expect(await explain(slow, '--timeout', '300ms')).to.match(/^upstream_timeout: .*Try a longer --timeout/);
    });

    it('explains a server without TLS behind https', async () => {
      const plain = openAi({ baseUrl: vendors.url.replace('http:', 'https:') });
      expect(await explain(plain)).to.match(/^upstream_tls: .*does not speak TLS/);
    });

    it('explains a certificate of an unknown authority, and accepts it with tls.ca', async function test() {
      if (!hasOpenssl() && process.env['CI'] !== 'true') this.skip();
      const own = createTemporaryFolder();
      const authority = createAuthority(own.path);
      const server = createTlsServer(authority.issue('localhost'), (_request, response) =>
        response.end(JSON.stringify({ data: [{ id: 'gpt-4.1' }] })),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const provider = openAi({ baseUrl: `https://localhost:${(server.address() as AddressInfo).port}` });
      expect(await explain(provider)).to.match(/^upstream_tls: .*tls\.ca/);
      const tls = { ca: join(own.path, 'ca.pem') };
      expect(await examine({ ...provider, tls })).to.deep.include({ code: 0, status: 'works' });
      await new Promise((resolve) => server.close(resolve));
      own.remove();
    });

    it('explains a proxy that refuses its password, and goes through one that accepts it', async () => {
      const proxy = await startConnectProxy('koine:right-password');
      const through = (password: string) => ({
        ...openAi(),
        proxy: `http://koine:${password}@127.0.0.1:${proxy.port}`,
      });
      expect(await explain(through('wrong-password')))
        .to.match(/The proxy 127\.0\.0\.1:\d+ refused the connection with the status 407/)
        .and.not.include('wrong-password');
      expect(await examine(through('right-password'))).to.deep.include({ code: 0, status: 'works' });
      await proxy.stop();
    });
  });

  it('writes a text for people, in the real program', async () => {
    folder.change({
      providers: { openai: openAi(), other: openAi({ apiKey: BAD }) },
      models: { 'openai/gpt-4.1': target('openai', 'gpt-4.1') },
      aliases: {},
    });
    const { code, out, err } = await folder.runProgram('doctor');
    expect([code, err]).to.deep.equal([1, '']);
    expect(out.replaceAll(/\d+ ms/g, '9 ms')).to.equal(
      [
        'openai',
        '  key-1  works by its list of models (9 ms)',
        '    models: 6 listed; of the configuration 1 available',
        '    the vendor ends gpt-4.1 on 2027-03-31',
        '',
        'other (openai)',
        '  key-1  FAILED (9 ms)',
        '    upstream_credential (status 401): Incorrect API key provided: [redacted].',
        '    The vendor refuses the credential. Check that it is complete, active, and of this vendor.',
        '',
      ].join('\n'),
    );
  });

  it('exits with 2 for an unknown provider, option, format or duration', async () => {
    folder.change({});
    for (const [args, message] of [
      [['simulatr'], 'The configuration has no provider "simulatr", only simulator. Did you mean "simulator"?'],
      [['--fix'], "Unknown option '--fix'"],
      [['--format', 'xml'], '--format must be text or json'],
      [['--timeout', 'soon'], '--timeout must be a duration'],
    ] as const) {
      const { code, err } = await folder.run('doctor', ...args);
      expect(code).to.equal(2);
      expect(err).to.include(message);
    }
  });
});

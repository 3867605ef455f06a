import { expect } from 'chai';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../support/http.ts';
import { until } from '../support/until.ts';
import { MountedPod } from './helm-support/mounted-pod.ts';
import { Rendered } from './helm-support/render.ts';
import { ADMIN_TOKEN, scenarios, type Scenario } from './helm-support/scenarios.ts';
import { requireHelmTools } from './helm-support/tools.ts';
import { bin } from '../support/servers/koine-program.ts';

const variables = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(tmpdir(), 'koine-compile-cache') };

describe('the configurations of the Helm chart', () => {
  before(function () {
    requireHelmTools(this);
  });

  for (const [title, scenario] of Object.entries(scenarios))
    it(`koine check accepts the configuration of: ${title}`, () => {
      const pod = new MountedPod(new Rendered(scenario.values), scenario);
      try {
        const { status, stdout, stderr } = spawnSync(
          process.execPath,
          [bin, 'check', '--config', pod.pathOf('/etc/koine/gateway.yaml')],
          { encoding: 'utf8', env: { ...variables, ...pod.env } },
        );
        expect(status, stdout + stderr).to.equal(0);
        expect(stdout + stderr).to.not.match(/ warning /);
      } finally {
        pod.remove();
      }
    });
});

/** The container of a scenario, with free ports. */
class RunningPod {
  readonly rendered: Rendered;
  readonly pod: MountedPod;
  readonly #child: ChildProcess;
  #stderr = '';

  constructor(scenario: Scenario) {
    this.rendered = new Rendered(scenario.values);
    this.pod = new MountedPod(this.rendered, scenario);
    this.#child = spawn(process.execPath, [bin, ...this.pod.args, '--port', '0', '--admin-port', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...variables, ...this.pod.env },
    });
    this.#child.stderr!.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
  }

  async serves(): Promise<void> {
    await until('the gateway serves', () => {
      if (this.#child.exitCode !== null) throw new Error(this.#stderr);
      return this.url !== undefined;
    });
  }

  get url(): string | undefined {
    return this.#findUrl(/ on http:\/\/\S+:(\d+)/);
  }

  get adminUrl(): string {
    return this.#findUrl(/admin http:\/\/[^\s)]+:(\d+)/) ?? '';
  }

  #findUrl(pattern: RegExp): string | undefined {
    const port = pattern.exec(this.#stderr)?.[1];
    return port === undefined ? undefined : `http://127.0.0.1:${port}`;
  }

  async end(): Promise<void> {
    const exit = once(this.#child, 'exit');
    if (this.#child.exitCode === null && this.#child.kill('SIGKILL')) await exit;
    this.pod.remove();
  }
}

const scrape = (url: string, token: string) =>
  send(url, { method: 'GET', path: '/metrics', headers: { authorization: `Bearer ${token}` } });

describe('a gateway of the Helm chart', () => {
  const scenario: Scenario = {
    values: { adminToken: { existingSecret: 'koine-admin' } },
    secrets: { 'koine-admin': { token: ADMIN_TOKEN } },
  };
  let running: RunningPod;
  before(async function () {
    requireHelmTools(this);
    running = new RunningPod(scenario);
    await running.serves();
  });
  after(() => running?.end());

  it('a gateway answers its probes on the port for clients', async () => {
    const { startupProbe, readinessProbe, livenessProbe } = running.rendered.pod.containers[0];
    for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
      expect([httpGet.port, httpGet.scheme]).to.deep.equal(['clients', 'HTTP']);
      const { status } = await send(running.url!, { method: 'GET', path: httpGet.path, headers: {} });
      expect(status, httpGet.path).to.equal(200);
    }
    expect((await send(running.url!, { method: 'GET', path: '/healthz', headers: {} })).status).to.not.equal(200);
  });

  it('the pod of helm test succeeds with a gateway, and fails without one', async () => {
    const { containers } = running.rendered.get('Pod', '-test').spec as { containers: [{ command: string[] }] };
    const [, ...args] = containers[0].command;
    const url = args.pop()!;
    expect(url).to.equal('http://koine:8787/readyz');
    const test = async (at: string): Promise<number | null> => {
      const child = spawn(process.execPath, [...args, at], { stdio: 'ignore' });
      return ((await once(child, 'exit')) as [number | null])[0];
    };
    expect(await test(`${running.url}/readyz`)).to.equal(0);
    expect(await test(`${running.url}/no-such-path`)).to.equal(1);
    expect(await test('http://127.0.0.1:1/readyz')).to.equal(1);
  });

  it('Prometheus reads the metrics at the path of the ServiceMonitor, with the token of the Secret', async () => {
    const { status, text } = await scrape(running.adminUrl, ADMIN_TOKEN);
    expect(status).to.equal(200);
    expect(text).to.include('koine_requests_in_flight');
    expect((await scrape(running.adminUrl, 'wrong')).status).to.equal(401);
  });

  it('a gateway follows changes of the Secret and of the ConfigMap without a restart', async () => {
    const readConfig = async (token: string): Promise<string> =>
      (
        await send(running.adminUrl, {
          method: 'GET',
          path: '/admin/config',
          headers: { authorization: `Bearer ${token}` },
        })
      ).text;
    const next = `y${ADMIN_TOKEN}`;
    running.pod.write('/run/secrets/koine-admin', { token: next });
    await until('the new token is valid', async () => (await scrape(running.adminUrl, next)).status === 200);
    expect((await scrape(running.adminUrl, ADMIN_TOKEN)).status).to.equal(401);
    expect(await readConfig(next))
      .to.include('simulator/chat')
      .and.not.include('quick');

    const changed = new Rendered({ ...scenario.values, config: { aliases: { quick: 'simulator/chat' } } });
    running.pod.write('/etc/koine', changed.get('ConfigMap').data!);
    await until('the new alias is active', async () => (await readConfig(next)).includes('quick'));
  });
});

import { expect } from 'chai';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { Rendered, renderText, type PodSpec, type Values } from './helm-support/render.ts';
import { ADMIN_TOKEN, scenarios } from './helm-support/scenarios.ts';
import { chart, kubernetesVersions, readRoot, requireHelmTools, runHelm, validate } from './helm-support/tools.ts';

const render = (title: keyof typeof scenarios): Rendered => new Rendered(scenarios[title]!.values);

const kinds = [
  'ConfigMap',
  'Deployment',
  'HorizontalPodAutoscaler',
  'Ingress',
  'NetworkPolicy',
  'PersistentVolumeClaim',
  'Pod',
  'PodDisruptionBudget',
  'PrometheusRule',
  'Service',
  'ServiceAccount',
  'ServiceMonitor',
];

describe('the objects of the Helm chart', () => {
  const folder = createTemporaryFolder();
  const texts = new Map<string, string>();
  before(function () {
    requireHelmTools(this);
    for (const [title, { values }] of Object.entries(scenarios)) {
      const file = join(folder.path, `${title}.yaml`);
      texts.set(file, renderText(values));
      writeFileSync(file, texts.get(file)!);
    }
  });
  after(() => folder.remove());

  it('helm lint --strict finds nothing in the chart', () => {
    const { code, out, err } = runHelm('lint', '--strict', chart);
    expect(code, out + err).to.equal(0);
    expect(out).to.not.match(/\[(?:WARNING|ERROR)\]/);
  });

  for (const version of kubernetesVersions)
    it(`all objects of every kind of installation are valid in Kubernetes ${version}`, () => {
      const findings = validate(version, [...texts.keys()]);
      expect(findings.filter(({ status }) => status !== 'statusValid')).to.deep.equal([]);
      expect(new Set(findings.map(({ filename }) => filename)).size).to.equal(texts.size);
      expect([...new Set(findings.map(({ kind }) => kind))].sort()).to.deep.equal(kinds);
    });

  it('the validation finds a misspelt member of a Deployment and of a ServiceMonitor', () => {
    const file = join(folder.path, 'misspelt.yaml');
    const text = texts.get(join(folder.path, 'everything switched on.yaml'))!;
    writeFileSync(file, text.replace('enableServiceLinks', 'enableServiceLink').replace('interval:', 'intervall:'));
    const invalid = validate(kubernetesVersions[0]!, [file]).filter(({ status }) => status === 'statusInvalid');
    expect(invalid.map(({ kind }) => kind)).to.have.members(['Deployment', 'ServiceMonitor']);
  });

  it('no secret of an installation is in an object', () => {
    const secrets = Object.values(scenarios)
      .flatMap((scenario) => Object.values(scenario.secrets ?? {}))
      .flatMap((secret) => Object.values(secret));
    expect(secrets).to.include(ADMIN_TOKEN);
    for (const text of texts.values())
      for (const secret of secrets.filter(({ length }) => length > 8)) expect(text).to.not.include(secret);
  });

  it('pods have as much time to end as the drain of their configuration needs', () => {
    const periods = Object.keys(scenarios).map((title) => [title, render(title).pod.terminationGracePeriodSeconds]);
    expect(Object.fromEntries(periods)).to.deep.equal({
      'the default values': 5 + 300 + 10,
      'everything switched on': 10 + 150 + 10,
      'several replicas with Redis and Postgres': 10 + 150 + 10,
      'an autoscaler that only reads the CPU': 10 + 150 + 10,
      'a configuration of text, an included file and an existing Secret': 2 + 20 + 10,
      'a network policy that one value switches on': 5 + 300 + 10,
      'a network policy beside Redis and Postgres': 10 + 150 + 10,
      'a network policy beside Sentinels': 10 + 150 + 10,
      'an existing ConfigMap': 40,
    });
  });

  it('pods are only replaced one by one and before the old ones end, except when they share a volume', () => {
    const strategy = (title: string) => render(title).get('Deployment').spec?.['strategy'];
    expect(strategy('several replicas with Redis and Postgres')).to.deep.equal({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
    });
    expect(strategy('the default values')).to.deep.equal({ type: 'Recreate' });
  });

  it('the probes have the paths and figures of the page', () => {
    const { startupProbe, readinessProbe, livenessProbe } = render('the default values').pod.containers[0];
    const page = readRoot('docs/operate/kubernetes.md');
    const figures = Array.from(
      page.matchAll(/^\| `(\w+)Probe` \| `(\S+)`, every (\d+) s, (\w+)/gm),
      ([, ...row]) => row,
    );
    expect(figures).to.deep.equal([
      ['startup', startupProbe.httpGet.path, `${startupProbe.periodSeconds}`, '30'],
      ['readiness', readinessProbe.httpGet.path, `${readinessProbe.periodSeconds}`, 'twice'],
      ['liveness', livenessProbe.httpGet.path, `${livenessProbe.periodSeconds}`, '3'],
    ]);
    expect([startupProbe, readinessProbe, livenessProbe].map(({ failureThreshold }) => failureThreshold)).to.deep.equal(
      [30, 2, 3],
    );
  });

  it('a change of the configuration changes the pods only with restartOnConfigChange', () => {
    const pods = [false, true].map((restartOnConfigChange) =>
      ['5s', '6s'].map(
        (openAfter) =>
          new Rendered({ restartOnConfigChange, config: { stream: { openAfter } } }).get('Deployment').spec?.template,
      ),
    );
    expect(pods[0]![0]).to.deep.equal(pods[0]![1]);
    expect(pods[1]![0]).to.not.deep.equal(pods[1]![1]);
  });

  it('the configuration and the Secrets are mounted as folders, which Kubernetes updates; only the group of the pod reads Secrets', () => {
    const { volumeMounts } = render('everything switched on').pod.containers[0];
    expect(volumeMounts.map(({ mountPath }) => mountPath)).to.include.members([
      '/etc/koine',
      '/run/secrets/koine-admin',
      '/run/secrets/koine/vendor-keys',
    ]);
    const modes = render('everything switched on').pod.volumes.flatMap(({ secret }) => secret?.defaultMode ?? []);
    expect(modes).to.deep.equal([0o440, 0o440]);
    expect(volumeMounts.filter(({ subPath }) => subPath !== undefined)).to.deep.equal([]);
  });

  it('the admin listener has a Service only if it is bound to an address that others can reach', () => {
    expect(render('the default values').find('Service', '-admin')).to.equal(undefined);
    expect(render('several replicas with Redis and Postgres').find('Service', '-admin')).to.not.equal(undefined);
  });

  it('listeners with TLS are probed, tested and scraped by HTTPS', () => {
    const tls = { cert: '/run/secrets/koine/tls/tls.crt', key: '/run/secrets/koine/tls/tls.key' };
    const rendered = new Rendered({
      adminToken: { existingSecret: 'koine-admin' },
      secretFiles: ['tls'],
      serviceMonitor: { enabled: true },
      config: { server: { tls }, admin: { tls } },
    });
    expect(rendered.pod.containers[0].readinessProbe.httpGet.scheme).to.equal('HTTPS');
    expect(JSON.stringify(rendered.get('Pod', '-test').spec)).to.include('"https://koine:8787/readyz"');
    expect(JSON.stringify(rendered.get('ServiceMonitor').spec)).to.include('"scheme":"https"');
  });

  it('containers have no rights that they do not need, and pods no token of the Kubernetes API', () => {
    const rendered = render('the default values');
    const pods = [rendered.pod, rendered.get('Pod', '-test').spec as Values & PodSpec];
    for (const { automountServiceAccountToken, securityContext, containers } of pods) {
      expect(automountServiceAccountToken).to.equal(false);
      expect(securityContext).to.include({ runAsNonRoot: true, runAsUser: 1000 });
      expect(securityContext['seccompProfile']).to.deep.equal({ type: 'RuntimeDefault' });
      expect(containers[0].securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  interface PolicyRule {
    readonly ports?: readonly { readonly port: unknown }[];
    readonly from?: readonly object[];
    readonly to?: readonly object[];
  }
  const policyOf = (title: keyof typeof scenarios): Readonly<Record<'ingress' | 'egress', readonly PolicyRule[]>> =>
    render(title).get('NetworkPolicy').spec as ReturnType<typeof policyOf>;
  const peersOf = (rules: readonly PolicyRule[]): Readonly<Record<string, unknown>> =>
    Object.fromEntries(rules.map(({ ports = [], from, to }) => [ports.map(({ port }) => port).join(), from ?? to]));
  const prometheus = {
    namespaceSelector: {},
    podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } },
  };

  it('networkPolicy.enabled alone admits clients from everywhere, and lets the gateway reach DNS and port 443', () => {
    const { ingress, egress } = policyOf('a network policy that one value switches on');
    expect(peersOf(ingress)).to.deep.equal({ clients: undefined });
    expect(Object.keys(peersOf(egress))).to.deep.equal(['443', '53,53']);
    expect(JSON.stringify(peersOf(egress)['443']))
      .to.include('169.254.0.0/16')
      .and.include('fd00:ec2::/32');
  });

  it('networkPolicy.enabled alone opens the admin port to Prometheus, and the stores that the configuration has', () => {
    const { ingress, egress } = policyOf('a network policy beside Redis and Postgres');
    expect(peersOf(ingress)).to.deep.equal({ clients: undefined, admin: [prometheus] });
    const peers = peersOf(egress);
    expect(Object.keys(peers)).to.have.members(['53,53', '443', '5432', '6379']);
    expect(peers['6379']).to.deep.equal(peers['5432']);
    expect(JSON.stringify(peers['6379'])).to.not.include('0.0.0.0/0');
  });

  it('the network policy opens the ports of Redis and of its Sentinels', () => {
    const peers = peersOf(policyOf('a network policy beside Sentinels').egress);
    expect(Object.keys(peers)).to.have.members(['53,53', '443', '5432', '6379', '26379']);
    expect(peers['26379']).to.deep.equal(peers['6379']);
  });

  it('the validation finds a misspelt member of a network policy', () => {
    const file = join(folder.path, 'misspelt-policy.yaml');
    const text = texts.get(join(folder.path, 'a network policy that one value switches on.yaml'))!;
    writeFileSync(file, text.replace('policyTypes:', 'policyType:'));
    const invalid = validate(kubernetesVersions[0]!, [file]).filter(({ status }) => status === 'statusInvalid');
    expect(invalid.map(({ kind }) => kind)).to.deep.equal(['NetworkPolicy']);
  });

  it('the network policy opens the ports of clients, metrics, DNS, providers and stores, and those that are added', () => {
    const { ingress, egress } = render('everything switched on').get('NetworkPolicy').spec as Readonly<
      Record<'ingress' | 'egress', readonly { readonly ports?: readonly { readonly port: unknown }[] }[]>
    >;
    const portsOf = (rules: typeof ingress) => rules.map(({ ports = [] }) => ports.map(({ port }) => port).join());
    expect(portsOf(ingress)).to.deep.equal(['clients', 'admin', '']);
    expect(portsOf(egress)).to.deep.equal(['53,53', '443', '5432', '6379', '4318']);
  });

  it('a configuration keeps its text, and names that look like numbers stay text', () => {
    const config = '  # Indented.\n  server: { host: 0.0.0.0 }\n  store: { database: "sqlite:/var/lib/koine/a.db" }\n';
    const rendered = new Rendered({ config, adminToken: { existingSecret: '123', key: '0' }, secretFiles: ['456'] });
    expect(rendered.get('ConfigMap').data!['gateway.yaml']).to.equal(config);
    const { volumes } = rendered.pod;
    expect(volumes.find(({ name }) => name === 'admin-token')?.secret?.items?.[0]?.key).to.equal('0');
    expect(volumes.map(({ secret }) => secret?.secretName)).to.include.members(['123', '456']);
  });

  it('the plugin rate-limit knows how many replicas share its limits', () => {
    for (const [title, replicas] of [
      ['several replicas with Redis and Postgres', 3],
      ['everything switched on', 2],
    ] as const)
      expect(render(title).get('ConfigMap').data!['gateway.yaml']).to.include(`replicas: ${replicas}\n`);
    expect(render('the default values').get('ConfigMap').data!['gateway.yaml']).to.not.include('replicas');
  });

  it('an installation prints commands for the next steps, with the names of its objects', () => {
    const { code, out, err } = runHelm('install', 'koine', chart, '--namespace', 'llm', '--dry-run=client');
    expect(code, err).to.equal(0);
    expect(out).to.include('kubectl -n llm rollout status deployment/koine\n');
    expect(out).to.include('kubectl -n llm port-forward deployment/koine 8788\n');
    expect(out).to.not.include('is lost with the pod');
  });

  it('the autoscaler reads a metric that the gateway exports', () => {
    const metrics = JSON.stringify(render('everything switched on').get('HorizontalPodAutoscaler').spec);
    const [, name] = /"metric":\{"name":"(\w+)"/.exec(metrics) ?? [];
    expect(readRoot('docs/reference/metrics.md')).to.include(`| \`${name}\` | gauge |`);
    expect(metrics).to.include('"averageUtilization":70');
  });

  it('the alerts and the dashboard are those of deploy/', () => {
    const dashboard = readRoot('deploy/grafana/dashboards/koine.json');
    const rendered = render('everything switched on');
    expect(rendered.get('PrometheusRule').spec).to.deep.equal(
      parse(readRoot('deploy/prometheus/rules.yml'), { merge: true }),
    );
    expect(JSON.parse(rendered.get('ConfigMap', '-dashboard').data!['koine.json']!)).to.deep.equal(
      JSON.parse(dashboard),
    );
  });

  it('with the address of the pages, each alert has a link to the runbook', () => {
    const values = {
      adminToken: { existingSecret: 'admin' },
      prometheusRule: { enabled: true, pages: 'https://a.b/c' },
    };
    const file = join(folder.path, 'pages.yaml');
    writeFileSync(file, stringify(values));
    const { out } = runHelm('template', 'koine', chart, '--values', file);
    const links = [...out.matchAll(/runbook_url: (\S+)/g)].map(([, link = '']) => link);
    expect(links).to.include('https://a.b/c/docs/operate/runbook.md#koinedown');
    expect(links.length).to.equal(readRoot('deploy/prometheus/rules.yml').match(/runbook: /g)?.length);
    expect(out).to.not.match(/runbook: /);
  });

  it('a package of the chart contains the alerts and the dashboard, and gives the same objects', () => {
    expect(runHelm('package', chart, '--destination', folder.path).code).to.equal(0);
    const file = join(
      folder.path,
      readdirSync(folder.path).find((name) => name.endsWith('.tgz'))!,
    );
    const values = ['--set', 'prometheusRule.enabled=true,grafanaDashboard.enabled=true'];
    const [packaged, folded] = [file, chart].map((from) => runHelm('template', 'koine', from, ...values));
    expect(packaged!.code, packaged!.err).to.equal(0);
    expect(packaged!.out).to.equal(folded!.out).and.to.include('KoineDown');
  });

  it('the chart installs the version of the package', () => {
    const { appVersion } = parse(readRoot('deploy/helm/koine/Chart.yaml')) as { readonly appVersion: string };
    expect(appVersion).to.equal((JSON.parse(readRoot('package.json')) as { readonly version: string }).version);
  });
});

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../tools/release/lockfile.ts';
import { parseDuration } from '../../../core/config/units/duration.ts';
import { composeText, exampleVariables, folder, readComposeFile, usedVariables } from './compose-file.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const values = Object.fromEntries(exampleVariables.map((name) => [name, `value-of-${name}`]));
const { services, networks, volumes } = readComposeFile(values);
const all = Object.entries(services);
const dockerfile = read('Dockerfile');

/** The named volumes and the paths of this project that a service mounts, with the path in the container. */
const mountsOf = (name: string) =>
  (services[name]?.volumes ?? []).map((mount) => {
    const [source = '', target = '', mode] = mount.split(':');
    return { source, target, isReadOnly: mode === 'ro', isNamed: !source.startsWith('.') };
  });

/** Which of the services listens at this address of the networks of compose.yaml. */
const PORTS: Readonly<Record<string, readonly number[]>> = {
  gateway: [8787, 8788],
  postgres: [5432],
  redis: [6379],
  prometheus: [9090],
  grafana: [3000],
};

describe('deploy/compose/compose.yaml', () => {
  it('compose.yaml follows the schema of the Compose Specification', () => {
    // Its formats (duration, ports) are annotations.
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    const validate = ajv.compile(JSON.parse(read('test/deploy/compose/compose-spec.json')) as object);
    validate(parse(composeText, { merge: true }));
    expect(validate.errors ?? []).to.deep.equal([]);
    expect(validate({ services: { gateway: { image: 'koine', dependsOn: [] } } }), 'an unknown member').to.equal(false);
  });

  it('.env.example lists exactly the variables that compose.yaml reads', () => {
    expect([...new Set(usedVariables)].sort()).to.deep.equal([...exampleVariables].sort());
    expect(() => readComposeFile({ ...values, REDIS_PASSWORD: '' })).to.throw('REDIS_PASSWORD is missing');
  });

  it('the gateway gets every variable of its configuration', () => {
    const used = read('deploy/container/gateway.yaml').matchAll(/"[^"]*\$\{(\w+)/g);
    expect(Object.keys(services['gateway']?.environment ?? {}).sort()).to.deep.equal(
      Array.from(used, ([, name]) => name).sort(),
    );
  });

  it('every mounted file exists and is read-only, and every named volume is declared and used', () => {
    const mounts = all.flatMap(([name]) => mountsOf(name));
    const files = mounts.filter(({ isNamed }) => !isNamed);
    expect(files.filter(({ source }) => !existsSync(resolve(folder, source)))).to.deep.equal([]);
    expect(files.filter(({ isReadOnly }) => !isReadOnly)).to.deep.equal([]);
    const named = mounts.filter(({ isNamed }) => isNamed).map(({ source }) => source);
    expect(named.sort()).to.deep.equal(Object.keys(volumes).sort());
  });

  it('the mounts of the gateway are the folders of the image: its configuration and its volume', () => {
    const [config, state] = mountsOf('gateway');
    expect(dockerfile).to.contain(`COPY deploy/container/gateway.yaml ${config?.target}/gateway.yaml\n`);
    expect(existsSync(resolve(folder, config?.source ?? '', 'gateway.yaml'))).to.equal(true);
    expect(dockerfile).to.contain(`VOLUME ${state?.target}\n`);
    expect(resolve(folder, services['gateway']?.build?.context ?? '') + '/').to.equal(root);
  });

  it('each service is hardened, pinned to a version, and published on loopback only', () => {
    for (const [name, service] of all) {
      expect(service, name).to.deep.include({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      if (service.build === undefined) expect(service.image, name).to.match(/:v?\d+\.\d+(?:\.\d+)?(?:-[a-z]+)?$/);
      for (const port of service.ports ?? []) expect(port, name).to.match(/^127\.0\.0\.1:(\d+):\1$/);
      for (const network of service.networks ?? []) expect(networks, name).to.have.property(network);
    }
    expect(services['postgres']?.ports ?? services['redis']?.ports).to.equal(undefined);
  });

  it('each service waits for services that have a health check', () => {
    for (const [name, { depends_on: needed = {} }] of all)
      for (const [other, { condition }] of Object.entries(needed)) {
        expect(condition, name).to.equal('service_healthy');
        const isChecked = services[other]?.healthcheck !== undefined || dockerfile.includes('HEALTHCHECK');
        expect(isChecked, `${name} needs ${other}`).to.equal(true);
      }
  });

  it('every address names a service of compose.yaml and its port', () => {
    const texts = [
      ...all.flatMap(([, { environment }]) => Object.values(environment)),
      read('deploy/compose/prometheus.yml'),
      read('deploy/grafana/provisioning/datasources/prometheus.yaml'),
    ];
    const addresses = texts.flatMap((text) => Array.from(text.matchAll(/[@/"]([a-z][\w-]*):(\d+)\b/g)));
    expect(addresses.map(([, host, port]) => `${host}:${port}`).sort()).to.deep.equal([
      'gateway:8788',
      'postgres:5432',
      'prometheus:9090',
      'redis:6379',
    ]);
    for (const [, host = '', port] of addresses) expect(PORTS[host]).to.include(Number(port));
    for (const [name, { ports = [] }] of all)
      for (const port of ports) expect(PORTS[name], name).to.include(Number(port.split(':').at(-1)));
  });

  it('the gateway is stopped only after its drain', () => {
    const [, delay = '', timeout = ''] = /drain: \{ delay: (\w+), timeout: (\w+) \}/.exec(read('gateway.yaml')) ?? [];
    const drain = parseDuration(delay) + parseDuration(timeout) + 10_000;
    expect(parseDuration(services['gateway']?.stop_grace_period ?? '')).to.equal(drain);
  });

  it('the dashboard asks for the data source that is provisioned', () => {
    const { datasources } = parse(read('deploy/grafana/provisioning/datasources/prometheus.yaml')) as {
      readonly datasources: readonly { readonly uid: string; readonly name: string }[];
    };
    const { templating } = JSON.parse(read('deploy/grafana/dashboards/koine.json')) as {
      readonly templating: { readonly list: readonly { readonly name: string; readonly current: object }[] };
    };
    const { current } = templating.list.find(({ name }) => name === 'DS_PROMETHEUS') ?? {};
    expect(datasources.map(({ uid, name }) => ({ value: uid, text: name }))).to.deep.equal([current]);
    const { providers } = parse(read('deploy/grafana/provisioning/dashboards/koine.yaml')) as {
      readonly providers: readonly { readonly options: { readonly path: string } }[];
    };
    expect(mountsOf('grafana').map(({ target }) => target)).to.include(providers[0]?.options.path ?? '');
  });
});

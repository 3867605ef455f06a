import { expect } from 'chai';
import { runTemplate, type Values } from './helm-support/render.ts';
import { requireHelmTools } from './helm-support/tools.ts';

const POSTGRES = 'postgres://koine:${DB_PASSWORD}@db:5432/koine';

/** Values that the chart refuses, and what its message contains. */
const refused: Readonly<Record<string, readonly [values: Values, ...parts: string[]]>> = {
  'an unknown name': [{ replicas: 2 }, "additional properties 'replicas' not allowed"],
  'an unknown name in a section': [{ image: { name: 'x' } }, "'/image'", "'name' not allowed"],
  'text instead of a number': [{ service: { port: 'http' } }, "'/service/port': got string, want integer"],
  'a port that does not exist': [{ service: { port: 70_000 } }, "'/service/port'", '65,535'],
  'an unknown pull policy': [{ image: { pullPolicy: 'Sometimes' } }, "'/image/pullPolicy'", "'IfNotPresent'"],
  'a digest without its algorithm': [{ image: { digest: 'abc' } }, "'/image/digest'"],
  'a variable without its Secret': [{ secretEnv: [{ name: 'A', key: 'b' }] }, "'/secretEnv/0'", "'secret'"],
  'gateway.yaml among the further files': [
    { configFiles: { 'gateway.yaml': 'a: 1' } },
    'configFiles holds gateway.yaml',
    'config',
  ],
  'a file in a folder of the ConfigMap': [
    { configFiles: { 'a/b.yaml': '' } },
    "'/configFiles'",
    "'a/b.yaml' not allowed",
  ],
  'several replicas with SQLite': [{ replicaCount: 2 }, 'Several replicas cannot share', 'store.database', 'Postgres'],
  'an autoscaler with SQLite': [{ autoscaling: { enabled: true } }, 'Several replicas cannot share'],
  'several replicas without Redis': [
    { replicaCount: 2, config: { store: { database: POSTGRES } } },
    'Several replicas need store.redis',
  ],
  'several replicas with a Redis that can be missing': [
    { replicaCount: 2, config: { store: { database: POSTGRES, redis: '${REDIS_URL:-}' } } },
    'Several replicas need store.redis',
  ],
  'an autoscaler without a metric': [
    {
      config: { store: { database: POSTGRES, redis: '${REDIS_URL}' } },
      autoscaling: { enabled: true, inFlight: { enabled: false }, cpu: { enabled: false } },
    },
    'autoscaling needs a metric',
  ],
  'a claim for several replicas': [
    {
      replicaCount: 2,
      config: { store: { database: POSTGRES, redis: '${REDIS_URL}' } },
      persistence: { existingClaim: 'data' },
    },
    'persistence.existingClaim is for one replica',
  ],
  'a database in a folder that cannot be written': [
    { config: { store: { database: 'sqlite:./data/koine.db' } } },
    'sqlite:./data/koine.db',
    'sqlite:/var/lib/koine/koine.db',
  ],
  'a spool in a folder that cannot be written': [
    { config: `server: { host: 0.0.0.0 }\nstore: { database: "${POSTGRES}" }\nplugins: [{ use: ledger }]` },
    'spool',
    '/var/lib/koine/koine-ledger.spool',
  ],
  'a listener on loopback': [{ config: { server: { host: '127.0.0.1' } } }, 'server.host', '0.0.0.0'],
  'a text without an address': [{ config: 'server: { port: 8787 }' }, 'server.host'],
  'an open admin listener without a token': [
    { config: { admin: { host: '0.0.0.0' } } },
    'there is no admin.token',
    'adminToken.existingSecret',
  ],
  'a port that is a variable': [{ config: { server: { port: '${PORT}' } } }, 'server.port', 'as a number'],
  'a text that is not YAML': [{ config: 'server: {' }, 'gateway.yaml is not a valid YAML object'],
  'a key of a vendor in the configuration': [
    { config: { providers: { openai: { use: 'openai', config: { apiKey: 'sk-1' } } } } },
    'config.providers.openai.config.apiKey holds a secret',
    'secretEnv or secretFiles',
  ],
  'one of several keys in the configuration': [
    { config: { providers: { openai: { use: 'openai', config: { apiKeys: ['${A}', 'sk-1'] } } } } },
    'apiKeys holds a secret',
  ],
  'the key of a client in the configuration': [
    { config: { organizations: { a: { projects: { b: { keys: { c: { key: 'plain' } } } } } } } },
    'keys.c.key holds a secret',
  ],
  'a header with a secret': [
    { config: { plugins: [{ use: 'traces', config: { headers: { authorization: 'Bearer x' } } }] } },
    'headers.authorization holds a secret',
  ],
  'the password of a database in the configuration': [
    { config: { store: { database: 'postgres://koine:pw@db/koine' } } },
    'config.store.database holds a secret',
  ],
  'less time to end than the drain takes': [
    { terminationGracePeriodSeconds: 30 },
    'terminationGracePeriodSeconds is 30',
    '315 s',
  ],
  'a drain that is a variable': [
    { config: { server: { drain: { timeout: '${DRAIN}' } } } },
    'Set terminationGracePeriodSeconds',
  ],
  'an existing ConfigMap without a time to end': [{ existingConfigMap: 'mine' }, 'Set terminationGracePeriodSeconds'],
  'an existing ConfigMap whose changes should restart the pods': [
    { existingConfigMap: 'mine', terminationGracePeriodSeconds: 315, restartOnConfigChange: true },
    'restartOnConfigChange needs config',
  ],
  'a ServiceMonitor without a token': [
    { serviceMonitor: { enabled: true } },
    'serviceMonitor needs adminToken.existingSecret',
  ],
  'a ServiceMonitor for a listener on loopback': [
    {
      serviceMonitor: { enabled: true },
      adminToken: { existingSecret: 'admin' },
      config: { admin: { host: 'localhost' } },
    },
    'admin.host of config to 0.0.0.0',
  ],
  'an Ingress without a host': [{ ingress: { enabled: true } }, 'ingress.hosts is empty'],
};

describe('the values of the Helm chart', () => {
  before(function () {
    requireHelmTools(this);
  });

  for (const [title, [values, ...parts]] of Object.entries(refused))
    it(`the chart refuses ${title}, with what to do`, () => {
      const { code, err } = runTemplate(values);
      expect(code).to.equal(1);
      for (const part of parts) expect(err).to.include(part);
    });
});

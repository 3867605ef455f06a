import { stringify } from 'yaml';
import type { Values } from './render.ts';

export interface Scenario {
  readonly values: Values;
  /** The Secrets of the cluster that the values name. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The content of `existingConfigMap`. */
  readonly configMap?: Readonly<Record<string, string>>;
}

export const ADMIN_TOKEN = 'x7Q2m9Lr4Vt8Kp1Zs6Wd3Hy5Nb0Gc2Fj';

const simulator = {
  providers: { simulator: { use: 'simulator' } },
  models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
};

/** Postgres, Redis and vendors, as several replicas need them. */
const several: Scenario = {
  values: {
    replicaCount: 3,
    config: {
      server: { drain: { delay: '10s', timeout: '2.5m' } },
      store: { database: 'postgres://koine:${DB_PASSWORD}@db:5432/koine', redis: '${REDIS_URL}' },
      providers: {
        simulator: null,
        openai: { use: 'openai', config: { apiKey: '${OPENAI_API_KEY}' } },
        anthropic: { use: 'anthropic', config: { apiKey: '${file:/run/secrets/koine/vendor-keys/anthropic}' } },
      },
      models: {
        'simulator/chat': null,
        'chat/fast': {
          targets: [
            { provider: 'openai', model: 'gpt-4.1-mini' },
            { provider: 'anthropic', model: 'claude-sonnet-4-6' },
          ],
        },
      },
      limits: [{ requests: 600, per: '1m' }],
    },
    adminToken: { existingSecret: 'koine-admin' },
    secretFiles: ['vendor-keys'],
    secretEnv: [
      { name: 'OPENAI_API_KEY', secret: 'vendor-keys', key: 'openai' },
      { name: 'DB_PASSWORD', secret: 'koine-stores', key: 'postgres' },
      { name: 'REDIS_URL', secret: 'koine-stores', key: 'redis' },
    ],
  },
  secrets: {
    'koine-admin': { token: ADMIN_TOKEN },
    'vendor-keys': { openai: 'sk-openai-0123456789abcdef', anthropic: 'sk-ant-0123456789abcdef' },
    'koine-stores': { postgres: 'pw', redis: 'redis://redis:6379' },
  },
};

const everything: Scenario = {
  ...several,
  values: {
    ...several.values,
    image: { digest: `sha256:${'0'.repeat(64)}` },
    imagePullSecrets: [{ name: 'registry' }],
    env: [{ name: 'NODE_OPTIONS', value: '--max-old-space-size=700' }],
    envFrom: [{ secretRef: { name: 'more' } }],
    restartOnConfigChange: true,
    autoscaling: { enabled: true },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' }, tlsConfig: { insecureSkipVerify: true } },
    prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
    grafanaDashboard: { enabled: true, annotations: { 'grafana_folder': 'LLM' } },
    ingress: {
      enabled: true,
      hosts: ['llm.example.com'],
      tls: [{ hosts: ['llm.example.com'], secretName: 'llm-tls' }],
    },
    networkPolicy: {
      enabled: true,
      clients: [{ namespaceSelector: { matchLabels: { team: 'apps' } } }],
      admin: [{ ipBlock: { cidr: '10.1.0.0/16' } }],
      redis: { peers: [{ podSelector: { matchLabels: { app: 'redis' } } }] },
      postgres: { peers: [{ ipBlock: { cidr: '10.0.0.0/8' } }] },
      extraIngress: [{ from: [{ podSelector: {} }] }],
      extraEgress: [{ ports: [{ port: 4318 }] }],
    },
    labels: { team: 'platform' },
    podLabels: { tier: 'edge' },
    podAnnotations: { note: 'x' },
    annotations: { note: 'y' },
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ key: 'edge', operator: 'Exists' }],
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    priorityClassName: 'high',
    volumes: [{ name: 'extensions', configMap: { name: 'extensions' } }],
    volumeMounts: [{ name: 'extensions', mountPath: '/etc/extensions' }],
    initContainers: [{ name: 'wait', image: 'busybox', command: ['true'] }],
    extraContainers: [{ name: 'side', image: 'busybox' }],
    serviceAccount: { annotations: { role: 'x' } },
    service: { type: 'LoadBalancer', annotations: { note: 'z' } },
    adminService: { annotations: { note: 'z' } },
  },
};

/** Installations that have to work, by what they are. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'the default values': { values: {} },
  'everything switched on': everything,
  'several replicas with Redis and Postgres': several,
  'an autoscaler that only reads the CPU': {
    ...several,
    values: { ...several.values, autoscaling: { enabled: true, inFlight: { enabled: false } } },
  },
  'a configuration of text, an included file and an existing Secret': {
    values: {
      config: [
        'include: [models.yaml]',
        'server: { host: 0.0.0.0, port: 9000 }',
        'admin: { host: 0.0.0.0, token: "${file:/run/secrets/koine-admin/token}" }',
        'store: { database: "sqlite:/var/lib/koine/koine.db" }',
        'plugins: [{ use: metrics }, { use: auth }]',
      ].join('\n'),
      configFiles: {
        'models.yaml': stringify({ ...simulator, server: { drain: { delay: '1500ms', timeout: '20s' } } }),
      },
      adminToken: { existingSecret: 'koine-admin', key: 'secret' },
      persistence: { enabled: false },
      serviceMonitor: { enabled: true },
    },
    secrets: { 'koine-admin': { secret: ADMIN_TOKEN } },
  },
  'a network policy that one value switches on': { values: { networkPolicy: { enabled: true } } },
  'a network policy beside Redis and Postgres': {
    ...several,
    values: { ...several.values, networkPolicy: { enabled: true } },
  },
  'a network policy beside Sentinels': {
    ...several,
    values: {
      ...several.values,
      config: {
        ...(several.values['config'] as object),
        store: {
          database: 'postgres://koine:${DB_PASSWORD}@db:5432/koine',
          redis: { sentinel: { hosts: ['redis-sentinel:26379'], name: 'koine' }, password: '${REDIS_URL}' },
        },
      },
      networkPolicy: { enabled: true },
    },
  },
  'an existing ConfigMap': {
    values: { existingConfigMap: 'mine', terminationGracePeriodSeconds: 40, persistence: { existingClaim: 'data' } },
    configMap: {
      'gateway.yaml': stringify({
        server: { host: '0.0.0.0', drain: { delay: '5s', timeout: '25s' } },
        store: { database: 'sqlite:/var/lib/koine/koine.db' },
        ...simulator,
        plugins: [{ use: 'auth' }],
      }),
    },
  },
};

import type { JsonObject } from '../../core/api/index.ts';
import { isObject, omitUndefined, readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import { holdsSecret, isAddress } from '../shared/address.ts';
import { writeSeconds } from '../shared/durations.ts';
import type { Note } from '../shared/notes.ts';
import { addCache, observing } from '../shared/reasons.ts';
import { countOf, numberOf, textOf } from '../shared/read.ts';
import { describeBodies, unlessEmpty } from '../shared/sections.ts';
import type { Variables } from '../shared/variables.ts';
import { plainText } from './plain-text.ts';

/** `server`, from the settings of `client`. */
export const readServer = (client: JsonObject): JsonObject => {
  const limit = countOf(client['max_request_body_size_mb']);
  return limit === undefined ? {} : { server: describeBodies(limit) };
};

/** The plugin `ledger`, which replaces the log store. */
export const readLedger = (source: JsonObject): readonly JsonObject[] => {
  const client = readObject(source['client']);
  const days = countOf(client['log_retention_days']);
  const isOff = client['enable_logging'] === false || readObject(source['logs_store'])['enabled'] === false;
  return isOff ? [] : [{ use: 'ledger', ...(days === undefined ? {} : { config: { retention: `${days}d` } }) }];
};

const builtIn = new Set(['telemetry', 'prometheus', 'logging', 'governance', 'routing']);

const readTraces = (config: JsonObject, at: ConfigPath, variables: Variables, note: Note): readonly JsonObject[] => {
  const url = plainText(config['collector_url']) ?? '';
  if (config['protocol'] === 'grpc' || !(url.startsWith('env.') || isAddress(url))) {
    note(
      at,
      'The plugin traces sends spans by OTLP over HTTP. Add it with an endpoint such as http://…:4318/v1/traces.',
      ['plugins'],
    );
    return [];
  }
  const written = /^https?:\/\/[^/]+\/?$/.test(url) ? `${url.replace(/\/$/, '')}/v1/traces` : url;
  const endpoint = holdsSecret(written)
    ? variables.requiredSecret(written, [...at, 'config', 'collector_url'], 'OTEL_ENDPOINT', note, PLACEHOLDER)
    : variables.value(written, PLACEHOLDER);
  const headers = Object.fromEntries(
    Object.entries({ ...readObject(config['headers']), ...readObject(config['trace_headers']) }).flatMap(
      ([name, value]) => {
        const header = variables.secret(plainText(value), [...at, 'config', 'headers', name], 'OTEL_HEADER', note);
        return header === undefined ? [] : [[name, header] as const];
      },
    ),
  );
  if (config['metrics_enabled'] === true) note([...at, 'config', 'metrics_enabled'], observing);
  const settings = omitUndefined({ endpoint, service: variables.value(config['service_name'], 'bifrost') });
  return [{ use: 'traces', config: { ...settings, ...unlessEmpty('headers', headers) } }];
};

const PLACEHOLDER = 'http://127.0.0.1:4318/v1/traces';

/** The plugins that come first. Others get a note. */
export function readPlugins(source: JsonObject, variables: Variables, note: Note): readonly JsonObject[] {
  return readList(source['plugins']).flatMap((written, index): readonly JsonObject[] => {
    const plugin = readObject(written);
    const at: ConfigPath = ['plugins', index];
    const name = textOf(plugin['name']) ?? '';
    if (plugin['enabled'] === false || builtIn.has(name)) return [];
    if (name === 'otel') return readTraces(readObject(plugin['config']), at, variables, note);
    note(
      at,
      /^semantic_?cache$/.test(name)
        ? addCache
        : ['maxim', 'datadog'].includes(name)
          ? observing
          : `The plugin "${name}" is not imported. ` +
            'Plugins are modules of TypeScript or JavaScript here (plugins/README.md).',
      ['plugins'],
    );
    return [];
  });
}

/** The largest number of retries on the same target. */
const MAX_RETRIES = 5;
const TO: ConfigPath = ['plugins'];

const longest = (values: readonly unknown[]): number | undefined => {
  const given = values.flatMap((value) => numberOf(value) ?? []).filter((value) => value > 0);
  return given.length === 0 ? undefined : Math.max(...given);
};

/** Milliseconds. The defaults of `backoff` apply to what is not given, and the cap is not below the base. */
const writeBackoff = (base: number | undefined, cap: number | undefined): JsonObject => {
  const first = base ?? Math.min(250, cap ?? 250);
  return { base: writeSeconds(first / 1000), cap: writeSeconds(Math.max(first, cap ?? 5000) / 1000) };
};

/** The `config` of the plugin `failover`, from the `network_config` of the providers. */
export function readFailover(source: JsonObject, note: Note): JsonObject {
  const networks = Object.entries(readObject(source['providers'])).flatMap(([name, provider]) => {
    const section = readObject(provider)['network_config'];
    return isObject(section) ? [{ section, at: ['providers', name, 'network_config'] as ConfigPath }] : [];
  });
  const tries = networks.flatMap(({ section, at }) => {
    const count = numberOf(section['max_retries']);
    return count === undefined || count < 0 ? [] : [{ count, at: [...at, 'max_retries'] }];
  });
  const [first] = tries;
  const most = Math.max(0, ...tries.map(({ count }) => count));
  if (first !== undefined && tries.some(({ count }) => count !== most))
    note(first.at, 'retries of the plugin failover applies to all providers, so it is the largest of them.', TO);
  if (first !== undefined && most > MAX_RETRIES)
    note(
      first.at,
      `retries is limited to ${MAX_RETRIES}: ` +
        'it counts retries on the same target, and other targets are tried as well.',
      TO,
    );
  const [base, cap] = ['retry_backoff_initial', 'retry_backoff_max'].map((name) =>
    longest(networks.flatMap(({ section }) => [section[name], section[`${name}_ms`]])),
  );
  return {
    ...(first === undefined ? {} : { retries: Math.min(Math.round(most), MAX_RETRIES) }),
    ...(base === undefined && cap === undefined ? {} : { backoff: writeBackoff(base, cap) }),
  };
}

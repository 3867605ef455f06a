import cluster, { type Worker } from 'node:cluster';
import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { redactKeys } from '../canonical/text/redact.ts';
import { loadConfig, type LoadedConfig } from '../config/load.ts';
import { unpackConfig } from '../config/pack.ts';
import { ConfigError, formatProblem } from '../config/problem.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { startGateway, startPrimary, startWorker, type Gateway } from '../gateway.ts';
import { handleSignals, type Signals } from '../server/shutdown/signals.ts';
import { FileWatch } from '../server/reload/watch-files.ts';
import { runWorker } from '../server/worker/worker.ts';
import type { ReloadTrigger } from '../server/reload/reload-report.ts';
import { systemClock } from '../services/clock.ts';
import { createLog, type LogOutput } from '../services/log/log.ts';

export interface ServeOptions {
  readonly config: string;
  readonly port?: number;
  readonly adminPort?: number;
}

/** The ports of the command line hold, also over those of a file that is read anew. */
const withPorts = (loaded: LoadedConfig, { port, adminPort }: ServeOptions): LoadedConfig => {
  const { server, admin } = loaded.config;
  const config = {
    ...loaded.config,
    server: { ...server, port: port ?? server.port },
    admin: { ...admin, port: adminPort ?? admin.port },
  };
  const overruled = omitUndefined({
    server: port === undefined ? undefined : { port: server.port },
    admin: adminPort === undefined ? undefined : { port: admin.port },
  });
  return { ...loaded, config, overruled };
};

const describeFirstKey = (secret: string, { config }: LoadedConfig, url: string): string => {
  const model = Object.keys(config.models)[0] ?? 'provider/model';
  return [
    '',
    'This gateway had no key, so it made one. It is shown this once; only its hash is kept:',
    '',
    `  ${secret}`,
    '',
    'Put it into the variable KOINE_KEY, and try it:',
    '',
    `  curl ${url}/v1/chat/completions -H "authorization: Bearer $KOINE_KEY" -H 'content-type: application/json' \\`,
    `    -d '{"model":"${model}","messages":[{"role":"user","content":"Hello"}]}'`,
    '',
    '',
  ].join('\n');
};

const announce = (gateway: Gateway, loaded: LoadedConfig): void => {
  const { data, admin, firstKey } = gateway;
  console.error(`koine serves ${loaded.file} on ${data.url} (admin ${admin.url})`);
  if (firstKey !== undefined) console.error(describeFirstKey(firstKey.secret, loaded, data.url));
};

/** Has signals and changes of its files reload the gateway. */
const followConfig = ({ reloads }: Gateway, log: LogOutput): ((trigger: ReloadTrigger) => void) => {
  const reload = (trigger: ReloadTrigger): void =>
    void reloads.request(trigger).then(follow, (error: unknown) => log.warn({ trigger, error }, 'no reload'));
  const watch = new FileWatch(() => reload('file'));
  const follow = (): void => watch.follow(reloads.live.config.server.watch ? reloads.files : []);
  follow();
  return reload;
};

/** Logs each extension that is not built in, once for each state of its files. */
const createTrustNotice = (log: LogOutput): ((loaded: LoadedConfig) => void) => {
  const seen = new Set<string>();
  return ({ extensions: { plugins, providers } }) => {
    for (const { kind, use, source, integrity, isPinned } of [...plugins, ...Object.values(providers)]) {
      if (source === 'built-in' || seen.has(`${source} ${integrity}`)) continue;
      seen.add(`${source} ${integrity}`);
      log.info(
        { kind, use, file: source, integrity, isPinned },
        'an extension was loaded that is not built in: it runs with full trust',
      );
    }
  };
};

/** The whole gateway, or the primary process of its workers. */
const startFirst = async (
  options: ServeOptions,
  builtIns: BuiltIns,
  log: LogOutput,
  signals: Signals,
): Promise<never> => {
  const noticeTrust = createTrustNotice(log);
  const load = async (): Promise<LoadedConfig> => {
    const read = await loadConfig(options.config, builtIns, process.env);
    noticeTrust(read);
    return withPorts(read, options);
  };
  const loaded = await load();
  for (const warning of loaded.warnings) console.error(formatProblem(warning));
  if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    log.warn({}, 'NODE_TLS_REJECT_UNAUTHORIZED=0: the certificates of providers are not checked');
  const start = loaded.config.server.workers === 1 ? startGateway : startPrimary;
  const gateway = await start(loaded, { log, clock: systemClock, load });
  announce(gateway, loaded);
  const reload = followConfig(gateway, log);
  signals.attach({ drain: gateway.drain, cut: gateway.cut, reload: () => reload('signal') });
  return gateway.failed;
};

/** One of its workers. */
const startAnother = (worker: Worker, options: ServeOptions, builtIns: BuiltIns, log: LogOutput): Promise<never> =>
  runWorker(worker, log, async ({ port, generation, config, link }) => {
    const unpack = async (packed: string): Promise<LoadedConfig> =>
      withPorts(await unpackConfig(packed, builtIns), { ...options, port });
    return startWorker(await unpack(config), generation, { log, clock: systemClock, unpack, link });
  });

/** Everything is closed: what a library has still scheduled, as one that tries a dead collector again, does not keep the process. */
const end = (code: number): never => process.exit(code);

/** Runs the gateway until a signal ends it. Exit code 0 after a graceful stop, 1 when it cannot start, cannot go on or is cut. */
export async function serve(options: ServeOptions, builtIns: BuiltIns): Promise<number> {
  const log = createLog();
  if (cluster.worker !== undefined)
    return startAnother(cluster.worker, options, builtIns, log.child({ worker: cluster.worker.id }));
  const signals = handleSignals(log);
  try {
    return await Promise.race([startFirst(options, builtIns, log, signals), signals.exit.then(end)]);
  } catch (thrown) {
    if (thrown instanceof ConfigError) for (const problem of thrown.problems) console.error(formatProblem(problem));
    else if (GatewayError.is(thrown)) console.error(`${thrown.code}: ${redactKeys(thrown.message)}`);
    else throw thrown;
    return 1;
  } finally {
    log.finish();
  }
}

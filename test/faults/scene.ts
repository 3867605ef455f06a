import { fileURLToPath } from 'node:url';
import { callOf } from '../support/calls.ts';
import { startTestGateway } from '../support/gateway.ts';
import { send, type HttpReply } from '../support/http.ts';
import type { Wire } from '../matrix/wires.ts';
import { isAlive, startKoine, type KoineProcess } from '../processes/koine-process.ts';
import { holdLedger } from './checks/ledger.ts';
import { settingsAt } from './models.ts';
import { authorityFile, trustAuthority, type Security } from './upstream/certificates.ts';
import { startFaultUpstream, type FaultUpstream } from './upstream/fault-upstream.ts';

/** A line of the log: its text and its fields. */
export interface Said {
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The fault upstream and a gateway in front of it. */
export interface FaultScene {
  readonly url: string;
  readonly adminUrl: string;
  readonly upstream: FaultUpstream;
  /** Set if they are separate processes. */
  readonly processes?: KoineProcess;
  /** The responses that clients of this scene got, and failed requests. */
  readonly replies: (HttpReply | Error)[];
  said(): readonly Said[];
  /** What the processes wrote outside the log: warnings and uncaught errors. */
  complaints(): readonly string[];
  isAlive(): boolean;
  /** The smallest call of a client, with a word that selects a script of the upstream. */
  call(client: Wire, model: string, stream: boolean, word?: string): Promise<HttpReply>;
  stop(): Promise<void>;
}

export interface SceneSettings {
  readonly security?: Security;
  /** Real processes; absent: a gateway in this one. */
  readonly workers?: number;
  readonly settings?: (upstreamUrl: string) => Readonly<Record<string, unknown>>;
}

const spy = fileURLToPath(new URL('./spy/index.ts', import.meta.url));
export const plugins = [{ use: 'metrics' }, { use: 'auth' }, { use: 'ledger' }, { use: spy }];

type Running = Pick<FaultScene, 'url' | 'adminUrl' | 'said' | 'processes' | 'complaints' | 'isAlive' | 'stop'>;

const watchProcess = (): { readonly complaints: readonly string[]; stop(): void } => {
  const complaints: string[] = [];
  const keep = (thrown: unknown): void => void complaints.push(String(thrown));
  process.on('warning', keep).on('unhandledRejection', keep);
  return { complaints, stop: () => void process.off('warning', keep).off('unhandledRejection', keep) };
};

const startHere = async (settings: Readonly<Record<string, unknown>>): Promise<Running> => {
  const watch = watchProcess();
  const distrust = trustAuthority();
  const gateway = await startTestGateway(settings);
  return {
    url: gateway.url,
    adminUrl: gateway.gateway.admin.url,
    said: () => gateway.lines,
    complaints: () => watch.complaints,
    isAlive: () => true,
    stop: async () => {
      await gateway.stop();
      distrust();
      watch.stop();
    },
  };
};

const startProcesses = async (settings: Readonly<Record<string, unknown>>, workers: number): Promise<Running> => {
  const koine = await startKoine(
    { ...settings, server: { readOn: { time: '500ms' }, ...(settings['server'] as object | undefined), workers } },
    { NODE_EXTRA_CA_CERTS: authorityFile },
  );
  return {
    url: koine.url,
    adminUrl: koine.adminUrl,
    processes: koine,
    said: () => koine.lines().map((fields) => ({ text: String(fields['message']), fields })),
    complaints: () =>
      koine
        .stderr()
        .split('\n')
        .filter((line) => /warning|unhandled|uncaught|\bat .*:\d+:\d+/i.test(line)),
    isAlive: () => isAlive(koine.pid) && koine.workers().length === workers,
    stop: koine.end,
  };
};

export const startFaultScene = async ({
  security = 'none',
  workers,
  settings = settingsAt,
}: SceneSettings = {}): Promise<FaultScene> => {
  const upstream = await startFaultUpstream(security);
  const whole: Readonly<Record<string, unknown>> & { readonly plugins: readonly { readonly use: string }[] } = {
    plugins,
    ...settings(upstream.url),
  };
  const running = await (workers === undefined ? startHere(whole) : startProcesses(whole, workers)).catch(
    async (thrown: unknown) => {
      await upstream.stop();
      throw thrown;
    },
  );
  const replies: (HttpReply | Error)[] = [];
  return {
    ...running,
    upstream,
    replies,
    call: async (client, model, stream, word = '') => {
      const { path, body } = callOf(client, model, { stream });
      try {
        const reply = await send(running.url, { path, body: body.replace('Hello', `Hello ${word}`) });
        replies.push(reply);
        return reply;
      } catch (thrown) {
        replies.push(thrown as Error);
        throw thrown;
      }
    },
    stop: async () => {
      try {
        if (whole.plugins.some(({ use }) => use === 'ledger')) await holdLedger(running.adminUrl, running.said());
      } finally {
        await running.stop();
        await upstream.stop();
      }
    },
  };
};

/** Every test runs over plain connections and over TLS. */
export const overBoth = (title: string, body: (security: 'none' | 'good') => void): void => {
  for (const [security, name] of [
    ['none', 'http'],
    ['good', 'TLS'],
  ] as const)
    describe(`${title}, over ${name}`, () => body(security));
};

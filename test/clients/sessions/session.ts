import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../tools/release/lockfile.ts';
import { targets } from '../../agents/agent-scene.ts';
import { idOf, settingsAt } from '../../matrix/catalog.ts';
import { wires, type Json, type Wire } from '../../matrix/wires.ts';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { KEY } from '../../support/gateway.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { createHostRecorder } from '../record-hosts.ts';
import type { Agent, AgentSession, TurnName } from './agent.ts';
import { markOf } from './conversation.ts';
import { doneOf, files, PICTURE } from './script.ts';
import { startScriptedVendor, type ScriptedVendor } from './vendor.ts';

/** One agent over one upstream, and what the vendor received. */
export interface Scene extends RunningAgent {
  readonly vendor: ScriptedVendor;
  readonly wire: Wire;
  readonly otherWire: Wire;
}

/** The names that the shipped configuration has for agents. */
export const shippedNames = (): readonly string[] => {
  const { aliases } = parse(readFileSync(join(root, 'gateway.yaml'), 'utf8')) as { readonly aliases: object };
  return Object.keys(aliases);
};

/** Where an agent is started. */
export interface Place {
  /** Its home folder. */
  readonly home: string;
  /** The folders of the programs. */
  readonly path: string;
  readonly work: string;
}

/** An agent in front of a gateway. */
export interface RunningAgent {
  readonly session: AgentSession;
  readonly koine: KoineProcess;
  stop(): Promise<void>;
}

/** Starts a gateway, and the agent with its defaults, behind a proxy that refuses everything but loopback. */
export async function startAgent(agent: Agent, { home, path, work }: Place, settings: Json): Promise<RunningAgent> {
  const recorder = await createHostRecorder();
  const koine = await startKoine({
    ...settings,
    plugins: [{ use: 'auth' }],
    server: { workers: 1, readOn: { time: '200ms' } },
  });
  const env = {
    HTTP_PROXY: recorder.url,
    HTTPS_PROXY: recorder.url,
    https_proxy: recorder.url,
    npm_config_fetch_retries: '0',
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
    PATH: path,
    HOME: home,
    TERM: 'dumb',
  };
  const stopRest = async (): Promise<void> => {
    await koine.end();
    recorder.close();
  };
  const session = await agent.start({ url: koine.url, key: KEY, home, work, env }).catch(async (error: unknown) => {
    await stopRest();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await session.end();
    await stopRest();
  };
  return { session, koine, stop };
}

/** The requests that were refused, without those whose client has left. */
export const listRefused = (koine: KoineProcess): readonly string[] =>
  koine
    .lines()
    .filter(({ message, status }) => message === 'exchange' && Number(status) >= 400 && status !== 499)
    .map(({ model_requested: model, status }) => `${String(model)}: ${String(status)}`);

/** A folder with the files of the script. */
export const createWorkFolder = (): ReturnType<typeof createTemporaryFolder> => {
  const folder = createTemporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  return folder;
};

export async function startScene(agent: Agent, wire: Wire, place: Omit<Place, 'work'>): Promise<Scene> {
  const folder = createWorkFolder();
  const vendor = await startScriptedVendor(agent.tools, folder.path);
  const otherWire = wires[(wires.indexOf(wire) + 1) % wires.length]!;
  const names = shippedNames().map((name) => {
    const to = name === agent.otherModel ? otherWire : wire;
    return [name, idOf(to, targets[to])];
  });
  const settings = { ...settingsAt(vendor.url, [targets]), aliases: Object.fromEntries(names) };
  const stopRest = async (): Promise<void> => {
    await vendor.stop();
    folder.remove();
  };
  const running = await startAgent(agent, { ...place, work: folder.path }, settings).catch(async (error: unknown) => {
    await stopRest();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await running.stop();
    await stopRest();
  };
  return { ...running, vendor, wire, otherWire, stop };
}

const ask = async (
  { session, vendor }: Scene,
  turn: string,
  { picture, wanted = doneOf(turn) }: { readonly picture?: string; readonly wanted?: string | RegExp } = {},
): Promise<void> => {
  const faults = vendor.faults.length;
  const output = await session.prompt(`${markOf(turn)} Please.`, picture);
  if (vendor.faults.length > faults) throw new Error(`refused: ${vendor.faults.slice(faults).join('; ')}`);
  if (output.search(wanted) < 0) throw new Error(`the agent printed ${output.slice(-2_500)}`);
};

const turnsOf = ({ vendor }: Scene, turn: string) => vendor.received.filter((each) => each.turn === turn);

const runs: Readonly<Record<TurnName, (scene: Scene, agent: Agent) => Promise<void>>> = {
  plain: (scene) => ask(scene, 'plain'),
  parallel: (scene) => ask(scene, 'parallel'),
  error: (scene) => ask(scene, 'error'),
  image: (scene) => ask(scene, 'image', { picture: PICTURE }),
  cut: (scene, agent) => ask(scene, 'cut', { wanted: agent.whenCut }),
  delegate: (scene) => ask(scene, 'delegate'),
  found: (scene) => ask(scene, 'found'),
  switched: async (scene, agent) => {
    await scene.session.setModel(agent.otherModel);
    await ask(scene, 'switched');
    const used = turnsOf(scene, 'switched').at(-1)?.wire;
    if (used !== scene.otherWire) throw new Error(`the model of ${String(used)} was called`);
    await scene.session.setModel(agent.model);
    await ask(scene, 'back');
  },
  interrupted: async (scene) => {
    const { session, vendor } = scene;
    const cuts = vendor.cuts();
    const ended = session.prompt(`${markOf('endless')} Please.`);
    await until('the endless turn has begun', () => vendor.received.some(({ answer }) => answer.isEndless));
    await session.interrupt();
    await ended;
    await until('the upstream call is cut', () => vendor.cuts() > cuts);
    await ask(scene, 'resumed');
  },
  compacted: async (scene) => {
    await scene.session.compact();
    await ask(scene, 'after');
  },
  counted: async ({ session, koine }) => {
    const counted = (): number => koine.lines().filter(({ operation }) => operation === 'count-tokens').length;
    const before = counted();
    await session.count();
    await until('a count is logged', () => counted() > before);
  },
};

export const runTurn = (scene: Scene, agent: Agent, turn: TurnName): Promise<void> => runs[turn](scene, agent);

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../release/lockfile.ts';
import { targets } from '../../agents/agent-scene.ts';
import { idOf, settingsAt } from '../../matrix/catalog.ts';
import { wires, type Wire } from '../../matrix/wires.ts';
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
export interface Scene {
  readonly session: AgentSession;
  readonly vendor: ScriptedVendor;
  readonly koine: KoineProcess;
  readonly wire: Wire;
  readonly otherWire: Wire;
  stop(): Promise<void>;
}

/** The names that the shipped configuration has for agents. */
const shippedNames = (): readonly string[] => {
  const { aliases } = parse(readFileSync(join(root, 'gateway.yaml'), 'utf8')) as { readonly aliases: object };
  return Object.keys(aliases);
};

/** @param home the home folder of the agent @param path the folders of the programs */
export async function startScene(agent: Agent, wire: Wire, home: string, path: string): Promise<Scene> {
  const folder = createTemporaryFolder();
  const work = folder.path;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
  const vendor = await startScriptedVendor(agent.tools, work);
  const recorder = await createHostRecorder();
  const otherWire = wires[(wires.indexOf(wire) + 1) % wires.length]!;
  const names = shippedNames().map((name) => {
    const to = name === agent.otherModel ? otherWire : wire;
    return [name, idOf(to, targets[to])];
  });
  const koine = await startKoine({
    ...settingsAt(vendor.url, [targets]),
    aliases: Object.fromEntries(names),
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
    await vendor.stop();
    recorder.close();
    folder.remove();
  };
  const session = await agent.start({ url: koine.url, key: KEY, home, work, env }).catch(async (error: unknown) => {
    await stopRest();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await session.end();
    await stopRest();
  };
  return { session, vendor, koine, wire, otherWire, stop };
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

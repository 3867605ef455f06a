import { expect } from 'chai';
import { definePlugin, type Outcome, type PluginDefinition } from '../../../core/api/index.ts';
import { parseMetrics, sumOf } from '../../support/parse-metrics.ts';
import { until } from '../../support/until.ts';
import { builtIns } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { startScene, type Scene } from '../../support/scene.ts';

export type Labels = Readonly<Record<string, string>>;

/** A scene with a plugin that only observes admissions and their outcomes. */
export interface WatchedScene extends Scene {
  /** By the id of the exchange. */
  readonly outcomes: ReadonlyMap<string, readonly Outcome[]>;
  /** The sum of a metric over these labels. */
  figure(name: string, labels?: Labels): Promise<number>;
  /**
   * Waits until nothing is open, and checks what holds after every fault.
   * @param refused requests that were refused before they were admitted
   */
  check(): Promise<void>;
}

const createWitness = (outcomes: Map<string, Outcome[]>): PluginDefinition =>
  definePlugin({
    kind: 'plugin',
    apiVersion: 1,
    name: 'witness',
    schema: { type: 'object' },
    create: () => ({
      admit: ({ id }) => {
        const settled: Outcome[] = [];
        outcomes.set(id, settled);
        return { settle: (outcome) => void settled.push(outcome) };
      },
    }),
  });

export interface WatchedSettings {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Plugins between the witness and auth, each with its settings. */
  readonly plugins?: readonly { readonly definition: PluginDefinition; readonly settings?: object }[];
}

export const startWatched = async ({ settings = {}, plugins = [] }: WatchedSettings = {}): Promise<WatchedScene> => {
  const outcomes = new Map<string, Outcome[]>();
  const extensions = {
    ...builtIns,
    plugin: {
      ...builtIns.plugin,
      witness: createWitness(outcomes),
      ...Object.fromEntries(plugins.map(({ definition }) => [definition.name, definition])),
    },
  };
  const used = plugins.map(({ definition, settings: own }) => ({ use: definition.name, ...own }));
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  const scene = await startScene(
    { ...settings, plugins: [{ use: 'metrics' }, { use: 'witness' }, ...used, { use: 'auth' }] },
    extensions,
  );
  const { gateway } = scene;

  const figure: WatchedScene['figure'] = async (name, labels = {}) => {
    const { text } = await send(gateway.gateway.admin.url, { method: 'GET', path: '/metrics', headers: {} });
    return sumOf(parseMetrics(text), name, labels);
  };
  const linesOf = (id: string): number => gateway.exchanges().filter(({ request_id }) => request_id === id).length;
  return {
    ...scene,
    outcomes,
    figure,
    check: async () => {
      await until('every exchange is settled', () =>
        [...outcomes].every(([id, settled]) => settled.length > 0 && linesOf(id) > 0),
      );
      for (const [id, settled] of outcomes) {
        expect(settled, `settlements of ${id}`).to.have.length(1);
        expect(linesOf(id), `lines of ${id}`).to.equal(1);
      }
      expect(await figure('koine_requests_in_flight'), 'in flight').to.equal(0);
      expect(rejections, 'unhandled rejections').to.deep.equal([]);
      expect(Object.keys(Object.prototype)).to.deep.equal([]);
    },
    stop: async (expected) => {
      process.off('unhandledRejection', note);
      await scene.stop(expected);
    },
  };
};

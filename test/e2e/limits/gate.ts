import {
  definePlugin,
  GatewayError,
  type Admission,
  type ErrorDetails,
  type Exchange,
  type LimitFigures,
  type PluginDefinition,
} from '../../../core/api/index.ts';
import { builtIns } from '../../support/gateway.ts';
import { everyWire, sceneModels, startScene, type Scene } from '../../support/scene.ts';

/** Stands where a limiter would, and does what a test says. */
export interface Gate {
  /** The limits reported to the next exchanges, or what refuses them. */
  admit: (exchange: Exchange) => Admission;
  /** What refuses callers before anything else is known of them. */
  refuse: GatewayError | undefined;
}

const figure = { limit: 60, remaining: 59, resetMs: 1_000, resetAt: Date.UTC(2026, 10, 21, 6, 0, 1) };
export const figures: LimitFigures = { requests: figure, tokens: { ...figure, limit: 9_000, remaining: 8_000 } };
const spent: LimitFigures = { requests: { ...figure, remaining: 0 } };

/** The 429 of a limit. */
export const createLimitError = (details: ErrorDetails = {}): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'Rate limit exceeded: 60 requests per 1m of the key alice; try again in 7s.',
    { retryAfterMs: 6_500, limits: spent, headers: { 'x-koine-limit': 'key;requests;1m' }, ...details },
  );

/** A gateway with such a gate, and a simulator that every route may name. */
export const startGate = async (): Promise<{ readonly scene: Scene; readonly gate: Gate }> => {
  const gate: Gate = { admit: () => ({ limits: figures }), refuse: undefined };
  const plugin: PluginDefinition = definePlugin({
    kind: 'plugin',
    apiVersion: 1,
    name: 'gate',
    schema: { type: 'object' },
    create: () => ({
      identify: () => {
        if (gate.refuse !== undefined) throw gate.refuse;
        return undefined;
      },
      admit: (exchange) => gate.admit(exchange),
    }),
  });
  const models = {
    ...sceneModels,
    'simulator/chat': {
      wires: [...everyWire, 'embeddings', 'embed-content'],
      targets: [{ provider: 'simulator', model: 'chat' }],
    },
  };
  const scene = await startScene(
    { models, plugins: [{ use: 'gate' }, { use: 'auth' }] },
    { ...builtIns, plugin: { ...builtIns.plugin, gate: plugin } },
  );
  return { scene, gate };
};

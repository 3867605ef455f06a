import { createInteractionsVendor } from '../../../test/e2e/stored/interactions-vendor.ts';
import { createKeepingVendor } from '../../../test/e2e/stored/keeping-vendor.ts';
import { greet } from '../../../test/support/calls.ts';
import { CHAT, entryOf, RESPONSES } from '../../../test/support/scene.ts';
import type { TestUpstream } from '../../../test/support/upstream.ts';

const GEMINI = 'google/gemini-3.5-flash';

/** Responses that a client uses again by their ids. */
export interface StoredWire {
  /** The path that creates them. Ids are below it. */
  readonly path: string;
  readonly model: string;
  /** The member that continues an earlier one. */
  readonly previous: string;
  /** What can be done with one, as methods and ends of the path. */
  readonly calls: readonly (readonly [method: string, suffix: string])[];
  /** The vendor continues them in the background. */
  readonly hasBackground: boolean;
}

const usual = [
  ['GET', ''],
  ['POST', '/cancel'],
  ['DELETE', ''],
] as const;

export const storedWires: readonly StoredWire[] = [
  {
    path: '/v1/responses',
    model: RESPONSES,
    previous: 'previous_response_id',
    calls: [...usual, ['GET', '/input_items']],
    hasBackground: true,
  },
  {
    path: '/v1beta/interactions',
    model: GEMINI,
    previous: 'previous_interaction_id',
    calls: usual,
    hasBackground: true,
  },
  // Translated: the gateway itself keeps their steps.
  { path: '/v1/interactions', model: CHAT, previous: 'previous_interaction_id', calls: usual, hasBackground: false },
];

/** The models of the wires, and the providers that reach their vendors at this address. */
export const vendorSettings = (url: string, apiKey: string): object => ({
  providers: {
    openai: { use: 'openai', config: { apiKey, baseUrl: `${url}/v1` } },
    google: { use: 'google', config: { apiKey, baseUrl: url } },
  },
  models: {
    [RESPONSES]: entryOf(RESPONSES, 'responses'),
    [CHAT]: { ...entryOf(CHAT, 'chat'), wires: ['interactions'] },
    [GEMINI]: { targets: [{ provider: 'google', model: 'gemini-3.5-flash', wire: 'interactions' }] },
  },
});

/** The vendors of all wires. */
export interface StoringVendors {
  readonly answer: TestUpstream['answer'];
  /** Ends what runs in the background under this id. */
  end(id: string): void;
}

export const createVendors = (): StoringVendors => {
  const [responses, interactions] = [createKeepingVendor(), createInteractionsVendor()];
  return {
    answer: (response, call) => {
      if (call.path.startsWith('/v1/responses')) return responses.answer(response, call);
      if (call.path.startsWith('/v1beta/interactions')) return interactions.answer(response, call);
      return greet(response, call);
    },
    end: (id) => {
      responses.end(id);
      if (interactions.status.get(id) === 'in_progress') interactions.status.set(id, 'completed');
    },
  };
};

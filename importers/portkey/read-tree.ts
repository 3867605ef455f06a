import type { JsonObject } from '../../core/api/index.ts';
import { isObject, omitUndefined, readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import type { Note, Notes } from '../shared/notes.ts';
import type { Located, Providers } from '../shared/providers.ts';
import { requestDefaults } from '../shared/reasons.ts';
import { numberOf, textOf } from '../shared/read.ts';
import { readConditions } from './conditions.ts';
import { cloudSettings, modelOf, readEndpoint, splitModel } from './endpoint.ts';
import type { Leaf, Node } from './tree.ts';

const carried = [
  'name',
  'provider',
  'virtual_key',
  'api_key',
  'custom_host',
  'resource_name',
  'deployment_id',
  'openai_organization',
  'openai_project',
  ...cloudSettings,
  'override_params',
  'request_timeout',
  'retry',
  'cb_config',
  'passthrough',
  'weight',
  'strategy',
  'targets',
  // Only the hosted service writes these. They have no effect.
  'id',
  'version',
];
const strategyCarried = ['mode', 'conditions', 'default', 'cb_config'];

const modes = ['single', 'fallback', 'loadbalance', 'conditional'] as const;
type Mode = (typeof modes)[number];

/** What targets take over from the one that contains them. */
export interface Inherited {
  readonly model?: string;
  readonly customHost?: Located;
  /** Seconds. */
  readonly timeout?: number;
  /** Whether it is tried after another one. */
  readonly isFallback?: boolean;
}

interface Parts {
  readonly notes: Notes;
  readonly providers: Providers;
}

const dropTarget = (at: ConfigPath, reason: string, note: Note): undefined => {
  note(at, `The target is not imported. ${reason}`);
};

const readInherited = (target: JsonObject, at: ConfigPath, outer: Inherited): Inherited => {
  const timeout = numberOf(target['request_timeout']);
  const customHost = textOf(target['custom_host']);
  return omitUndefined({
    isFallback: outer.isFallback,
    model: modelOf(target) ?? outer.model,
    customHost: customHost === undefined ? outer.customHost : { value: customHost, at: [...at, 'custom_host'] },
    timeout: timeout === undefined || timeout <= 0 ? outer.timeout : timeout / 1000,
  });
};

function readLeaf(target: JsonObject, at: ConfigPath, inherited: Inherited, parts: Parts): Leaf | undefined {
  const { note } = parts.notes;
  if (target['passthrough'] === true)
    return dropTarget([...at, 'passthrough'], 'The model of a request selects its provider: see the catalog.', note);
  const model = textOf(target['deployment_id']) ?? splitModel(inherited.model).model;
  if (model?.includes('*') === true) return dropTarget(at, 'The name of its model contains a "*".', note);
  const held: Parameters<Note>[] = [];
  const endpoint = readEndpoint(target, inherited.model, at, inherited.customHost, (...one) => void held.push(one));
  const provider = 'reason' in endpoint ? endpoint : parts.providers.find(endpoint);
  if ('reason' in provider) return dropTarget(at, provider.reason, note);
  for (const [from, text] of held) note(from, text, ['providers', provider.name]);
  return omitUndefined({
    kind: 'leaf' as const,
    at,
    provider: provider.name,
    use: provider.use,
    model,
    timeout: inherited.timeout,
  });
}

interface Child {
  readonly node: Node;
  readonly weight: number;
  readonly name: string;
}

/** Notes what differs from balancing by Portkey. */
const noteBalance = (target: JsonObject, at: ConfigPath, isFallback: boolean, { note }: Notes): void => {
  note(
    [...at, 'strategy'],
    isFallback
      ? 'Fallbacks are tried in order, so their weights are left out.'
      : 'Here a conversation stays on the target that was selected for it by weight, and if that target fails, ' +
          'the others are tried. Portkey selects one for each request, and returns its failure.',
    ['plugins'],
  );
  const hasFallbacks = readList(target['targets']).some(
    (child) => readObject(readObject(child)['strategy'])['mode'] === 'fallback',
  );
  if (hasFallbacks)
    note([...at, 'targets'], 'The fallbacks of one target are fallbacks of the others as well, after all of them.', [
      'plugins',
    ]);
};

const readChildren = (
  target: JsonObject,
  mode: Mode,
  at: ConfigPath,
  inherited: Inherited,
  parts: Parts,
): readonly Child[] =>
  readList(target['targets']).flatMap((child, index) => {
    const where = [...at, 'targets', index];
    if (!isObject(child)) return [];
    if (mode === 'single' && index > 0) {
      parts.notes.note(where, 'The strategy single uses the first target. This one is left out.');
      return [];
    }
    const weight = Math.max(0, numberOf(child['weight']) ?? 1);
    if (mode === 'loadbalance' && weight === 0) {
      parts.notes.note([...where, 'weight'], 'A target with weight 0 gets no requests. It is left out.');
      return [];
    }
    const isFallback = inherited.isFallback === true || (mode === 'fallback' && index > 0);
    const node = readNode(child, where, { ...inherited, isFallback }, parts);
    return node === undefined ? [] : [{ node, weight, name: textOf(child['name']) ?? '' }];
  });

/** Reads a config or one of its targets. Undefined, with a note, where nothing of it can be imported. */
export function readNode(target: JsonObject, at: ConfigPath, outer: Inherited, parts: Parts): Node | undefined {
  const { note, noteUnsupported } = parts.notes;
  noteUnsupported(target, at, carried);
  for (const [name, value] of Object.entries(readObject(target['override_params'])))
    if (name !== 'model' && value !== null) note([...at, 'override_params', name], requestDefaults);
  const inherited = readInherited(target, at, outer);
  if (!isObject(target['strategy']) && !Array.isArray(target['targets'])) return readLeaf(target, at, inherited, parts);
  const strategy = readObject(target['strategy']);
  const mode = modes.find((known) => known === strategy['mode']);
  if (mode === undefined)
    return dropTarget([...at, 'strategy'], `The mode of its strategy is not one of ${modes.join(', ')}.`, note);
  noteUnsupported(strategy, [...at, 'strategy'], strategyCarried);
  const children = readChildren(target, mode, at, inherited, parts);
  if (mode === 'loadbalance' && children.length > 1)
    noteBalance(target, at, inherited.isFallback === true, parts.notes);
  if (mode === 'conditional') {
    const byName = new Map(children.map(({ name, node }) => [name, node]));
    return readConditions(strategy, [...at, 'strategy'], byName, note);
  }
  if (mode === 'single') return children[0]?.node;
  return children.length === 0 ? undefined : { kind: mode, children };
}
